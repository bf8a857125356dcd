"""Small passages and scopes, and exact reference results to hold an index against."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import numpy as np

from adapters.local.hashing import HashingEmbedder
from core.documents import Generation, Passage, Scope, passage_id
from core.ports import Analyzer, IndexEntry, LexicalIndex, PassageArchive, PassageStore, VectorIndex
from core.retrieval.analysis import BigramAnalyzer

ANALYZER: Analyzer = BigramAnalyzer()
EMBEDDER = HashingEmbedder(64)


class PassageIndex(PassageStore, PassageArchive, Protocol):
    """Both ports of passages."""


@dataclass
class Index:
    """One implementation of the index ports, open."""

    vectors: VectorIndex
    lexical: LexicalIndex
    passages: PassageIndex

    async def put(self, *passages: Passage, embedding: str = "hashing-64") -> None:
        """Store passages with vectors and words."""
        rows = await EMBEDDER.embed([p.headed_text for p in passages], "passage")
        entries = [IndexEntry(p, row) for p, row in zip(passages, rows, strict=True)]
        for collection in dict.fromkeys(p.collection for p in passages):
            own = [entry for entry in entries if entry.passage.collection == collection]
            await self.vectors.upsert(collection, embedding, own)
            await self.lexical.upsert(collection, embedding, own)

    async def drop(self, collection: str, *versions: tuple[str, str]) -> None:
        """Remove versions from both lists."""
        await self.vectors.remove(collection, versions)
        await self.lexical.remove(collection, versions)

    async def meaning(self, scope: Scope, question: str, limit: int = 10) -> list[str]:
        """Ids by the dense list."""
        (hits,) = await self.vectors.search(scope, await EMBEDDER.embed([question], "query"), limit)
        return [hit.passage_id for hit in hits.hits]

    async def words(self, scope: Scope, question: str, limit: int = 10) -> list[str]:
        """Ids by the lexical list."""
        return [hit.passage_id for hit in (await self.lexical.search(scope, question, limit)).hits]


def passage(
    text: str,
    document: str = "a.md",
    *,
    version: str = "1",
    collection: str = "docs",
    language: str = "en",
    position: int = 0,
    title: str = "",
) -> Passage:
    """A passage without headings."""
    return Passage(
        passage_id(collection, document, (), text, 0),
        collection,
        document,
        version,
        title,
        (),
        text,
        position,
        language,
    )


def scope(documents: Mapping[str, str], collection: str = "docs", embedding: str = "") -> Scope:
    """A scope of one collection that publishes these documents by hash; other documents, another number."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    number = zlib.crc32(repr((sorted(documents.items()), embedding)).encode())
    return Scope((Generation(collection, number, embedding or EMBEDDER.name, dict(documents), "", now),))


def bm25(passages: Sequence[Passage], question: str) -> dict[str, float]:
    """BM25 by the book: k1 1.2, b 0.75, idf that is never negative."""
    bags = {p.id: Counter(ANALYZER.tokens(p.headed_text)) for p in passages}
    average = sum(map(Counter.total, bags.values())) / len(bags)
    scores = dict.fromkeys(bags, 0.0)
    for token, times in Counter(ANALYZER.tokens(question)).items():
        holding = sum(token in bag for bag in bags.values())
        idf = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
        for id_, bag in bags.items():
            norm = 1.2 * (0.25 + 0.75 * bag.total() / average)
            scores[id_] += times * idf * bag[token] * 2.2 / (bag[token] + norm)
    return scores


def moments(values: Sequence[float]) -> tuple[float, float]:
    """Mean and deviation."""
    return float(np.mean(values)), float(np.std(values))
