"""What a run is given: who reads its answer, what they may read, what was said before and around the question."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from core.desk.listening import ReplyListener
from core.desk.speaking import question_language
from core.errors import RefdeskError
from core.history import readable_only, since_pause, window
from core.messages import Audience, Exchange, ThreadMessage, Turn
from core.ports import Reply
from core.rag.context import RunContext, StepsFor
from core.rag.deadline import Deadline
from core.rag.ledger import Ledger

if TYPE_CHECKING:
    from datetime import timedelta

    from core.desk.answer import Room, Stores

log = logging.getLogger(__name__)

SHARE = 1 / 6
"""Of a run's time, at most, for each thing that its platform is asked: without it there is still an answer."""


class Gathering:
    """Asks the record, the access rules and the platform. `pause` is how long a subject of a direct message lasts."""

    def __init__(self, stores: Stores, steps: StepsFor, room: Room, pause: timedelta) -> None:
        self._stores = stores
        self._steps = steps
        self._room = room
        self._pause = pause

    async def readers(self, turn: Turn, limit: AbstractAsyncContextManager[object] | None = None) -> Audience:
        """Who reads the reply: what the event left open is looked up now, when the asker has seen a sign of life.

        Who can't be told in time counts as before: as if somebody from outside read along.
        """
        if not turn.audience.provisional or self._room.audiences is None:
            return turn.audience
        try:
            async with limit or asyncio.timeout(self._share):
                return await self._room.audiences.of(turn)
        except TimeoutError:
            log.warning("who reads the answer to %s could not be told in time", turn.run)
            return turn.audience

    async def context(self, turn: Turn, reply: Reply, deadline: Deadline) -> RunContext:
        """Everything for the run of a turn whose audience is known."""
        room, policy = self._room, self._room.policy
        may_read = await room.access.readable(turn.audience)
        defaults, scope, cards, past = await asyncio.gather(
            room.access.defaults(turn.audience),
            self._stores.catalog.pin(may_read),
            self._stores.catalog.cards(may_read),
            self._stores.sessions.history(turn.key, turn, policy.history_turns),
        )
        language = question_language(turn.question, room.language)
        ledger = Ledger(policy.max_model_calls, await room.runs.spent(turn.run), room.tracer)
        past = readable_only(self._of_one_subject(past, turn), may_read)
        return RunContext(
            run=turn.run,
            asked=turn.question,
            language=language,
            today=room.clock.now().date(),
            steps=self._steps(ledger),
            policy=policy,
            scope=scope,
            cards=tuple(cards),
            listener=ReplyListener(reply, language),
            deadline=deadline,
            history=window(past, policy.history_turns, policy.history_characters),
            thread=await self._thread(turn, deadline),
            clarified_before=bool(past) and past[-1].route == "clarify",
            ledger=ledger,
            tracer=room.tracer,
            defaults=tuple(name for name in defaults if name in scope.collections),
            outside=turn.audience.external,
        )

    def share(self, deadline: Deadline) -> AbstractAsyncContextManager[object]:
        """The time that the platform has for one thing that it is asked."""
        return deadline.limit(self._share)

    @property
    def _share(self) -> float:
        return self._room.policy.deadline * SHARE

    async def _thread(self, turn: Turn, deadline: Deadline) -> tuple[ThreadMessage, ...]:
        """What others said since the last answer; a thread that can't be read in time leaves the question as it is."""
        reader = self._room.reader
        if reader is None:
            return ()
        try:
            last = await self._stores.record.find(key=turn.key)
            cursor = last.identity if last is not None and last.id != turn.id else None
            async with self.share(deadline):
                around, beside = await asyncio.gather(reader.around(turn, cursor), reader.beside(turn))
            return (*around, *beside)
        except (RefdeskError, TimeoutError) as error:
            log.warning("the thread of %s could not be read: %r", turn.run, error)
            return ()

    def _of_one_subject(self, past: Sequence[Exchange], turn: Turn) -> Sequence[Exchange]:
        return since_pause(past, turn.created_at, self._pause) if turn.key.thread == "dm" else past
