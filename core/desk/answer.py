"""Answering one claimed turn: what may be read, the run of the graph, the reply, the record."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from core.access import Visible, readable
from core.answers import Answer
from core.catalog.prompt import router_prompt
from core.desk.speaking import question_language
from core.errors import RefdeskError, UpstreamTimeout
from core.history import window
from core.messages import Exchange, Language, Turn
from core.policy import Policy
from core.ports import Catalog, Clock, Reply, ReplyFactory, Sessions, ThreadReader, TurnQueue, TurnRecord
from core.rag.context import RunContext, Steps
from core.rag.graph import run_graph
from core.wording import say

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a turn is begun before it is given up: a question that kills its process must not do so for ever."""

LEASE = timedelta(seconds=30)
"""How long a claimed turn stays ours without a sign of life."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The record, as far as answering needs it."""

    queue: TurnQueue
    record: TurnRecord
    sessions: Sessions
    catalog: Catalog


@dataclass(frozen=True, slots=True)
class Room:
    """How this desk works: its policy, who may read what, what time it is, which graph it runs."""

    policy: Policy
    visibility: tuple[Visible, ...]
    clock: Clock
    graph: Any
    reader: ThreadReader | None = None


class ReplyListener:
    """Passes what happens in a run on to its reply; a reply that fails does not end the run."""

    def __init__(self, reply: Reply, language: Language) -> None:
        self._reply = reply
        self._language = language

    async def status(self, key: str, fields: Mapping[str, object]) -> None:
        """Say in one line what is being done."""
        await self._reply.progress(say(key, self._language, **fields))

    async def draft(self, text: str) -> None:
        """Show the words so far, as not checked yet."""
        await self._reply.show(text, final=False)


class Answering:
    """The use case: one turn, from claimed to recorded."""

    def __init__(self, stores: Stores, replies: ReplyFactory, steps: Steps, room: Room) -> None:
        self._stores = stores
        self._replies = replies
        self._steps = steps
        self._room = room

    async def answer(self, turn: Turn) -> Turn:
        """Answer the turn, finish its reply and its record; the turn as it ended.

        An error becomes the reply's failure and the record's status; it is not raised. A turn that
        stopped being ours comes back as it was: whoever owns it now finishes its reply.
        """
        reply = await self._replies.open(turn)
        try:
            outcome = await self._outcome(turn, reply)
        finally:
            await self._steps.passages.drop(turn.run)
        if outcome is None:
            return turn
        await reply.finish(outcome)
        ended = _ended(turn, outcome)
        await self._stores.record.finish(ended)
        return ended

    async def _outcome(self, turn: Turn, reply: Reply) -> Answer | RefdeskError | None:
        if turn.attempts > ATTEMPTS:
            return RefdeskError(detail=f"{turn.run} was begun {turn.attempts} times and never finished")
        try:
            return await self._guarded(turn, reply)
        except RefdeskError as error:
            log.warning("turn %s ended in %s: %s", turn.run, error.id, error)
            return error
        except Exception as bug:  # the asker is told in any case; never silent
            shown = RefdeskError(detail=repr(bug))
            log.exception("turn %s ended in %s", turn.run, shown.id)
            return shown

    async def _guarded(self, turn: Turn, reply: Reply) -> Answer | None:
        """The run; None when the turn stopped being ours (edited, withdrawn, taken over)."""
        run = asyncio.ensure_future(self._run(turn, reply))
        lease = asyncio.ensure_future(self._keep_lease(turn))
        try:
            await asyncio.wait({run, lease}, return_when=asyncio.FIRST_COMPLETED)
            return await run if run.done() else None
        finally:
            run.cancel()
            lease.cancel()
            await asyncio.gather(run, lease, return_exceptions=True)

    async def _keep_lease(self, turn: Turn) -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            if not await self._stores.queue.renew(turn, LEASE):
                return

    async def _run(self, turn: Turn, reply: Reply) -> Answer:
        context = await self._context(turn, reply)
        try:
            # The nodes keep the deadline themselves; this catches a run that still would not end.
            async with asyncio.timeout(self._room.policy.deadline + 15):
                answer = await run_graph(self._room.graph, context)
        except TimeoutError as late:
            raise UpstreamTimeout(detail=turn.run) from late
        prompt = router_prompt(context.cards)
        return replace(
            answer,
            card_versions={card.collection: card.version for card in context.cards},
            prompt_hash=hashlib.sha256(prompt.encode()).hexdigest()[:16],
        )

    async def _context(self, turn: Turn, reply: Reply) -> RunContext:
        room, policy = self._room, self._room.policy
        may_read = readable(turn.audience, room.visibility)
        scope, cards, past = await asyncio.gather(
            self._stores.catalog.pin(may_read),
            self._stores.catalog.cards(may_read),
            self._stores.sessions.history(turn.key, turn, policy.history_turns),
        )
        language = question_language(turn.question)
        thread = await room.reader.since(turn.key, None) if room.reader else ()
        return RunContext(
            run=turn.run,
            asked=turn.question,
            language=language,
            today=room.clock.now().date(),
            steps=self._steps,
            policy=policy,
            scope=scope,
            cards=tuple(cards),
            listener=ReplyListener(reply, language),
            deadline=asyncio.get_running_loop().time() + policy.deadline,
            history=window(past, policy.history_turns, policy.history_characters),
            thread=tuple(thread),
            clarified_before=_asked_back(past),
        )


def _asked_back(past: Sequence[Exchange]) -> bool:
    return bool(past) and past[-1].route == "clarify"


def _ended(turn: Turn, outcome: Answer | RefdeskError) -> Turn:
    if isinstance(outcome, Answer):
        return replace(turn, status="answered", answer=outcome)
    return replace(turn, status="failed", error_id=outcome.id)
