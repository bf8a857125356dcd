"""Every implementation of the index ports, by the same door."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.embedded.index import EmbeddedIndex
from adapters.pinecone.index import PineconePassages, PineconeVectors
from adapters.pinecone.options import PineconeOptions
from core.documents import Scope
from core.ports import Hits, IndexEntry, Vectors
from tests.index.values import ANALYZER, EMBEDDER, Index
from tests.pinecone_server.server import serving

LAG = 0.01
"""Seconds that the stand-in keeps writes invisible."""


@pytest.fixture(params=["embedded", "pinecone"])
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    """An empty index."""
    path = tmp_path / "index.sqlite"
    async with embedded(path) if request.param == "embedded" else pinecone(path) as opened:
        yield opened


@asynccontextmanager
async def embedded(path: Path) -> AsyncIterator[Index]:
    """All in one file."""
    async with EmbeddedIndex(path, ANALYZER) as opened:
        yield Index(opened.vectors, opened.lexical, opened.passages)


@asynccontextmanager
async def pinecone(path: Path) -> AsyncIterator[Index]:
    """Vectors in the stand-in for Pinecone, the rest in the file."""
    async with serving(delay=LAG) as server, EmbeddedIndex(path, ANALYZER) as texts:
        options = PineconeOptions("tests", host=server.url, visible=5)
        async with PineconeVectors(server.key, EMBEDDER.dimension, options) as vectors:
            yield Index(Settled(vectors), texts.lexical, PineconePassages(texts.passages, vectors))


@dataclass
class Settled:
    """Waits after each write, as a sync does before it publishes."""

    vectors: PineconeVectors

    async def upsert(self, collection: str, embedding: str, entries: Sequence[IndexEntry]) -> None:
        """And wait."""
        await self.vectors.upsert(collection, embedding, entries)
        await self.vectors.settle(collection)

    async def remove(self, collection: str, versions: Sequence[tuple[str, str]]) -> None:
        """And wait."""
        await self.vectors.remove(collection, versions)
        await self.vectors.settle(collection)

    async def search(self, scope: Scope, vectors: Vectors, limit: int) -> Sequence[Hits]:
        """As it is."""
        return await self.vectors.search(scope, vectors, limit)
