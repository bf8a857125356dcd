"""What every process of a desk has, whoever it talks to: record, index, catalog, steps, what keeps collections true."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapters.clock import SystemClock
from adapters.memory.shelf import MemoryShelf
from adapters.slack.budget import Budget
from bots.compose.access import Doors, doors
from bots.compose.embedding import Embedders, analyzer_of, embeddings
from core.metering import Meter
from core.ports import Clock, RouterRecord, RunPassages, WebSearch

if TYPE_CHECKING:
    from adapters.sql.database import Database
    from bots.compose.index import Indexes
    from bots.compose.models import Models
    from bots.settings import Settings
    from bots.upkeep import Upkeep
    from core.desk.answer import Room, Stores
    from core.indexing.changes import Changes
    from core.indexing.parts import SyncTarget
    from core.indexing.sync import Syncer
    from core.rag.context import StepsFor
    from core.rag.graph import Runs


@dataclass(frozen=True, slots=True)
class Base:
    """Opened and ready; nothing runs yet."""

    settings: Settings
    database: Database
    index: Indexes
    stores: Stores
    gates: Doors
    room: Room
    steps: StepsFor
    shelf: RunPassages
    syncer: Syncer
    targets: Mapping[str, SyncTarget]
    upkeep: Upkeep
    router: RouterRecord
    changes: Changes
    meter: Meter = field(default_factory=Meter)
    slack_budget: Budget = field(default_factory=Budget)
    """One for all that this process calls at Slack."""


async def opened_base(
    stack: AsyncExitStack, settings: Settings, embedders: Embedders, clock: Clock, models: Models | None = None
) -> Base:
    """Open until the stack is closed; `models` in place of those that the settings name.

    Raises StoreError, ConfigError, UpstreamError.
    """
    from adapters.sql.catalog import SqlCatalog, SqlDigests
    from adapters.sql.database import Database
    from adapters.sql.publisher import SqlPublisher
    from adapters.sql.sessions import SqlSessions
    from adapters.sql.shelf import SqlShelf
    from adapters.sql.turns import SqlTurnEdits, SqlTurnQueue, SqlTurnRecord
    from bots.compose.carding import carding_of
    from bots.compose.index import opened_index
    from bots.compose.models import opened_models
    from bots.compose.reading import opened_reader
    from bots.compose.steps import Parts, steps_for
    from bots.compose.syncing import syncer, target
    from bots.compose.telemetry import opened_tracer
    from bots.compose.upkeep import upkeep
    from core.desk.answer import Room, Stores
    from core.indexing.changes import Changes
    from core.metering import Metered
    from core.rag.watched import WatchedSearcher, WatchedWeb
    from core.retrieval.search import Retriever

    analyzer, passing = analyzer_of(settings), SystemClock()
    index = await opened_index(stack, settings, embedders.passages, analyzer)
    database = await stack.enter_async_context(Database(settings.record_url, passing))
    meter = Meter()
    tracer = Metered(await opened_tracer(stack, settings), meter)
    asked = embeddings(stack, settings, embedders)
    retriever = Retriever(index.vectors, index.lexical, index.passages, embedders.questions, analyzer, embeddings=asked)
    web, models = await _web(stack, settings), models or await opened_models(stack, settings.models)
    runs = await _runs(stack, settings)
    shelf: RunPassages = SqlShelf(database) if runs.resumes else MemoryShelf()
    searcher, watched = WatchedSearcher(retriever, tracer), WatchedWeb(web, tracer) if web else None
    parts = Parts(embedders, analyzer, searcher, shelf, watched, models, settings.models, settings.rules)
    steps, gates = steps_for(parts), doors(settings, database, passing)
    catalog, digests = SqlCatalog(database), SqlDigests(database)
    carding = carding_of(settings, database, steps, models, gates.access.hints)
    reader = await opened_reader(stack, settings)
    sync = syncer(settings, index, embedders, (catalog, digests, SqlPublisher(database)), reader, carding=carding)
    budget = Budget()
    targets = {each.name: target(each, settings, database, budget) for each in settings.collections}
    return Base(
        settings,
        database,
        index,
        Stores(SqlTurnQueue(database), SqlTurnRecord(database), SqlSessions(database), catalog),
        gates,
        Room(
            settings.rules,
            gates.access,
            clock,
            runs,
            tracer=tracer,
            stops=SqlTurnEdits(database),
            language=settings.language,
            staff=gates.staff,
        ),
        steps,
        shelf,
        sync,
        targets,
        upkeep(settings, database, sync, targets),
        carding.record,
        Changes(asked, analyzer.name, index.read_by),
        meter,
        budget,
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
