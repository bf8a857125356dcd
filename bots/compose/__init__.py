"""Where everything is put together: the only place that names concrete adapters.

The heavy libraries are imported while the embedder loads in its own thread, so that the first words of an
answer wait for the longer of the two and not for their sum.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.clock import FixedClock, SystemClock
from adapters.console.screen import Screen
from adapters.console.terminal import Terminal
from adapters.memory.shelf import MemoryShelf
from bots.app import App
from bots.compose.embedding import Embedders, analyzer_of, embeddings, opened_embedders
from bots.logs import log_to, told_and_logged
from core.errors import ConfigError, StoreError
from core.ports import Clock, RunPassages, WebSearch

if TYPE_CHECKING:
    from bots.settings import Settings
    from core.rag.graph import Runs

log = logging.getLogger(__name__)


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
        embedders = await opened_embedders(stack, settings)
        yield await _composed(stack, settings, embedders, seat or Seat(clock=_clock(settings)), quiet=quiet)


def _make_place(data_dir: Path) -> None:
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("error.store_access", path=str(data_dir), what=error.strerror or str(error)) from error


def _unlog(handler: logging.Handler) -> None:
    logging.getLogger().removeHandler(handler)
    handler.close()


async def _composed(stack: AsyncExitStack, settings: Settings, embedders: Embedders, seat: Seat, *, quiet: bool) -> App:
    from adapters.sql.activity import SqlTurnLog
    from adapters.sql.catalog import SqlCatalog, SqlDigests
    from adapters.sql.database import Database
    from adapters.sql.publisher import SqlPublisher
    from adapters.sql.sessions import SqlAttendances, SqlSessions
    from adapters.sql.shelf import SqlShelf
    from adapters.sql.turns import SqlTurnEdits, SqlTurnQueue, SqlTurnRecord
    from bots.compose.access import doors
    from bots.compose.carding import carding_of
    from bots.compose.index import opened_index
    from bots.compose.models import opened_models
    from bots.compose.reading import opened_reader
    from bots.compose.steps import Parts, steps_for
    from bots.compose.syncing import syncer, target
    from bots.compose.telemetry import opened_tracer
    from bots.compose.upkeep import upkeep
    from core.desk.answer import Answering, Room, Stores
    from core.desk.desk import Desk, Work
    from core.desk.edits import Editing
    from core.desk.hear import Ear, Hearing
    from core.indexing.changes import Changes
    from core.rag.watched import WatchedSearcher, WatchedWeb
    from core.retrieval.search import Retriever

    analyzer, passing, policy = analyzer_of(settings), SystemClock(), settings.rules
    index = await opened_index(stack, settings, embedders.passages, analyzer)
    database = await stack.enter_async_context(Database(settings.record_url, passing))
    catalog, digests, shelf = SqlCatalog(database), SqlDigests(database), SqlShelf(database)
    queue, record, sessions = SqlTurnQueue(database), SqlTurnRecord(database), SqlSessions(database)
    terminal = Terminal(seat.screen, passing, settings.language)
    tracer = await opened_tracer(stack, settings)
    asked = embeddings(stack, settings, embedders)
    retriever = Retriever(index.vectors, index.lexical, index.passages, embedders.questions, analyzer, embeddings=asked)
    web, models = await _web(stack, settings), await opened_models(stack, settings.models)
    runs = await _runs(stack, settings)
    kept: RunPassages = shelf if runs.resumes else MemoryShelf()
    searcher, watched = WatchedSearcher(retriever, tracer), WatchedWeb(web, tracer) if web else None
    parts = Parts(embedders, analyzer, searcher, kept, watched, models, settings.models, policy)
    gates = doors(settings, database, passing)
    room = Room(policy, gates.access, seat.clock, runs, tracer=tracer)
    stores, replies = Stores(queue, record, sessions, catalog), terminal.replies(quiet=quiet)
    steps = steps_for(parts)
    answering = Answering(stores, replies, steps, kept, room)
    read = await opened_reader(stack, settings)
    carding = carding_of(settings, database, steps, models, gates.access.hints)
    sync = syncer(settings, index, embedders, (catalog, digests, SqlPublisher(database)), read, carding=carding)
    edits, work = SqlTurnEdits(database), Work(width=settings.at_once)
    ear = Ear(gates.access, attendances=SqlAttendances(database), clock=passing, owner=work.owner)
    editing = Editing(edits, edits, replies, room.interrupts)
    desk = await stack.enter_async_context(Desk(Hearing(queue, ear), answering, stores, editing, work))
    targets = {each.name: target(each, settings) for each in settings.collections}
    return App(
        desk,
        terminal,
        catalog,
        digests,
        sync,
        targets,
        SqlTurnLog(database),
        passing,
        upkeep(settings, database, sync, targets),
        carding.record,
        quotes=settings.models.family("write") == "local",
        changes=Changes(asked, analyzer.name, index.read_by),
    )


async def _runs(stack: AsyncExitStack, settings: Settings) -> Runs:
    """Runs that pay for models are written down, so that a killed process pays nothing twice."""
    from core.rag.graph import Runs

    chosen = settings.models.checkpoints
    if chosen == "off" or (chosen == "auto" and not settings.models.written_by_model):
        return Runs()
    from adapters.checkpoints import sqlite_checkpoints

    saver = await stack.enter_async_context(sqlite_checkpoints(settings.data_dir / "runs.db"))
    return Runs(saver, "async" if chosen == "auto" else chosen)


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


def _clock(settings: Settings) -> Clock:
    """The day of a run; leases and timestamps keep the clock that passes."""
    if settings.now is None:
        return SystemClock()
    return FixedClock(datetime.combine(settings.now, time(12)))
