"""A whole desk over stores in memory and steps with fixed answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from adapters.clock import SystemClock
from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryPublisher
from adapters.memory.replies import MemoryReplies
from adapters.memory.sessions import MemoryAttendances, MemorySessions
from adapters.memory.turns import (
    MemoryRecord,
    MemoryTurnEdits,
    MemoryTurnQueue,
    MemoryTurnRecord,
)
from core.access import Visible
from core.desk.answer import Answering, Room, Stores
from core.desk.desk import Desk, Work
from core.desk.edits import Editing
from core.desk.greeting import Greeter
from core.desk.hear import Ear, Hearing, SameRules
from core.desk.interrupts import Interrupts
from core.desk.reading import FixedAccess
from core.desk.taking_down import TakingDown
from core.documents import Card, Digest, Generation
from core.etiquette import Rules
from core.messages import Audience, Author, Message, ReplyTarget, SessionKey
from core.policy import PRESETS, Policy
from core.ports import Audiences, Publication, RunPassages, ThreadReader, TurnStops
from core.rag.context import Steps
from core.rag.graph import Runs
from core.rag.ledger import Ledger
from core.rag.watched import WatchedSearcher
from core.telemetry import UNTRACED, Tracer
from tests.rag.stand_ins import Cast

PROCESS = "test process"


def said(text: str, *, thread: str = "t1", identity: str | None = None, channel: str = "c1") -> Message:
    """A message that mentions us in a channel thread."""
    now = datetime.now(UTC)
    return Message(
        identity=identity or f"{thread}-{text}-{now.timestamp()}",
        key=SessionKey("chat", "w", channel, thread),
        author=Author("u1", "Ann"),
        text=text,
        audience=Audience("chat", "w", channel),
        reply_to=ReplyTarget("chat", "w", channel, thread),
        received_at=now,
        mentions_us=True,
    )


@dataclass
class World:
    """What a test sees: the desk, its steps, its replies and its record."""

    desk: Desk
    cast: Cast
    replies: MemoryReplies
    record: MemoryRecord
    queue: MemoryTurnQueue
    shelf: RunPassages
    stops: TurnStops
    catalog: MemoryCatalog


@dataclass
class Building:
    """What may be changed before the desk opens."""

    cast: Cast = field(default_factory=Cast)
    visibility: tuple[Visible, ...] = (Visible("docs"), Visible("wiki"))
    record: MemoryRecord = field(default_factory=lambda: MemoryRecord(SystemClock()))
    replies: MemoryReplies = field(default_factory=MemoryReplies)
    queue: type[MemoryTurnQueue] = MemoryTurnQueue
    policy: Policy = PRESETS["adaptive"]
    tracer: Tracer = UNTRACED
    rules: Rules = field(default_factory=Rules)
    greets: bool = False
    width: int = 16
    look: float = 3.0
    reader: ThreadReader | None = None
    audiences: Audiences | None = None
    pauses: tuple[float, ...] = (0.01, 0.01, 0.01)
    by_model: Callable[[Steps, Ledger], Steps] = lambda steps, _: steps


@asynccontextmanager
async def open_desk(building: Building | None = None) -> AsyncIterator[World]:
    """A running desk over two published collections, `docs` and `wiki`."""
    given = building or Building()
    collections = MemoryCollections(SystemClock())
    for name in ("docs", "wiki"):
        await MemoryPublisher(collections).publish(_publication(name))
    queue = given.queue(given.record)
    record = MemoryTurnRecord(given.record)
    sessions = MemorySessions(given.record)
    local = given.cast.context().steps
    steps = replace(local, searcher=WatchedSearcher(local.searcher, given.tracer))
    room = Room(given.policy, FixedAccess(given.visibility), SystemClock(), Runs(), tracer=given.tracer)
    edits = MemoryTurnEdits(given.record)
    room = replace(room, stops=edits, interrupts=Interrupts(given.look))
    room = replace(room, reader=given.reader, audiences=given.audiences)
    catalog = MemoryCatalog(collections)
    stores = Stores(queue, record, sessions, catalog)
    answering = Answering(stores, given.replies, lambda ledger: given.by_model(steps, ledger), steps.passages, room)
    greeter = Greeter(given.replies) if given.greets else None
    ear = Ear(SameRules(given.rules), MemoryAttendances(given.record), SystemClock(), PROCESS)
    down = TakingDown(given.replies, record, edits, pauses=given.pauses)
    editing = Editing(edits, edits, room.interrupts, down, edits)
    work = Work(PROCESS, given.width, greeter=greeter)
    async with Desk(Hearing(queue, ear), answering, stores, editing, work) as desk:
        yield World(desk, given.cast, given.replies, given.record, queue, steps.passages, edits, catalog)


def _publication(name: str) -> Publication:
    now = datetime.now(UTC)
    card = Card(name, "v1", name)
    return Publication(
        Generation(name, 1, "e", {f"{letter}.md": "h" for letter in "abcdef"}, "v1", now), (), Digest(name, 0), (card,)
    )
