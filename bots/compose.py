"""Where everything is put together: the only place that names concrete adapters.

The heavy libraries are imported while the embedder loads in its own thread, so that the first words of an
answer wait for the longer of the two and not for their sum.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.clock import FixedClock, SystemClock
from adapters.console.screen import Screen
from adapters.console.terminal import Terminal
from bots.app import App
from bots.logs import log_to, told_and_logged
from core.access import Visible
from core.errors import ConfigError, StoreError
from core.ports import Analyzer, Catalog, Clock, Digests, Embedder, Publisher, RunPassages, WebSearch

if TYPE_CHECKING:
    from adapters.embedded.index import EmbeddedIndex
    from adapters.local.e5 import E5Embedder
    from adapters.local.use import USEEmbedder
    from bots.settings import CollectionSettings, Settings
    from core.indexing.parts import SyncTarget
    from core.indexing.sync import Syncer
    from core.policy import Policy
    from core.rag.context import Steps

    LocalEmbedder = USEEmbedder | E5Embedder

SyncStores = tuple[Catalog, Digests, Publisher]

log = logging.getLogger(__name__)

RECIPE = "parsers-1/splitter-1"
"""Raise it when parsers or splitter give other texts: every document is then read again."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where somebody sits in front of an App: their screen, and what day they believe it is."""

    screen: Screen = field(default_factory=Screen)
    clock: Clock = field(default_factory=SystemClock)


@asynccontextmanager
async def opened(settings: Settings, *, quiet: bool = False, seat: Seat | None = None) -> AsyncIterator[App]:
    """A running App; closes everything again. Raises StoreError and ConfigError."""
    if not settings.collections:
        raise ConfigError("error.no_collections")
    _make_place(settings.data_dir)
    async with AsyncExitStack() as stack:
        stack.callback(_unlog, log_to(settings.data_dir / "refdesk.log"))
        stack.enter_context(told_and_logged())
        embedder = _embedder(settings)
        await stack.enter_async_context(embedder)
        warming = asyncio.ensure_future(embedder.warm())
        stack.push_async_callback(_settle, warming)
        await asyncio.sleep(0)  # its thread starts now, and not after the imports below
        yield await _composed(stack, settings, embedder, seat or Seat(clock=_clock(settings)), quiet=quiet)


def _make_place(data_dir: Path) -> None:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("error.store_access", path=str(data_dir), what=error.strerror or str(error)) from error


def _unlog(handler: logging.Handler) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()


async def _settle(warming: asyncio.Future[None]) -> None:
    warming.cancel()
    (outcome,) = await asyncio.gather(warming, return_exceptions=True)
    if isinstance(outcome, Exception):  # the first question loads the model again and tells what is wrong
        log.warning("the embedder could not be warmed", exc_info=outcome)


async def _composed(stack: AsyncExitStack, settings: Settings, embedder: Embedder, seat: Seat, *, quiet: bool) -> App:
    from adapters.embedded.index import EmbeddedIndex
    from adapters.memory.shelf import MemoryShelf
    from adapters.sql.activity import SqlTurnLog
    from adapters.sql.catalog import SqlCatalog, SqlDigests
    from adapters.sql.database import Database
    from adapters.sql.publisher import SqlPublisher
    from adapters.sql.sessions import SqlSessions
    from adapters.sql.turns import SqlTurnQueue, SqlTurnRecord
    from core.desk.answer import Answering, Room, Stores
    from core.desk.desk import Desk
    from core.desk.hear import Hearing
    from core.etiquette import Rules
    from core.rag.graph import Runs
    from core.retrieval.recent import RecentEmbedder

    analyzer = _analyzer(settings)
    passing = SystemClock()
    index = await stack.enter_async_context(EmbeddedIndex(settings.index_path, analyzer))
    database = await stack.enter_async_context(Database(settings.record_url, passing))
    catalog, digests = SqlCatalog(database), SqlDigests(database)
    queue, record, sessions = SqlTurnQueue(database), SqlTurnRecord(database), SqlSessions(database)
    terminal = Terminal(seat.screen, passing, settings.language)
    room = Room(settings.policy.policy(), _visibility(settings), seat.clock, Runs())
    shelf = MemoryShelf()
    steps = _steps(index, RecentEmbedder(embedder), analyzer, settings.policy.policy(), shelf)
    steps = replace(steps, web=await _web(stack, settings))
    answering = Answering(
        Stores(queue, record, sessions, catalog), terminal.replies(quiet=quiet), lambda _: steps, shelf, room
    )
    syncer = _syncer(settings, index, embedder, (catalog, digests, SqlPublisher(database)))
    desk = await stack.enter_async_context(Desk(Hearing(queue, Rules()), answering, queue, record, sessions))
    targets = {each.name: _target(each, settings) for each in settings.collections}
    return App(desk, terminal, catalog, digests, syncer, targets, SqlTurnLog(database), passing)


async def _web(stack: AsyncExitStack, settings: Settings) -> WebSearch | None:
    """The web, where it is on; closed with the stack. Raises ConfigError without a key."""
    web = settings.web
    if not web.on:
        return None
    from adapters.parsers.splitter import MarkdownSplitter
    from adapters.tavily import BASE_URL, TavilyOptions, TavilySearch
    from core.web.pages import Reading

    reading = Reading(web.domains, MarkdownSplitter(), web.max_characters)
    options = TavilyOptions(web.base_url or BASE_URL, web.timeout, web.max_results)
    return await stack.enter_async_context(TavilySearch(web.key.get_secret_value(), reading, options))


def _steps(index: EmbeddedIndex, embedder: Embedder, analyzer: Analyzer, policy: Policy, shelf: RunPassages) -> Steps:
    """The keyless family of steps."""
    from adapters.local.checker import LocalChecker
    from adapters.local.grader import LocalGrader
    from adapters.local.planner import LocalPlanner
    from adapters.local.refiner import LocalRefiner
    from adapters.local.rewriter import LocalRewriter
    from adapters.local.writer import ExtractiveWriter
    from core.rag.context import Steps
    from core.rag.parts import EachPart
    from core.retrieval.search import Retriever

    return Steps(
        planner=LocalPlanner(embedder),
        searcher=Retriever(index.vectors, index.lexical, index.passages, embedder, analyzer),
        grader=EachPart(LocalGrader(embedder, analyzer)),
        refiner=LocalRefiner(embedder, analyzer, above=policy.strip_above),
        rewriter=LocalRewriter(),
        writer=ExtractiveWriter(embedder, analyzer),
        checker=LocalChecker(embedder, analyzer),
        passages=shelf,
    )


def _syncer(settings: Settings, index: EmbeddedIndex, embedder: Embedder, stores: SyncStores) -> Syncer:
    from adapters.parsers.registry import ParserRegistry
    from adapters.parsers.splitter import MarkdownSplitter
    from core.catalog.cards import Cards
    from core.indexing.carding import CatalogCards
    from core.indexing.parts import SyncPorts, SyncSettings
    from core.indexing.sync import Syncer
    from core.retrieval.composition import LeadEmbedder

    catalog, digests, publisher = stores
    titles = {each.name: each.title for each in settings.collections}
    hints = {each.name: each.hint for each in settings.collections}
    # Passages are composed of their opening and their whole; Cards and questions are embedded as they are.
    ports = SyncPorts(
        read=ParserRegistry(_bytes(settings), settings.ingest.max_seconds).read,
        splitter=MarkdownSplitter(),
        embedder=LeadEmbedder(embedder),
        vectors=index.vectors,
        lexical=index.lexical,
        passages=index.passages,
        catalog=catalog,
        digests=digests,
        publisher=publisher,
        cards=CatalogCards(catalog, digests, Cards(embedder), titles, hints),
        clock=SystemClock(),
    )
    # A collection that somebody else is syncing is worth a short wait: what comes out is the same. The wait is
    # longer than the lease, so that a sync that was killed keeps nobody from going on where it was.
    recipe = f"{RECIPE}/{settings.models.analyzer}"
    return Syncer(ports, SyncSettings(recipe, lease=timedelta(seconds=20), wait=timedelta(seconds=30)))


def _target(collection: CollectionSettings, settings: Settings) -> SyncTarget:
    from adapters.sources.folder import DEFAULT_EXCLUDE, FolderSource
    from core.indexing.parts import SyncTarget

    exclude = (*DEFAULT_EXCLUDE, *collection.exclude)
    source = FolderSource(Path(collection.path), collection.include, exclude, _bytes(settings))
    return SyncTarget(collection.name, source, collection.link or None)


def _bytes(settings: Settings) -> int:
    return int(settings.ingest.max_file_mb * 2**20)


def _embedder(settings: Settings) -> LocalEmbedder:
    if settings.models.embedder == "local-e5":
        from adapters.local.e5 import E5Embedder

        return E5Embedder()
    from adapters.local.use import USEEmbedder

    return USEEmbedder(settings.model_cache)


def _analyzer(settings: Settings) -> Analyzer:
    if settings.models.analyzer == "morphemes":
        from adapters.local.morphemes import MorphemeAnalyzer

        return MorphemeAnalyzer()
    from core.retrieval.analysis import BigramAnalyzer

    return BigramAnalyzer()


def _clock(settings: Settings) -> Clock:
    """The day of a run; leases and timestamps keep the clock that passes."""
    if settings.now is None:
        return SystemClock()
    return FixedClock(datetime.combine(settings.now, time(12)))


def _visibility(settings: Settings) -> tuple[Visible, ...]:
    from adapters.console.messages import PLACE

    return tuple(
        Visible(
            each.name,
            each.visibility.everyone,
            frozenset(each.visibility.channels) | {PLACE},
            frozenset(each.visibility.roles),
        )
        for each in settings.collections
    )
