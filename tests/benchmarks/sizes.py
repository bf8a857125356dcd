"""The embedded index at 50, 100, 200 and 500 thousand passages: from which size on is another index worth its trouble?

Seeded texts and vectors as in `scale`, 512 numbers each. Each size is written and asked in processes of its own.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from adapters.embedded.index import EmbeddedIndex
from adapters.local.use import USEEmbedder
from bots.process import tune
from core.documents import Generation, Scope
from core.ports import IndexEntry
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.search import Retriever
from tests.benchmarks.rows import Row
from tests.benchmarks.scale import AT_ONCE, PER_DOCUMENT, Texts, document, peak_mb, together, vectors

SIZES = (50_000, 100_000, 200_000, 500_000)
_BATCH = 100

Measured = dict[str, float]


async def run(_: Path | None) -> list[Row]:
    """All rows."""
    rows: list[Row] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            built, asked = await _apart("build", folder, size), await _apart("ask", folder, size)
        name = f"index of {size:,} passages"
        rows += [
            Row(f"{name}: writing (without embedding)", round(built["seconds"]), "s"),
            Row(f"{name}: file", round(built["file_mb"]), "MB"),
            Row(f"{name}: memory while answering", round(asked["peak_mb"]), "MB"),
            Row(f"{name}: loading", round(asked["load_s"], 1), "s"),
            Row(f"{name}: retrieval p50, 1 at once", round(asked["p50_1"], 1), "ms"),
            Row(f"{name}: retrieval p95, 1 at once", round(asked["p95_1"], 1), "ms"),
            Row(f"{name}: retrieval p95, 16 at once", round(asked["p95_16"], 1), "ms"),
        ]
    return rows


async def _apart(part: str, folder: str, size: int) -> Measured:
    command = [sys.executable, "-m", "tests.benchmarks.sizes", part, folder, str(size)]
    done = await asyncio.to_thread(subprocess.run, command, stdout=subprocess.PIPE, check=True)
    measured: Measured = json.loads(done.stdout)
    return measured


async def _built(folder: Path, size: int) -> Measured:
    texts, spent = Texts(1), 0.0
    async with EmbeddedIndex(folder / "index.sqlite", BigramAnalyzer()) as index:
        for start in range(0, size // PER_DOCUMENT, _BATCH):
            passages = [p for number in range(start, start + _BATCH) for p in document(number, texts)]
            rows = vectors(start, len(passages))
            entries = [IndexEntry(p, row) for p, row in zip(passages, rows, strict=True)]
            begun = time.perf_counter()
            await index.vectors.upsert("scale", USEEmbedder.name, entries)
            await index.lexical.upsert("scale", USEEmbedder.name, entries)
            spent += time.perf_counter() - begun
    return {"seconds": spent, "file_mb": (folder / "index.sqlite").stat().st_size / 2**20}


async def _asked(folder: Path, size: int) -> Measured:
    documents = {f"folder/{number:06}.md": "1" for number in range(size // PER_DOCUMENT)}
    scope = Scope((Generation("scale", 1, USEEmbedder.name, documents, "", datetime.now(UTC)),))
    texts, analyzer = Texts(2), BigramAnalyzer()
    questions = [texts.text(number % 2 == 1, 8) for number in range(200)]
    async with EmbeddedIndex(folder / "index.sqlite", analyzer) as index, USEEmbedder() as embedder:
        await embedder.warm()
        begun = time.perf_counter()
        await index.vectors.search(scope, vectors(5, 1), 10)
        loaded = time.perf_counter() - begun
        retriever = Retriever(index.vectors, index.lexical, index.passages, embedder, analyzer)

        async def ask(number: int) -> None:
            await retriever.retrieve(scope, [questions[number % len(questions)]], 6)

        await together(ask, AT_ONCE, AT_ONCE)
        _, alone = await together(ask, 100, 1)
        _, crowd = await together(ask, 200, AT_ONCE)
    p50, p95 = np.percentile(alone, (50, 95)) * 1000
    crowded = float(np.percentile(crowd, 95)) * 1000
    return {"load_s": loaded, "p50_1": float(p50), "p95_1": float(p95), "p95_16": crowded, "peak_mb": peak_mb()}


def _main(arguments: Sequence[str]) -> None:
    part, folder, size = arguments
    tune()  # as the command does
    work = _built if part == "build" else _asked
    print(json.dumps(asyncio.run(work(Path(folder), int(size)))))


if __name__ == "__main__":
    _main(sys.argv[1:])
