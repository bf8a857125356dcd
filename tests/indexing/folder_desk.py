"""A desk that only syncs one folder, repository or website: real stores, real jobs, a small embedder.

Also run as processes of their own.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

import numpy as np

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from adapters.parsers.registry import ParserRegistry
from adapters.parsers.splitter import MarkdownSplitter
from adapters.sources.bounds import Rules
from adapters.sources.folder import FolderSource
from adapters.sources.git import GitOptions, GitSource
from adapters.sources.git_remote import remote
from adapters.sources.visiting import Manners
from adapters.sources.website import WebsiteSource
from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.database import Database, sqlite_url
from adapters.sql.jobs import SqlJobEdits, SqlJobQueue, SqlJobRecord
from adapters.sql.publisher import SqlPublisher
from core.catalog.cards import Cards
from core.desk.following import Following
from core.desk.reindex import Reindexing, Wish
from core.desk.running import JobRunner
from core.documents import Parsed, Readable, SourceEntry
from core.indexing.carding import CatalogCards
from core.indexing.parts import SyncPorts, SyncSettings, SyncTarget
from core.indexing.report import Progress, SyncReport
from core.indexing.sync import Syncer
from core.jobs import Asker, Job
from core.ports import DocumentSource, Vectors
from core.retrieval.analysis import BigramAnalyzer
from core.web.addresses import address
from core.web.reach import reach

DOCS = Readable(frozenset({"docs"}))


@dataclass(frozen=True)
class Place:
    """A folder of documents, where its index is kept, and how long an embedding takes.

    `origin` is a source as it stands in the settings, where it is another than the folder.
    """

    folder: Path
    data: Path
    pause: float = 0.0
    origin: str = ""

    @property
    def log(self) -> Path:
        """What was read and embedded, by whichever process."""
        return self.data / "work.log"

    def note(self, line: str) -> None:
        """One line, whole, also when several processes write."""
        with self.log.open("a", encoding="utf-8") as log:
            log.write(line + "\n")

    def noted(self, what: str) -> list[str]:
        """What stands in the log after the word."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        return [line.removeprefix(f"{what} ") for line in lines if line.startswith(what)]


class SlowEmbedder(HashingEmbedder):
    """Takes its time, and notes what it was given."""

    def __init__(self, place: Place) -> None:
        super().__init__(32)
        self._place = place

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """The rows."""
        await asyncio.sleep(self._place.pause)
        for text in texts:
            self._place.note(f"embedded {text.splitlines()[-1]}")
        return np.asarray(await super().embed(texts, kind))


class NotingSource(FolderSource):
    """Notes which documents were read."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.folder, ("**/*",), (), 2**20)
        self._place = place

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The bytes."""
        self._place.note(f"fetched {entry.id}")
        return await super().fetch(entry)


def source_of(place: Place) -> DocumentSource:
    """Where the documents come from."""
    kind, _, where = place.origin.partition(":")
    copy, allowed = place.data / "copy", reach(["127.0.0.1"])
    if kind == "git":
        environment = {"PATH": os.environ["PATH"], "HOME": str(place.data)}
        return GitSource(remote(where), copy, GitOptions(include=("*.md",)), allowed, environment=environment)
    if kind == "website":
        start = address(where)
        assert start is not None
        return WebsiteSource(start, copy, Rules(), Manners(per_second=10_000.0), allowed)
    return NotingSource(place)


async def read(data: bytes, entry: SourceEntry) -> Parsed:
    return await asyncio.to_thread(ParserRegistry().parse, data, entry)


@dataclass(frozen=True)
class FolderDesk:
    """What a process works with."""

    reindexing: Reindexing
    runner: JobRunner
    following: Following

    async def sync(self, asker: str) -> Job:
        """Ask, run here unless another process does, follow."""
        with self.following.open() as followed:
            (asked,) = await self.reindexing.ask(Wish(Asker(asker), ("docs",)), DOCS, lambda _: True)
            async with self.runner.running(DOCS.collections):
                return await followed.end_of(asked.job, lambda _: None)


@asynccontextmanager
async def opened(place: Place, begun: Connection | None = None) -> AsyncIterator[FolderDesk]:
    """A desk; `begun` hears when a sync begins."""
    async with AsyncExitStack() as stack:
        clock = SystemClock()
        index = await stack.enter_async_context(EmbeddedIndex(place.data / "index.db", BigramAnalyzer()))
        database = await stack.enter_async_context(Database(sqlite_url(place.data / "refdesk.db"), clock))
        embedder, catalog, digests = SlowEmbedder(place), SqlCatalog(database), SqlDigests(database)
        ports = SyncPorts(
            read=read,
            splitter=MarkdownSplitter(),
            embedder=embedder,
            vectors=index.vectors,
            lexical=index.lexical,
            passages=index.passages,
            catalog=catalog,
            digests=digests,
            publisher=SqlPublisher(database),
            cards=CatalogCards(catalog, digests, Cards(HashingEmbedder(32)), {}, {}),
            clock=clock,
        )
        settings = SyncSettings(grace=timedelta(0), wait=timedelta(seconds=30), documents_at_once=3, passages_at_once=4)
        syncer, target = Syncer(ports, settings), SyncTarget("docs", source_of(place))

        async def work(name: str, progress: Progress) -> SyncReport:
            if begun is not None:
                begun.send("begun")
            return await syncer.sync(target, progress)

        queue, record = SqlJobQueue(database), SqlJobRecord(database)
        runner = JobRunner((queue, record, SqlJobEdits(database)), work, f"process-{os.getpid()}")
        yield FolderDesk(Reindexing(queue, ["docs"], clock), runner, Following(record, runner))


async def sync(place: Place, asker: str = "test", begun: Connection | None = None) -> Job:
    """One sync from beginning to end."""
    async with opened(place, begun) as desk:
        return await desk.sync(asker)


def as_process(place: Place, asker: str, begun: Connection) -> None:
    """The same in a process of its own."""
    asyncio.run(sync(place, asker, begun))


def let_the_leases_run_out(place: Place) -> None:
    """As some seconds without a sign of life do."""
    with closing(sqlite3.connect(place.data / "refdesk.db", timeout=30)) as record, record:
        record.execute("UPDATE jobs SET lease_until = datetime('now', '-1 hour') WHERE status = 'running'")
        record.execute("UPDATE sync_locks SET lease_until = datetime('now', '-1 hour')")


async def contents(place: Place) -> dict[str, Any]:
    """All that is stored of the documents, under names that two builds share."""
    with closing(sqlite3.connect(place.data / "index.db")) as index:
        passages = index.execute("SELECT * FROM placed ORDER BY document, hash, position, name").fetchall()
        vectors = index.execute(
            "SELECT p.name, e.name, v.vector FROM vectors v JOIN passages p ON p.id = v.passage"
            " JOIN embeddings e ON e.id = v.embedding ORDER BY p.name"
        ).fetchall()
        words = index.execute(
            "SELECT p.name, w.analyzer, w.codes, w.counts FROM words w JOIN passages p ON p.id = w.passage ORDER BY 1"
        ).fetchall()
        identifiers = index.execute("SELECT words FROM identifiers ORDER BY words").fetchall()
        texts = index.execute("SELECT name, text FROM passages ORDER BY name").fetchall()
        versions = index.execute("SELECT document, hash, embedding FROM versions ORDER BY 1, 2").fetchall()
    return {
        "passages": passages,
        "vectors": vectors,
        "words": words,
        "identifiers": identifiers,
        "texts": texts,
        "versions": versions,
        **await _record(place),
    }


async def _record(place: Place) -> dict[str, Any]:
    async with Database(sqlite_url(place.data / "refdesk.db"), SystemClock()) as database:
        catalog, digests = SqlCatalog(database), SqlDigests(database)
        (generation,) = (await catalog.pin(DOCS)).generations
        return {
            "documents": dict(await catalog.documents("docs")),
            "cards": [replace(card, updated=None) for card in await catalog.cards(DOCS)],
            "digests": list(await digests.digests()),
            "problems": list(await digests.problems("docs")),
            "generation": (generation.embedding, dict(generation.documents), generation.card_version),
        }
