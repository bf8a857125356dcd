"""A small real index in memory: VectorIndex, LexicalIndex and PassageStore in one, exact, with moments."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from core.documents import Generation, Passage, Scope, passage_id
from core.ports import Analyzer, Hit, Hits, IndexEntry, Moments, Vectors


class MemoryIndex:
    """Built once from passages and their vectors; the scope is not narrowed further than by collection."""

    def __init__(self, passages: Sequence[Passage], vectors: Vectors, analyzer: Analyzer) -> None:
        self.rows = list(passages)
        self.vectors = vectors
        self._analyzer = analyzer
        self._languages = np.array([p.language for p in self.rows])
        self._collections = np.array([p.collection for p in self.rows])
        self._lists = _postings([analyzer.tokens(p.headed_text) for p in self.rows])

    def words(self) -> Words:
        """The lexical side."""
        return Words(self)

    def scope(self) -> Scope:
        """Everything that is in here."""
        return scope_of(self.rows)

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        raise NotImplementedError

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        raise NotImplementedError

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        return [self.hits(scope, np.asarray(row, dtype=np.float64), limit) for row in vectors @ self.vectors.T]

    async def get(self, scope: Scope, ids: Sequence[str]) -> Mapping[str, Passage]:
        wanted = set(ids)
        return {p.id: p for p in self.rows if p.id in wanted and p.collection in scope.collections}

    async def known(self, collection: str, ids: Sequence[str], embedding: str = "") -> frozenset[str]:
        return frozenset(p.id for p in self.rows if p.collection == collection) & frozenset(ids)

    async def exact(self, scope: Scope, terms: Sequence[str], limit: int) -> Sequence[str]:
        wanted = [term.casefold() for term in terms]
        found = (
            p.id
            for p in self.rows
            if p.collection in scope.collections
            and any(term in f"{p.headed_text}\n{p.document_id}".casefold() for term in wanted)
        )
        return list(found)[:limit]

    def lexical_scores(self, tokens: Iterable[str]) -> tuple[NDArray[np.float64], dict[str, float]]:
        """BM25 of all passages, and the idf of the tokens."""
        scores = np.zeros(len(self.rows))
        weights: dict[str, float] = {}
        for token in dict.fromkeys(tokens):
            idf, places, values = self._lists.get(token, (math.log(2 * len(self.rows) + 1), [], []))
            weights[token] = idf
            scores[places] += values
        return scores, weights

    def hits(self, scope: Scope, scores: NDArray[np.float64], limit: int, least: float = -np.inf) -> Hits:
        """The best of these scores inside the scope, with the moments of each language."""
        inside = np.isin(self._collections, sorted(scope.collections))
        best = [i for i in np.argsort(-scores, kind="stable") if inside[i] and scores[i] > least][:limit]
        moments = {}
        for language in sorted(set(self._languages[inside])):
            values = scores[inside & (self._languages == language)]
            moments[str(language)] = Moments(float(values.mean()), float(values.std()), len(values))
        return Hits(tuple(self._hit(i, float(scores[i])) for i in best), moments)

    def _hit(self, place: int, score: float) -> Hit:
        p = self.rows[place]
        return Hit(p.id, p.collection, p.document_id, p.document_hash, p.language, score)


class Words:
    """The lexical side of a MemoryIndex."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        raise NotImplementedError

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        raise NotImplementedError

    async def search(self, scope: Scope, query: str, limit: int) -> Hits:
        scores, weights = self._index.lexical_scores(self._index._analyzer.tokens(query))
        found = self._index.hits(scope, scores, limit, least=0.0)
        return Hits(found.hits, found.moments, weights)


def passage(text: str, *, document: str, language: str = "en", title: str = "", collection: str = "docs") -> Passage:
    """A passage as the indexer would make it."""
    return Passage(
        id=passage_id(collection, document, (), text, 0),
        collection=collection,
        document_id=document,
        document_hash="h",
        title=title,
        heading_path=(),
        text=text,
        position=0,
        language=language,
    )


def scope_of(passages: Sequence[Passage]) -> Scope:
    """A scope that pins all of these."""
    documents: dict[str, dict[str, str]] = {}
    for p in passages:
        documents.setdefault(p.collection, {})[p.document_id] = p.document_hash
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Scope(tuple(Generation(name, 1, "test", held, "1", now) for name, held in documents.items()))


def _postings(bags: Sequence[list[str]]) -> dict[str, tuple[float, list[int], list[float]]]:
    """For each token its idf, places and BM25 parts, as SQLite's FTS5 reckons them."""
    lengths = [len(bag) for bag in bags]
    average = sum(lengths) / max(len(bags), 1) or 1.0
    counts: dict[str, list[tuple[int, int]]] = {}
    for place, bag in enumerate(bags):
        for token, count in Counter(bag).items():
            counts.setdefault(token, []).append((place, count))
    lists = {}
    for token, found in counts.items():
        idf = max(1e-6, math.log((len(bags) - len(found) + 0.5) / (len(found) + 0.5)))
        parts = [idf * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * lengths[place] / average)) for place, n in found]
        lists[token] = (idf, [place for place, _ in found], parts)
    return lists
