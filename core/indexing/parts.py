"""What a sync works with and how it is set: its ports, its target, its limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from core.catalog.alarms import Alarm
from core.catalog.tested import SelfTest
from core.documents import Card, Digest, DocumentRecord, Generation, Parsed, Passage, SourceEntry
from core.ports import (
    Catalog,
    Clock,
    Digests,
    DocumentSource,
    Embedder,
    LexicalIndex,
    PassageArchive,
    PassageStore,
    Publisher,
    Splitter,
    VectorIndex,
)

Settling = Callable[[str], Awaitable[None]]
"""Waits until what was written to the collection is visible to its readers; raises UpstreamError."""

Reader = Callable[[bytes, SourceEntry], Awaitable[Parsed]]
"""A document's bytes as text, without blocking the loop; raises ParseError."""

Admission = Callable[[SourceEntry], None]
"""Raises ParseError for a document that the reader would refuse whatever is in it."""


class PassageIndex(PassageStore, PassageArchive, Protocol):
    """What a sync asks of the passages that are stored."""


class CardMaker(Protocol):
    """The Cards that a new generation brings about."""

    async def make(
        self,
        generation: Generation,
        records: Sequence[DocumentRecord],
        passages: AsyncIterator[Sequence[Passage]],
    ) -> tuple[Digest, Sequence[Card]]:
        """The collection's statistics, and the Cards of every collection that they change."""
        ...

    async def is_current(self, collection: str) -> bool:
        """Whether the published Card says what the configuration says of the collection."""
        ...


@dataclass(frozen=True, slots=True)
class Examined:
    """What came of testing the router. `test` is None where nothing had to be asked anew."""

    test: SelfTest | None
    alarms: tuple[Alarm, ...] = ()


class Exam(Protocol):
    """Tests the router on the Cards that a new generation brings about, before it is published."""

    async def examine(self, generation: Generation, changed: Sequence[Card]) -> Examined:
        """What came of it; may raise anything: a sync goes on without."""
        ...


@dataclass(frozen=True, slots=True)
class SyncTarget:
    """A collection, where its documents come from, and the template of its links (``…/{path}#{anchor}``)."""

    collection: str
    source: DocumentSource
    link: str | None = None


@dataclass(frozen=True, slots=True)
class SyncPorts:
    """Everything a sync works with. `settle` is None where the index shows at once what was written.

    Without an `exam` the router is not tested; without `admit` every document is fetched.
    """

    read: Reader
    splitter: Splitter
    embedder: Embedder
    vectors: VectorIndex
    lexical: LexicalIndex
    passages: PassageIndex
    catalog: Catalog
    digests: Digests
    publisher: Publisher
    cards: CardMaker
    clock: Clock
    settle: Settling | None = None
    exam: Exam | None = None
    admit: Admission | None = None


@dataclass(frozen=True, slots=True)
class SyncSettings:
    """`recipe` names the versions of parsers, splitter and analyzer. `grace` must outlast any run that reads.

    `wait` is how long to stand in line for a collection that another process is syncing. Of documents so many are
    read at once, and of large ones fewer: two such batches are in memory. Of one document only the first `max_passages`
    are taken in.
    """

    recipe: str = "1"
    grace: timedelta = timedelta(minutes=2)
    lease: timedelta = timedelta(seconds=60)
    wait: timedelta = timedelta(0)
    readers: int = 4
    documents_at_once: int = 32
    bytes_at_once: int = 32 * 2**20
    passages_at_once: int = 128
    max_passages: int = 5000
