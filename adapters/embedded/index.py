"""The embedded index: VectorIndex, LexicalIndex and PassageStore over one SQLite file and one matrix in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from adapters.embedded import reading
from adapters.embedded.file import IndexFile
from adapters.embedded.identifiers import holds
from adapters.embedded.readings import Readings
from adapters.embedded.searching import ByMeaning, ByWords, HoldingAll, Searcher
from adapters.embedded.writing import Batch, mismatch, put_vectors, put_words, remove_versions
from core.documents import Passage, Scope
from core.ports import Analyzer, Embedder, Hits, IndexEntry, Vectors

_VERIFIED = 2000
"""Candidates of a verbatim look-up whose text is read."""

_READ_AT_ONCE = 32


class EmbeddedIndex:
    """One file; `async with` opens and closes it. The three ports are its attributes.

    `others` are analyzers that passages may have been read by before: they are found until they are read anew.
    """

    def __init__(self, path: Path, analyzer: Analyzer, others: Sequence[Analyzer] = ()) -> None:
        self._file = IndexFile(path)
        self._searcher = Searcher(path, Readings(analyzer, others))
        self.vectors = EmbeddedVectors(self._file, self._searcher)
        self.lexical = EmbeddedLexical(self._file, self._searcher, analyzer)
        self.passages = EmbeddedPassages(self._file, self._searcher, analyzer)

    async def __aenter__(self) -> Self:
        await self._file.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._searcher.close()
        await self._file.close()

    async def check(self, embedder: Embedder) -> None:
        """Raises StoreError when vectors by the embedder's name are stored with another dimension than its own."""
        stored = (await self._file.read(reading.dimensions)).get(embedder.name, embedder.dimension)
        if stored != embedder.dimension:
            raise mismatch(embedder.name, stored, embedder.dimension)

    async def read_by(self) -> Mapping[str, int]:
        """How many passages have their words by which analyzer."""
        return await self._file.read(reading.analyzers)


class EmbeddedVectors:
    """Passages by meaning."""

    def __init__(self, file: IndexFile, searcher: Searcher) -> None:
        self._file = file
        self._searcher = searcher

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """Add or replace by (passage id, document hash); idempotent."""
        batch = Batch(collection, embedding, entries)
        await self._file.write(lambda connection: put_vectors(connection, batch))

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """Forget these versions, and passages that no version holds any more."""
        await self._file.write(partial(remove_versions, collection=collection, versions=versions))

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        """For each query vector the `limit` best passages that are published in the scope."""
        if not len(vectors):
            return []
        return await self._searcher.hits(ByMeaning(scope, np.asarray(vectors, np.float32), limit))


class EmbeddedLexical:
    """Passages by words."""

    def __init__(self, file: IndexFile, searcher: Searcher, analyzer: Analyzer) -> None:
        self._file = file
        self._searcher = searcher
        self._analyzer = analyzer

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """Add or replace by (passage id, document hash); idempotent."""
        batch = Batch(collection, embedding, entries)
        await self._file.write(lambda connection: put_words(connection, batch, self._analyzer))

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """As the vectors' `remove`: whichever comes second finds nothing left to do."""
        await self._file.write(partial(remove_versions, collection=collection, versions=versions))

    async def search(self, scope: Scope, query: str, limit: int) -> Hits:
        """The `limit` best passages by BM25 over the analyzer's tokens."""
        tokens = self._analyzer.tokens(query)
        found = await self._searcher.hits(ByWords(scope, query, tokens, limit))
        return found[0]


class EmbeddedPassages:
    """Passages by id, verbatim look-ups, and what the file holds."""

    def __init__(self, file: IndexFile, searcher: Searcher, analyzer: Analyzer) -> None:
        self._file = file
        self._searcher = searcher
        self._analyzer = analyzer

    async def get(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Passage]:
        """The published ones among `ids`, in the version pinned by the scope."""
        if not ids:
            return {}
        return await self._file.read(partial(reading.published, scope=scope, ids=list(dict.fromkeys(ids))))

    async def known(self, collection: str, ids: Sequence[str], embedding: str = "") -> frozenset[str]:
        """Which of these passages already have a vector of this embedding (``""``: of any)."""
        return await self._file.read(partial(reading.known, collection=collection, ids=list(ids), embedding=embedding))

    async def exact(self, scope: Scope, terms: Sequence[str], limit: int) -> Sequence[str]:
        """Ids of passages that hold a term verbatim: in headings or text first, then by title or file name."""
        candidates: dict[str, None] = {}
        names = sorted(scope.collections)
        for term in terms:
            found = await self._file.read(partial(reading.holding_identifier, term=term, collections=names))
            plain = HoldingAll(scope, term, self._analyzer.tokens(term), _VERIFIED)
            candidates.update(dict.fromkeys([*found, *await self._searcher.ids(plain)]))
        passages = await self.get(scope, list(candidates))
        return await self._file.read(lambda _: _verified(list(passages.values()), terms)[:limit])

    async def versions(self, collection: str) -> Sequence[tuple[str, str]]:
        """Every (document id, document hash) the file holds, published or not."""
        return await self._file.read(partial(reading.versions, collection=collection))

    async def read(self, scope: Scope) -> AsyncIterator[Sequence[Passage]]:
        """All published passages, a few documents at a time, each document's in reading order."""
        for generation in scope.generations:
            wanted = sorted(generation.documents.items())
            for start in range(0, len(wanted), _READ_AT_ONCE):
                part = wanted[start : start + _READ_AT_ONCE]
                yield await self._file.read(
                    partial(reading.version_passages, collection=generation.collection, wanted=part)
                )


def _verified(passages: Sequence[Passage], terms: Sequence[str]) -> list[str]:
    def place(passage: Passage) -> int:
        """2: the term stands in the passage itself, 1: in title or path, 0: nowhere."""
        own = [*passage.heading_path, passage.text]
        around = [passage.title, passage.document_id]
        return max((2 if holds(own, term) else int(holds(around, term)) for term in terms), default=0)

    ranked = sorted((-place(p), p.collection, p.document_id, p.position, p.id) for p in passages)
    return [row[-1] for row in ranked if row[0]]
