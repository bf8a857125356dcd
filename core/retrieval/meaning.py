"""The dense side of a search: each generation's vectors are compared with questions of its own embedder.

Knows the ports of the index and nothing of words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.documents import Scope
from core.ports import Embedder, Hits, VectorIndex
from core.retrieval.embeddings import Embeddings
from core.retrieval.merging import merged

Lists = Sequence[Hits]


@dataclass(frozen=True, slots=True)
class Meanings:
    """For each wording a dense list; and the collections whose vectors nobody could compare the question with."""

    lists: Lists
    lost: frozenset[str] = frozenset()


class Meaning:
    """Without `embeddings` every generation counts as `embedder`'s."""

    def __init__(self, vectors: VectorIndex, embedder: Embedder, embeddings: Embeddings | None) -> None:
        self._vectors = vectors
        self._embedder = embedder
        self._embeddings = embeddings

    async def search(self, scope: Scope, texts: Sequence[str], limit: int) -> Meanings:
        """The `limit` best hits for each of the texts. Nearly always there is one embedding: one product."""
        if self._embeddings is None:
            return Meanings(await self._vectors.search(scope, await self._embedder.embed(texts, "query"), limit))
        parts = scope.by_embedding()
        found = await asyncio.gather(*(self._part(name, part, texts, limit) for name, part in parts.items()))
        lists = [hits for hits in found if hits is not None]
        lost = [part.collections for part, hits in zip(parts.values(), found, strict=True) if hits is None]
        return Meanings(_together(lists, len(texts), limit), frozenset().union(*lost))

    async def _part(self, embedding: str, scope: Scope, texts: Sequence[str], limit: int) -> Lists | None:
        """What one embedding's vectors give; None when nobody can embed the question as they were."""
        assert self._embeddings is not None
        rows = await self._embeddings.rows(embedding, texts)
        return None if rows is None else await self._vectors.search(scope, rows, limit)


def _together(lists: Sequence[Lists], texts: int, limit: int) -> Lists:
    """For each text one list; of a single embedding it is the one that came."""
    if len(lists) == 1:
        return lists[0]
    return [merged([hits[place] for hits in lists], limit) for place in range(texts)]
