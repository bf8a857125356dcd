"""A desk with real parts over one small collection for each kind of visibility; turns and replies are kept in memory.

Index, catalog, settings, sync, Cards, router, retrieval and the local steps are those that the application composes.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from adapters.memory.replies import MemoryReplies
from adapters.memory.sessions import MemorySessions
from adapters.memory.shelf import MemoryShelf
from adapters.memory.turns import MemoryRecord, MemoryTurnEdits, MemoryTurnQueue, MemoryTurnRecord
from adapters.parsers.splitter import MarkdownSplitter
from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.database import Database, sqlite_url
from adapters.sql.feedback import SqlCorrections
from adapters.sql.publisher import SqlPublisher
from adapters.sql.settings import SqlSettings
from bots.compose.embedding import Embedders
from bots.compose.index import Indexes
from bots.compose.models import Models
from bots.compose.steps import Parts, steps_for
from bots.model_settings import ModelSettings
from core.answers import Plan
from core.catalog.cards import Cards
from core.channels import Setting
from core.desk.answer import Answering, Room, Stores
from core.desk.desk import Desk
from core.desk.edits import Editing
from core.desk.hear import Ear, Hearing
from core.desk.reading import ChannelAccess
from core.desk.taking_down import TakingDown
from core.feedback import Correction
from core.indexing.carding import CatalogCards
from core.indexing.hinting import HintedCards
from core.indexing.parts import SyncPorts, SyncSettings, SyncTarget
from core.indexing.sync import Syncer
from core.messages import Audience, Author, Message, ReplyTarget, SessionKey, Turn
from core.policy import PRESETS
from core.ports import Planner, PlanRequest
from core.rag.context import Steps, StepsFor
from core.rag.graph import Runs
from core.rag.ledger import Ledger
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.search import Retriever
from tests.access.readers import COLLECTIONS, HERE, SAID, about, rule
from tests.indexing.workshop import MemorySource, read

EMBEDDER = HashingEmbedder(256)
ANALYZER = BigramAnalyzer()
NOW = datetime(2026, 3, 1, tzinfo=UTC)

SUBJECTS = (
    *("parking permit", "laptop replacement", "holiday bonus", "fire drill", "coffee machine", "visitor badge"),
    *("printer toner", "bicycle storage", "meeting booking", "travel insurance", "phone contract", "gym discount"),
    *("desk plant", "canteen menu", "shuttle bus", "night shift"),
    *("lunch voucher", "key card"),
)
SUBJECT = dict(zip(COLLECTIONS, SUBJECTS, strict=True))


def question(word: str) -> str:
    """A question that the collection answers, without the word that gives it away."""
    return f"What is the rule for the {SUBJECT[word]}?"


def page(word: str) -> str:
    """A document in which everything tells whose it is."""
    subject = SUBJECT[word]
    return (
        f"{word.title()} and the {subject}\nThe rule for the {subject} is called {word}: ask the {word} office first."
    )


@dataclass
class NotingPlanner:
    """Plans as the inner one and keeps what it was shown."""

    inner: Planner
    seen: list[PlanRequest]

    async def plan(self, request: PlanRequest) -> Plan:
        self.seen.append(request)
        return await self.inner.plan(request)


@dataclass
class House:
    """The desk, and everything that it told or was shown."""

    desk: Desk
    replies: MemoryReplies
    kept: MemoryRecord
    access: ChannelAccess
    settings: SqlSettings
    catalog: SqlCatalog
    digests: SqlDigests
    database: Database
    index: EmbeddedIndex
    retriever: Retriever
    syncer: Syncer
    targets: dict[str, SyncTarget]
    asked: list[PlanRequest] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    async def ask(self, text: str, audience: Audience, thread: str = "t1") -> Turn:
        """One question of these readers, answered."""
        return await self.desk.ask(self.message(text, audience, thread))

    def message(self, text: str, audience: Audience, thread: str) -> Message:
        """The question as a platform would deliver it."""
        a = audience
        return Message(
            identity=f"m{next(self.numbers)}",
            key=SessionKey(a.platform, a.workspace, a.channel, thread),
            author=Author(a.user or "U0", "Ann", a.roles),
            text=text,
            audience=audience,
            reply_to=ReplyTarget(a.platform, a.workspace, a.channel, thread),
            received_at=datetime.now(UTC),
            mentions_us=True,
        )

    def told(self, turn: Turn) -> str:
        """Everything that the readers of the turn's reply were shown, and all that was kept of it."""
        reply = self.replies.by_turn[turn.id]
        failures = [each for each in reply.outcomes if isinstance(each, Exception)]
        spoken = [error.user_message(language) for error in failures for language in ("en", "ko")]
        ended = [each for each in reply.outcomes if not isinstance(each, Exception)]
        return repr((reply.statuses, reply.texts, ended, spoken, replace(turn, question="")))

    async def say(self, word: str, value: str) -> None:
        """Show or hide a collection in the channel `HERE`, or take that back."""
        told = (value,) if value else ()
        await self.settings.put(Setting(HERE, "visibility", told, "slack/T1/U0", NOW, f"{word}-files"))


@dataclass(frozen=True)
class Plot:
    """What differs from house to house."""

    words: Sequence[str] = tuple(COLLECTIONS)
    between: Callable[[Steps], Steps] = lambda steps: steps
    indexes: Callable[[EmbeddedIndex], Indexes] = lambda file: Indexes(
        file.vectors, file.lexical, file.passages, file.read_by
    )
    models: tuple[Models, ModelSettings] | None = None
    runs: Runs | None = None


@asynccontextmanager
async def built(folder: Path, plot: Plot | None = None) -> AsyncIterator[House]:
    """A house with its collections synced and what was said in chat said."""
    plot = plot or Plot()
    async with AsyncExitStack() as stack:
        index = await stack.enter_async_context(EmbeddedIndex(folder / "index.db", ANALYZER))
        indexes = plot.indexes(index)
        database = await stack.enter_async_context(Database(sqlite_url(folder / "refdesk.db"), SystemClock()))
        catalog, digests, settings = SqlCatalog(database), SqlDigests(database), SqlSettings(database)
        corrections = SqlCorrections(database)
        rules, collecting = [rule(word) for word in plot.words], [f"{w}-files" for w in plot.words if about(w)]
        access = ChannelAccess(rules, settings, about=partial(corrections.about, collecting))
        kept = MemoryRecord(SystemClock())
        queue, record, edits = MemoryTurnQueue(kept), MemoryTurnRecord(kept), MemoryTurnEdits(kept)
        titles = {f"{word}-files": f"All about {word}" for word in plot.words}
        hints = {f"{word}-files": f"Whatever {word} decides." for word in plot.words}
        syncer = Syncer(_ports(indexes, catalog, digests, database, (titles, hints, access)), SyncSettings())
        asked: list[PlanRequest] = []
        retriever = Retriever(indexes.vectors, indexes.lexical, indexes.passages, EMBEDDER, ANALYZER)
        shelf, replies = MemoryShelf(), MemoryReplies()
        models, chosen = plot.models or (None, ModelSettings())
        parts = Parts(
            Embedders(EMBEDDER, EMBEDDER, EMBEDDER),
            ANALYZER,
            retriever,
            shelf,
            None,
            models,
            chosen,
            PRESETS["adaptive"],
        )
        room = Room(PRESETS["adaptive"], access, SystemClock(), plot.runs or Runs())
        stores = Stores(queue, record, MemorySessions(kept), catalog)
        answering = Answering(stores, replies, _noting(steps_for(parts), asked, plot.between), shelf, room)
        editing = Editing(edits, edits, room.interrupts, TakingDown(replies, record))
        desk = await stack.enter_async_context(Desk(Hearing(queue, Ear(access)), answering, stores, editing))
        targets = {word: SyncTarget(f"{word}-files", _source(word)) for word in plot.words}
        house = House(
            desk, replies, kept, access, settings, catalog, digests, database, index, retriever, syncer, targets, asked
        )
        for word, target in targets.items():
            if about(word):
                await corrections.put(_correction(word))
            await syncer.sync(target)
            if COLLECTIONS[word][0] in SAID:
                await house.say(word, SAID[COLLECTIONS[word][0]])
        yield house


def _noting(steps_of: StepsFor, asked: list[PlanRequest], between: Callable[[Steps], Steps]) -> StepsFor:
    def steps(ledger: Ledger) -> Steps:
        made = between(steps_of(ledger))
        return replace(made, planner=NotingPlanner(made.planner, asked))

    return steps


def _correction(word: str) -> Correction:
    return Correction(word, question(word), page(word), "slack/T1/U0", NOW, about(word))


def _source(word: str) -> MemorySource:
    source = MemorySource()
    source.write(_correction(word).document, page(word))
    source.write(f"{word}-broken.md", "BROKEN")
    return source


def _ports(
    index: Indexes,
    catalog: SqlCatalog,
    digests: SqlDigests,
    database: Database,
    carding: tuple[dict[str, str], dict[str, str], ChannelAccess],
) -> SyncPorts:
    titles, hints, access = carding
    return SyncPorts(
        read=read,
        splitter=MarkdownSplitter(),
        embedder=EMBEDDER,
        vectors=index.vectors,
        lexical=index.lexical,
        passages=index.passages,
        catalog=catalog,
        digests=digests,
        publisher=SqlPublisher(database),
        cards=HintedCards(
            lambda said: CatalogCards(catalog, digests, Cards(EMBEDDER), titles, said), hints, access.hints
        ),
        clock=SystemClock(),
        settle=index.settle,
    )
