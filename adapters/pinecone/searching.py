"""Searches in the namespaces of a scope, their hits held against the pinned versions. Writes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Any

import numpy as np

from adapters.pinecone.latest import Latest
from adapters.pinecone.names import Pins, namespace
from adapters.pinecone.probe import MOST, Probe, Probes, moments
from core.documents import Generation, Scope
from core.errors import StoreError
from core.ports import Hit, Hits, Vectors

if TYPE_CHECKING:
    from adapters.pinecone.service import Service
    from adapters.pinecone.space import Space

FILTERED = 500
"""A filter names at most so many versions; beyond that only what comes back is held against the pins."""
_WIDER = 4


@dataclass(frozen=True, slots=True)
class _Part:
    """What one namespace gave: for each question its hits."""

    hits: list[list[Hit]]
    probe: Probe


class Searcher:
    """Searches through one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._probes = Probes()
        self._pins: Latest[Pins] = Latest()

    async def close(self) -> None:
        """End what is still being loaded."""
        await self._probes.close()

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> list[Hits]:
        """For each row the best hits over all collections of the scope, and the moments of its scores."""
        generations = [generation for generation in scope.generations if generation.documents]
        embeddings = sorted({generation.embedding for generation in generations})
        if len(embeddings) > 1:
            raise StoreError("error.embedding_mixed", embeddings=", ".join(embeddings))
        parts = await asyncio.gather(*(self._part(generation, vectors, limit) for generation in generations))
        return [_merged(parts, number, vector, limit) for number, vector in enumerate(vectors)]

    async def _part(self, generation: Generation, vectors: Vectors, limit: int) -> _Part:
        space = await self._service.space(namespace(generation.collection, generation.embedding))
        if space is None:
            return _Part([[] for _ in vectors], {})
        if space.dimension != vectors.shape[1]:
            raise StoreError(
                "error.embedding", embedding=generation.embedding, stored=space.dimension, asked=vectors.shape[1]
            )
        directed = next((vector for vector in vectors if vector.any()), None)
        if directed is None:
            return _Part([[] for _ in vectors], {})
        pins = self._pins.get(generation.collection, generation, lambda: Pins.of(generation))
        probe, hits = await asyncio.gather(
            self._probes.of(space, pins, directed),
            asyncio.gather(*(self._hits(space, pins, vector, limit) for vector in vectors)),
        )
        return _Part(hits, probe)

    async def _hits(self, space: Space, pins: Pins, vector: Vectors, limit: int) -> list[Hit]:
        """The best published records; asked for more where versions that are not published stand before them."""
        if not vector.any() or limit < 1:
            return []
        values, only, size = vector.tolist(), _filter(pins), min(limit, MOST)
        while True:
            found = await space.search(values, size, only)
            hits = _published(found.records, pins)
            if len(hits) >= limit or len(found.records) < size or size >= MOST:
                return hits[:limit]
            size = min(size * _WIDER, MOST)


def _filter(pins: Pins) -> Mapping[str, Any] | None:
    if len(pins.versions) > FILTERED:
        return None
    return {"version": {"$in": list(pins.versions)}}


def _published(records: Iterable[tuple[str, float]], pins: Pins) -> list[Hit]:
    """The hits that count, best first, each passage once."""
    collection, hits, seen = pins.generation.collection, [], set()
    for id_, score in records:
        _, version, language, passage = id_.split(":", 3)
        pinned = pins.versions.get(version)
        if pinned is not None and passage not in seen:
            seen.add(passage)
            hits.append(Hit(passage, collection, *pinned, language, score))
    return hits


def _merged(parts: Sequence[_Part], number: int, vector: Vectors, limit: int) -> Hits:
    hits = [hit for part in parts for hit in part.hits[number]]
    if len(parts) > 1:
        hits = nlargest(limit, hits, key=lambda hit: hit.score)
    direction = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return Hits(tuple(hits), moments([part.probe for part in parts], direction))
