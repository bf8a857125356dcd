"""What the embedded index does with 100,000 passages: 16 questions at once, memory, writing.

Every part runs in a process of its own, so that its peak memory is its own. Vectors are seeded random
unit vectors, texts are seeded words by Zipf's law, half of the documents in Hangul.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from adapters.embedded.index import EmbeddedIndex
from adapters.local.use import USEEmbedder
from bots.process import tune
from core.documents import Generation, Passage, Scope, passage_id
from core.ports import IndexEntry, Vectors
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.search import Retriever
from tests.benchmarks.rows import Row

PASSAGES = 100_000
DIMENSION = 512
AT_ONCE = 16
PER_DOCUMENT = 10
_VOCABULARY = 40_000
_WORDS = 60

Measured = dict[str, float]


async def run(data: Path | None) -> list[Row]:
    """All rows; the data folder only lends texts for the embedder."""
    with tempfile.TemporaryDirectory() as folder:
        build = await _apart("build", folder)
        search = await _apart("search", folder)
        embed = await _apart("embed", str(data or ""))
    return [
        at_most("scale: peak memory while writing", build["peak_mb"], "MB", 1000),
        at_most("scale: peak memory while answering", search["peak_mb"], "MB", 1000),
        Row("scale: passages written a second (without embedding)", round(build["rate"]), "/s"),
        Row("scale: index file", round(build["file_mb"]), "MB"),
        Row("scale: loading the index", round(search["load_s"], 1), "s"),
        _at_least("scale: dense product, 16 at once", search["dense_rate"], "questions/s", 300),
        _at_least("scale: whole hybrid retrieval with embedding, 16 at once", search["hybrid_rate"], "questions/s", 60),
        at_most("scale: whole hybrid retrieval p95, 1 at once", search["p95_1_ms"], "ms", 60),
        at_most("scale: whole hybrid retrieval p95, 16 at once", search["p95_16_ms"], "ms", 300),
        Row("scale: embedding, one thread", round(embed["rate"], 1), "passages/s"),
    ]


def at_most(name: str, value: float, unit: str, limit: float) -> Row:
    """A row that is met up to the limit."""
    return Row(name, round(value, 1), unit, f"≤ {limit:g}", met=value <= limit)


def _at_least(name: str, value: float, unit: str, limit: float) -> Row:
    return Row(name, round(value, 1), unit, f"≥ {limit:g}", met=value >= limit)


async def _apart(part: str, argument: str) -> Measured:
    """One part in its own process; a machine-wide choice of BLAS kernels is left out, it may suit another processor."""
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_CORETYPE"}
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.benchmarks.scale", part, argument],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    measured: Measured = json.loads(done.stdout)
    return measured


# --- what is indexed --------------------------------------------------------------------------------


class Texts:
    """Seeded words by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        ranks = 1 / np.arange(1, _VOCABULARY + 1)
        self._shares = ranks / ranks.sum()
        words = np.random.default_rng(7)
        latin = "bcdfghklmnprstvz", "aeiou"
        self._english = [
            "".join(itertools.chain(*((latin[0][a], latin[1][b]) for a, b in words.integers(0, (16, 5), (size, 2)))))
            for size in words.integers(1, 5, _VOCABULARY)
        ]
        self._korean = [
            "".join(chr(0xAC00 + int(code)) for code in words.integers(0, 2000, size))
            for size in words.integers(1, 5, _VOCABULARY)
        ]

    def text(self, korean: bool, words: int = _WORDS) -> str:
        """So many words."""
        vocabulary = self._korean if korean else self._english
        return " ".join(vocabulary[n] for n in self._random.choice(_VOCABULARY, words, p=self._shares))


def vectors(seed: int, count: int) -> Vectors:
    """Seeded unit vectors."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32)
    found: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found


def document(number: int, texts: Texts) -> list[Passage]:
    """The passages of one page."""
    document, korean = f"folder/{number:06}.md", number % 2 == 1
    passages = []
    for position in range(PER_DOCUMENT):
        text = texts.text(korean)
        key = passage_id("scale", document, (), text, position)
        language = "ko" if korean else "en"
        passages.append(Passage(key, "scale", document, "1", f"Page {number}", (), text, position, language))
    return passages


def _scope() -> Scope:
    documents = {f"folder/{number:06}.md": "1" for number in range(PASSAGES // PER_DOCUMENT)}
    return Scope((Generation("scale", 1, USEEmbedder.name, documents, "", datetime.now(UTC)),))


def peak_mb() -> float:
    """The most memory that this process ever held, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


# --- the parts --------------------------------------------------------------------------------------


async def _build(folder: Path) -> Measured:
    texts, spent = Texts(1), 0.0
    async with EmbeddedIndex(folder / "index.sqlite", BigramAnalyzer()) as index:
        for start in range(0, PASSAGES // PER_DOCUMENT, 50):
            passages = [p for number in range(start, start + 50) for p in document(number, texts)]
            rows = vectors(start, len(passages))
            entries = [IndexEntry(p, row) for p, row in zip(passages, rows, strict=True)]
            begun = time.perf_counter()
            await index.vectors.upsert("scale", USEEmbedder.name, entries)
            await index.lexical.upsert("scale", USEEmbedder.name, entries)
            spent += time.perf_counter() - begun
    size = (folder / "index.sqlite").stat().st_size / 2**20
    return {"peak_mb": peak_mb(), "rate": PASSAGES / spent, "file_mb": size}


async def _search(folder: Path) -> Measured:
    scope, texts = _scope(), Texts(2)
    analyzer = BigramAnalyzer()
    async with EmbeddedIndex(folder / "index.sqlite", analyzer) as index, USEEmbedder() as embedder:
        await embedder.warm()
        begun = time.perf_counter()
        await index.vectors.search(scope, vectors(5, 1), 10)
        loaded = time.perf_counter() - begun
        retriever = Retriever(index.vectors, index.lexical, index.passages, embedder, analyzer)

        async def dense(number: int) -> None:
            await index.vectors.search(scope, vectors(number, 1), 100)

        questions = [texts.text(number % 2 == 1, 8) for number in range(400)]

        async def hybrid(number: int) -> None:
            await retriever.retrieve(scope, [questions[number % len(questions)]], 6)

        await together(hybrid, 2 * AT_ONCE, AT_ONCE)
        dense_rate, _ = await together(dense, 960, AT_ONCE)
        _, alone = await together(hybrid, 100, 1)
        hybrid_rate, times = await together(hybrid, 400, AT_ONCE)
    return {
        "peak_mb": peak_mb(),
        "load_s": loaded,
        "dense_rate": dense_rate,
        "hybrid_rate": hybrid_rate,
        "p95_1_ms": float(np.percentile(alone, 95)) * 1000,
        "p95_16_ms": float(np.percentile(times, 95)) * 1000,
    }


async def together(ask: Callable[[int], Awaitable[None]], count: int, at_once: int) -> tuple[float, list[float]]:
    """Questions a second, and the seconds of each, with so many askers who ask again when answered."""
    numbers, times = iter(range(count)), []

    async def asker() -> None:
        for number in numbers:
            begun = time.perf_counter()
            await ask(number)
            times.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(asker() for _ in range(at_once)))
    return count / (time.perf_counter() - begun), times


async def _embed(data: str) -> Measured:
    texts = Texts(4)
    passages = [texts.text(number % 2 == 1) for number in range(256)]
    sections = Path(data) / "corpora/fastapi/en/sections.jsonl"
    if data and sections.exists():
        lines = sections.read_text(encoding="utf-8").splitlines()[:256]
        passages = [str(json.loads(line).get("text", "")) for line in lines]
    async with USEEmbedder() as embedder:
        await embedder.warm()
        begun = time.perf_counter()
        await embedder.embed([text[:900] for text in passages], "passage")
        return {"rate": len(passages) / (time.perf_counter() - begun)}


def _main(arguments: Sequence[str]) -> None:
    part, argument = arguments
    parts: dict[str, Callable[[], Awaitable[Measured]]] = {
        "build": lambda: _build(Path(argument)),
        "search": lambda: _search(Path(argument)),
        "embed": lambda: _embed(argument),
    }

    async def measured() -> Measured:
        return await parts[part]()

    tune()  # as the command does
    print(json.dumps(asyncio.run(measured())))


if __name__ == "__main__":
    _main(sys.argv[1:])
