"""What our side of Pinecone costs: time over the client's own call, memory of 100,000 upserts.

The service is the stand-in of the tests, in a process of its own; its times say nothing of the real one's. The
bare call and ours alternate, so that both see the same machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from pinecone import AsyncPinecone, DenseVectorQuery

from adapters.pinecone.index import PineconeVectors
from adapters.pinecone.names import Pins, namespace
from adapters.pinecone.options import PineconeOptions
from core.documents import Generation, Passage, Scope, passage_id
from core.ports import IndexEntry, Vectors
from tests.benchmarks.rows import Row
from tests.pinecone_server.server import PineconeServer

PASSAGES = 100_000
EARLY = 10_000
DIMENSION = 512
QUERIES = 200
LIMIT = 200
SMALL = 300
"""Documents of another collection, few enough for a filter."""
EMBEDDING = "random"
_PER_DOCUMENT = 10
_AT_ONCE = 500

Measured = dict[str, float]


async def run(_: Path | None) -> list[Row]:
    """All rows; no data is needed."""
    with _server() as url:
        stored = await _apart("store", url)
        asked = await _apart("ask", url)
    return [
        _at_most("pinecone: own time a query over the bare call, median", asked["own_ms"], "ms", 5),
        _at_most("pinecone: own processor time a query over the bare call", asked["own_cpu_ms"], "ms", 5),
        _at_most("pinecone: the same with a filter of 300 documents, median", asked["filtered_ms"], "ms", 5),
        Row("pinecone: bare call to the stand-in, 100,000 passages", round(asked["bare_ms"], 1), "ms"),
        Row("pinecone: first question of a generation (draws the probe sample)", round(asked["first_ms"]), "ms"),
        _at_most("pinecone: peak memory of 100,000 upserts", stored["peak_mb"], "MB", 300),
        _at_most("pinecone: growth of it from 10,000 to 100,000", stored["growth_mb"], "MB", 30),
        Row("pinecone: upserts to the stand-in", round(stored["rate"]), "passages/s"),
    ]


def _at_most(name: str, value: float, unit: str, limit: float) -> Row:
    return Row(name, round(value, 2), unit, f"≤ {limit:g}", met=value <= limit)


@contextmanager
def _server() -> Iterator[str]:
    """The stand-in in its own process, so that its memory and its work are not counted as ours."""
    command = [sys.executable, "-m", "tests.pinecone_server"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(10)


async def _apart(part: str, url: str) -> Measured:
    """One part in its own process."""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.benchmarks.pinecone", part, url],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
    )
    measured: Measured = json.loads(done.stdout)
    return measured


def _options(url: str) -> PineconeOptions:
    return PineconeOptions("bench", host=url)


def _vectors(seed: int, count: int) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    found: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def _entries(start: int, collection: str = "bench") -> list[IndexEntry]:
    entries = []
    for number, row in zip(range(start, start + _AT_ONCE), _vectors(start, _AT_ONCE), strict=True):
        document = f"folder/{number // _PER_DOCUMENT:06}.md"
        key = passage_id(collection, document, (), str(number), 0)
        language = "ko" if number // _PER_DOCUMENT % 2 else "en"
        entries.append(IndexEntry(Passage(key, collection, document, "1", "", (), "", number, language), row))
    return entries


def _scope(documents: int, collection: str = "bench") -> Scope:
    published = {f"folder/{number:06}.md": "1" for number in range(documents)}
    return Scope((Generation(collection, documents, EMBEDDING, published, "", datetime.now(UTC)),))


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


# --- the parts --------------------------------------------------------------------------------------


async def _store(url: str) -> Measured:
    async with PineconeVectors(PineconeServer.key, DIMENSION, _options(url)) as vectors:
        begun, early = time.perf_counter(), 0.0
        for start in range(0, PASSAGES, _AT_ONCE):
            await vectors.upsert("bench", EMBEDDING, _entries(start))
            if start + _AT_ONCE == EARLY:
                early = _peak_mb()
        await vectors.settle("bench")
        seconds = time.perf_counter() - begun
        for start in range(0, SMALL * _PER_DOCUMENT, _AT_ONCE):
            await vectors.upsert("few", EMBEDDING, _entries(start, "few"))
        await vectors.settle("few")
    return {"peak_mb": _peak_mb(), "growth_mb": _peak_mb() - early, "rate": PASSAGES / seconds}


async def _ask(url: str) -> Measured:
    whole, part = _scope(PASSAGES // _PER_DOCUMENT), _scope(SMALL, "few")
    async with (
        PineconeVectors(PineconeServer.key, DIMENSION, _options(url)) as vectors,
        AsyncPinecone(api_key=PineconeServer.key, host=url) as client,
        await client.index(f"bench-{DIMENSION}") as index,
    ):
        begun = time.perf_counter()
        await vectors.search(whole, _vectors(1, 1), LIMIT)
        first = time.perf_counter() - begun
        await vectors.search(part, _vectors(1, 1), LIMIT)

        async def bare(number: int, scope: Scope) -> float:
            query = [DenseVectorQuery(field="embedding", values=_vectors(number, 1)[0].tolist())]
            name, only = namespace(scope.generations[0].collection, EMBEDDING), filters[scope.key]
            begun = time.perf_counter()
            await index.documents.search(namespace=name, score_by=query, top_k=LIMIT, filter=only)
            return time.perf_counter() - begun

        async def ours(number: int, scope: Scope) -> float:
            vector, begun = _vectors(number, 1), time.perf_counter()
            (found,) = await vectors.search(scope, vector, LIMIT)
            assert len(found.hits) == LIMIT
            return time.perf_counter() - begun

        async def pair(number: int, scope: Scope) -> tuple[float, float]:
            """Who comes first takes turns."""
            if number % 2:
                own = await ours(number, scope)
                return await bare(number, scope), own
            return await bare(number, scope), await ours(number, scope)

        filters = {whole.key: None, part.key: _filter(part)}
        rows = np.array([await pair(number, whole) for number in range(QUERIES)]) * 1000
        few = np.array([await pair(number, part) for number in range(QUERIES)]) * 1000
        spent = {}
        for ask in (bare, ours):
            begun = time.process_time()
            for number in range(QUERIES):
                await ask(number, part)
            spent[ask] = (time.process_time() - begun) / QUERIES * 1000
    return {
        "own_ms": float(np.median(rows[:, 1] - rows[:, 0])),
        "own_cpu_ms": spent[ours] - spent[bare],
        "filtered_ms": float(np.median(few[:, 1] - few[:, 0])),
        "bare_ms": float(np.median(rows[:, 0])),
        "first_ms": first * 1000,
    }


def _filter(scope: Scope) -> dict[str, object]:
    return {"version": {"$in": list(Pins.of(scope.generations[0]).versions)}}


if __name__ == "__main__":
    part = {"store": _store, "ask": _ask}[sys.argv[1]]
    print(json.dumps(asyncio.run(part(sys.argv[2]))))
