"""Answering one claimed turn: what may be read, the run of the graph, the reply, the record."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.access_commands import Staff
from core.answers import Answer
from core.catalog.prompt import prompt_hash, router_prompt
from core.desk.endings import ended_as, facts
from core.desk.feedback import about_collections
from core.desk.gathering import Gathering
from core.desk.interrupts import Interrupts, Running, stopped_from_afar
from core.desk.last_words import last_words
from core.desk.lease import LEASE, Keeping, while_ours
from core.desk.listening import LateReply
from core.desk.posting import postable
from core.errors import RefdeskError, TurnTaken, UpstreamRefused, UpstreamTimeout
from core.mentions import plain_name
from core.messages import Language, Turn
from core.policy import Policy
from core.ports import (
    Access,
    Audiences,
    Catalog,
    Clock,
    Reply,
    ReplyFactory,
    RunPassages,
    Sessions,
    ThreadReader,
    TurnQueue,
    TurnRecord,
    TurnStops,
)
from core.rag.context import RunContext, StepsFor
from core.rag.deadline import Deadline
from core.rag.graph import Runs
from core.telemetry import UNTRACED, Fact, Tracer, pseudonym
from core.wording import say

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""How often a turn is begun before it is given up: a question that kills its process must not do so for ever."""

PAUSE = timedelta(minutes=30)
"""After so long a silence a direct message begins a new subject."""


@dataclass(frozen=True, slots=True)
class Stores:
    """The record, as far as answering needs it."""

    queue: TurnQueue
    record: TurnRecord
    sessions: Sessions
    catalog: Catalog


@dataclass(frozen=True, slots=True)
class Room:
    """How this desk works: its policy, who may read what, what time it is, how its runs go, its own language."""

    policy: Policy
    access: Access
    clock: Clock
    runs: Runs
    reader: ThreadReader | None = None
    tracer: Tracer = UNTRACED
    interrupts: Interrupts = field(default_factory=Interrupts)
    stops: TurnStops | None = None
    audiences: Audiences | None = None
    language: Language = "en"
    staff: Staff | None = None


class Answering:
    """The use case: one turn, from claimed to recorded."""

    def __init__(self, stores: Stores, replies: ReplyFactory, steps: StepsFor, shelf: RunPassages, room: Room) -> None:
        self._stores = stores
        self._replies = replies
        self._gathering = Gathering(stores, steps, room, PAUSE)
        self._shelf = shelf
        self._room = room

    async def answer(self, turn: Turn) -> Turn:
        """Answer the turn, finish its reply and its record; the turn as it ended.

        An error becomes the reply's failure and the record's status. A turn that stopped being ours comes
        back as it was, still running: whoever owns it now finishes its reply. Raises what a reply raises
        that can't be opened or finished. The last attempt, and one that its platform refuses, are recorded as
        failed instead, since a turn without an end would keep its session waiting for ever.
        """
        about: dict[str, Fact] = {"run": turn.run, "platform": turn.key.platform, "attempt": turn.attempts}
        with self._room.tracer.span("turn", "turn", session=pseudonym(turn.key), **about) as span:
            ended = await self._tried(turn)
            span.tell(**facts(ended))
            return ended

    async def _tried(self, turn: Turn) -> Turn:
        try:
            return await self._replied(turn)
        except Exception as failure:
            if turn.attempts <= ATTEMPTS and not isinstance(failure, UpstreamRefused):
                raise
            shown = RefdeskError(detail=repr(failure))
            log.exception("turn %s ended without a reply in %s", turn.run, shown.id)
            return await self._recorded(turn, shown) or turn

    async def _replied(self, turn: Turn) -> Turn:
        with self._room.interrupts.running(turn.id) as running:
            try:
                reply = LateReply(self._replies, turn) if turn.quiet else await self._replies.open(turn)
                keeping = Keeping(self._stores.queue, looked=running.looked)
                ended = await while_ours(keeping, turn, self._ended(turn, reply, running))
                if ended is None:
                    return await self._left(turn, reply)
            finally:
                self._replies.let_go(turn)
        await self._forget(turn)
        return ended

    async def _ended(self, turn: Turn, reply: Reply, running: Running) -> Turn | None:
        """The turn with its end, shown and recorded; None when it has become somebody else's on the way there."""
        outcome = await self._outcome(turn, reply, running)
        if not await self._stores.queue.renew(turn, LEASE):
            return None
        readers = await self._gathering.readers(turn)
        outcome = await postable(outcome, readers, self._room.access, self._stores.catalog, fresh=True)
        try:
            return await self._recorded(turn, await last_words(reply, outcome, turn))
        except TurnTaken:
            return None

    async def _forget(self, turn: Turn) -> None:
        """What was kept so that the run could be taken up again; left behind it costs room and nothing else."""
        try:
            await self._shelf.drop(turn.run)
            await self._room.runs.forget(turn.run)
        except Exception as error:  # noqa: BLE001  # the answer is there and recorded
            log.warning("what %s left behind could not be deleted: %r", turn.run, error)

    async def _left(self, turn: Turn, reply: Reply) -> Turn:
        """The turn is not ours any more; what nobody else will end (it is gone) is taken down.

        A run that somebody else goes on with is kept for them; one that an edit has replaced is nobody's.
        """
        stored = await self._stores.record.find(turn_id=turn.id)
        if stored is None or stored.status == "withdrawn":
            await reply.finish("withdrawn")
        if stored is None or stored.status == "withdrawn" or stored.run != turn.run:
            await self._forget(turn)
        return turn

    async def _recorded(self, turn: Turn, outcome: Answer | RefdeskError) -> Turn | None:
        ended = ended_as(turn, outcome)
        return ended if await self._stores.record.finish(ended) else None

    async def _outcome(self, turn: Turn, reply: Reply, running: Running) -> Answer | RefdeskError:
        if turn.attempts > ATTEMPTS:
            return RefdeskError(detail=f"{turn.run} was begun {turn.attempts} times and never finished")
        try:
            return await self._run(turn, reply, running)
        except RefdeskError as error:
            log.warning("turn %s ended in %s: %s", turn.run, error.id, error)
            return error
        except Exception as bug:  # the asker is told in any case; never silent
            shown = RefdeskError(detail=repr(bug))
            log.exception("turn %s ended in %s", turn.run, shown.id)
            return shown

    async def _run(self, turn: Turn, reply: Reply, running: Running) -> Answer:
        time = self._room.policy.deadline
        deadline = Deadline(asyncio.get_running_loop().time() + time)
        running.begins(deadline)
        try:
            # The nodes keep the deadline themselves; this catches a run that still would not end.
            async with asyncio.timeout(time + 15), stopped_from_afar(self._room.stops, running):
                readers = await self._gathering.readers(turn, self._gathering.share(deadline))
                context = await self._gathering.context(replace(turn, audience=readers), reply, deadline)
                answer = await self._room.runs.run(context)
        except TimeoutError as late:
            raise UpstreamTimeout(detail=turn.run) from late
        staff, asked = self._room.staff, replace(turn, answer=answer)
        return replace(
            answer,
            askable=staff is None or staff.asked(about_collections(asked)).is_on(turn.key.platform),
            notes=(*answer.notes, *_unread(context)),
            titles={card.collection: card.title for card in context.cards if card.collection in answer.searched},
            card_versions={card.collection: card.version for card in context.cards},
            prompt_hash=_prompt_read(answer, context),
            context=tuple(sorted({name for past in context.history for name in past.collections})),
        )


def _unread(context: RunContext) -> list[str]:
    """A line that names the files that came with the question: nobody has read them."""
    files = [name for said in context.thread for name in said.unread]
    return [say("note.files_unread", context.language, files=", ".join(map(plain_name, files)))] if files else []


def _prompt_read(answer: Answer, context: RunContext) -> str:
    """The hash of the router prompt that the plan was made by; where no model planned, of what one would have read."""
    if answer.plan is not None and answer.plan.prompt_hash:
        return answer.plan.prompt_hash
    budget = context.policy.router_tokens
    return prompt_hash(router_prompt(context.cards, web=context.web_allowed, budget=budget))
