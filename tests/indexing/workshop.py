"""A whole sync over small real parts: a source in memory, plain Markdown, the embedded index, a catalog in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np

from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryDigests, MemoryPublisher
from core.documents import (
    Card,
    Digest,
    DocumentRecord,
    Generation,
    Listing,
    Parsed,
    Passage,
    Piece,
    Problem,
    Readable,
    Scope,
    SourceEntry,
)
from core.errors import ParseError
from core.indexing.parts import SyncPorts, SyncSettings, SyncTarget
from core.indexing.report import SyncReport
from core.indexing.sync import Syncer
from core.ports import Publication, Publisher, Vectors
from core.retrieval.analysis import BigramAnalyzer

EVERYTHING = Readable(frozenset({"docs"}))


@dataclass
class MovingClock:
    """A clock that tests move."""

    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_by(self, time: timedelta) -> None:
        self.at += time


@dataclass
class MemorySource:
    """Documents in memory; `fetched` tells which were read."""

    files: dict[str, bytes] = field(default_factory=dict)
    complete: bool = True
    problems: tuple[Problem, ...] = ()
    fetched: list[str] = field(default_factory=list)
    touched: int = 0

    def write(self, name: str, text: str) -> None:
        self.files[name] = text.encode()

    async def list(self) -> Listing:
        entries = tuple(
            SourceEntry(name, f"{hash(data)}/{self.touched}", len(data), "text/markdown")
            for name, data in self.files.items()
        )
        return Listing(entries, self.complete, self.problems)

    async def fetch(self, entry: SourceEntry) -> bytes:
        self.fetched.append(entry.id)
        return self.files[entry.id]


async def read(data: bytes, entry: SourceEntry) -> Parsed:
    """A first line is the title; BROKEN can't be read, BUG makes the parser fail, PARTLY calls for a remark."""
    text = data.decode()
    if "BROKEN" in text:
        raise ParseError("parse.scanned")
    if "BUG" in text:
        raise ZeroDivisionError
    title, _, body = text.partition("\n")
    return Parsed(title, body, notes=("parse.note_pages_empty 2, 3",) if "PARTLY" in text else ())


class Paragraphs:
    """A paragraph is a piece."""

    def split(self, document: Parsed) -> Sequence[Piece]:
        return [Piece(text, (), "", 0) for text in document.text.split("\n\n") if text.strip()]


class CountingEmbedder(HashingEmbedder):
    """Keeps the texts it was given; `fail_after` texts it fails as a killed process would."""

    def __init__(self, name: str = "hashing-64") -> None:
        super().__init__(64)
        self.texts: list[str] = []
        self.fail_after: int | None = None
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        if self.fail_after is not None and len(self.texts) + len(texts) > self.fail_after:
            raise ConnectionResetError
        self.texts.extend(texts)
        return np.asarray(await super().embed(texts, kind))


class PlainCards:
    """The simplest Card: how many documents."""

    async def make(
        self, generation: Generation, records: Sequence[DocumentRecord], passages: AsyncIterator[Sequence[Passage]]
    ) -> tuple[Digest, Sequence[Card]]:
        count = sum([len(batch) async for batch in passages])
        name = generation.collection
        card = Card(name, f"v{generation.number}", name, documents=len(records), passages=count)
        return Digest(name, len(records)), [card]

    async def is_current(self, collection: str) -> bool:
        return True


@dataclass
class Workshop:
    """Everything a sync needs, and short ways to look at its result."""

    index: EmbeddedIndex
    stored: MemoryCollections
    clock: MovingClock
    embedder: CountingEmbedder
    source: MemorySource = field(default_factory=MemorySource)
    settings: SyncSettings = field(default_factory=SyncSettings)
    link: str | None = None
    publisher: Publisher | None = None

    @property
    def ports(self) -> SyncPorts:
        return SyncPorts(
            read=read,
            splitter=Paragraphs(),
            embedder=self.embedder,
            vectors=self.index.vectors,
            lexical=self.index.lexical,
            passages=self.index.passages,
            catalog=MemoryCatalog(self.stored),
            digests=MemoryDigests(self.stored),
            publisher=self.publisher or MemoryPublisher(self.stored),
            cards=PlainCards(),
            clock=self.clock,
        )

    @property
    def target(self) -> SyncTarget:
        return SyncTarget("docs", self.source, self.link)

    async def sync(self) -> SyncReport:
        return await Syncer(self.ports, self.settings).sync(self.target)

    async def scope(self) -> Scope:
        return await MemoryCatalog(self.stored).pin(EVERYTHING)

    async def found(self, words: str) -> list[str]:
        """The texts that the lexical list finds, sorted; the dense list must publish the same passages."""
        scope = await self.scope()
        hits = (await self.index.lexical.search(scope, words, 100)).hits
        passages = await self.index.passages.get(scope, [hit.passage_id for hit in hits])
        return sorted(passage.text for passage in passages.values())

    async def published(self) -> list[Passage]:
        """All passages of the current generation."""
        return [p async for batch in self.index.passages.read(await self.scope()) for p in batch]


class DyingPublisher(MemoryPublisher):
    """Fails at the moment of publishing."""

    async def publish(self, publication: Publication) -> None:
        raise ConnectionResetError


@asynccontextmanager
async def workshop(path: Path) -> AsyncIterator[Workshop]:
    """A workshop with an empty index."""
    clock = MovingClock()
    async with EmbeddedIndex(path, BigramAnalyzer()) as index:
        yield Workshop(index, MemoryCollections(clock), clock, CountingEmbedder())
