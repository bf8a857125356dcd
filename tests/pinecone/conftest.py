"""A Pinecone on loopback, and an index over it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import numpy as np
import pytest
from pinecone._internal.http_client import get_budget_registry

from adapters.pinecone.index import PineconeVectors
from adapters.pinecone.options import PineconeOptions
from core.documents import Passage
from core.ports import IndexEntry, Vectors
from tests.index.values import EMBEDDER
from tests.pinecone_server.server import PineconeServer, serving


@pytest.fixture(autouse=True)
def patience() -> None:
    """The client stops retrying on a host that fails a lot; what one test did must not be held against the next."""
    get_budget_registry()._reset()


@pytest.fixture
async def server() -> AsyncIterator[PineconeServer]:
    """The server, empty, without lag."""
    async with serving() as running:
        yield running


@asynccontextmanager
async def over(
    server: PineconeServer,
    dimension: int = 64,
    *,
    key: str = "",
    timeout: float = 5,
    patience: float = 10,
    visible: float = 3,
) -> AsyncIterator[PineconeVectors]:
    """An index over the server, which is nearby."""
    options = PineconeOptions("tests", host=server.url, timeout=timeout, patience=patience, visible=visible)
    async with PineconeVectors(key or server.key, dimension, options) as opened:
        yield opened


@pytest.fixture
async def vectors(server: PineconeServer) -> AsyncIterator[PineconeVectors]:
    """The index."""
    async with over(server) as opened:
        yield opened


async def entries(*passages: Passage) -> list[IndexEntry]:
    """With their vectors."""
    rows = await EMBEDDER.embed([p.headed_text for p in passages], "passage")
    return [IndexEntry(p, row) for p, row in zip(passages, rows, strict=True)]


async def question(text: str) -> Vectors:
    """One row."""
    return await EMBEDDER.embed([text], "query")


def random_entries(passages: Sequence[Passage], dimension: int = 64, seed: int = 1) -> list[IndexEntry]:
    """With seeded unit vectors that lean to one side, as texts of one language do."""
    rows = np.random.default_rng(seed).standard_normal((len(passages), dimension)).astype(np.float32)
    rows[:, 0] += 2.0
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [IndexEntry(p, row) for p, row in zip(passages, rows, strict=True)]
