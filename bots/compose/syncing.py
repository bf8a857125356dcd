"""What keeps a collection true, put together: sources, parsers, index, catalog, Cards."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from adapters.clock import SystemClock
from bots.compose.embedding import analyzer_of
from core.ports import Catalog, Digests, Publisher

if TYPE_CHECKING:
    from adapters.parsers.reading import DocumentReader
    from adapters.slack.budget import Budget
    from adapters.sql.database import Database
    from bots.compose.carding import Carding
    from bots.compose.embedding import Embedders
    from bots.compose.index import Indexes
    from bots.settings import CollectionSettings, Settings
    from core.indexing.parts import SyncTarget
    from core.indexing.sync import Syncer

SyncStores = tuple[Catalog, Digests, Publisher]

RECIPE = "parsers-3/splitter-2"
"""Raise it when parsers or splitter give other texts or read what they refused: every document is then read again."""


def syncer(
    settings: Settings,
    index: Indexes,
    embedders: Embedders,
    stores: SyncStores,
    reader: DocumentReader,
    *,
    carding: Carding,
) -> Syncer:
    """The syncer of all collections."""
    from adapters.parsers.splitter import MarkdownSplitter
    from core.catalog.cards import Cards
    from core.indexing.carding import CatalogCards
    from core.indexing.hinting import HintedCards
    from core.indexing.parts import SyncPorts, SyncSettings
    from core.indexing.sync import Syncer

    catalog, digests, publisher = stores
    titles = {each.name: each.title for each in settings.collections}
    hints = {each.name: each.hint for each in settings.collections}
    # Passages are composed of their opening and their whole; Cards and questions are embedded as they are.
    ports = SyncPorts(
        read=reader.read,
        splitter=MarkdownSplitter(),
        embedder=embedders.passages,
        vectors=index.vectors,
        lexical=index.lexical,
        passages=index.passages,
        catalog=catalog,
        digests=digests,
        publisher=publisher,
        cards=HintedCards(
            lambda said: CatalogCards(catalog, digests, Cards(embedders.local, carding.questions), titles, said),
            hints,
            carding.hints,
        ),
        clock=SystemClock(),
        settle=index.settle,
        exam=carding.exam,
        admit=reader.admit,
    )
    # A collection that somebody else is syncing is worth a short wait: what comes out is the same. The wait is
    # longer than the lease, so that a sync that was killed keeps nobody from going on where it was.
    recipe = f"{RECIPE}/{analyzer_of(settings).name}{settings.index.recipe}{settings.ingest.recipe}"
    lease, wait, most = timedelta(seconds=20), timedelta(seconds=30), settings.ingest.max_passages
    return Syncer(ports, SyncSettings(recipe, lease=lease, wait=wait, max_passages=most))


def target(
    collection: CollectionSettings, settings: Settings, database: Database, budget: Budget | None = None
) -> SyncTarget:
    """One collection and where its documents come from; raises ConfigError."""
    from bots.compose.sources import source_of
    from core.indexing.parts import SyncTarget

    # A repository's files are linked by the source: only it knows the commit.
    link = collection.link if collection.kind != "git" else ""
    source = source_of(collection, settings, _bytes(settings), database, budget)
    return SyncTarget(collection.name, source, link or None)


def _bytes(settings: Settings) -> int:
    return int(settings.ingest.max_file_mb * 2**20)
