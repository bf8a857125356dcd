"""The keyless default embedder: Universal Sentence Encoder, multilingual, in pure NumPy.

Knows only how texts become rows; which texts, and what for, is the caller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import numpy as np

from adapters.local.use_cache import Encoder, load
from core.batching import Batcher
from core.ports import Vectors

_LONGEST = 4000
"""Characters read of a text. The model has no limit of its own, but averages a long text into nothing."""

_PART = 1000
"""Characters that are encoded as one item."""


class USEEmbedder:
    """512 dimensions, 16 languages in one space. Loads when first used, in the thread that then encodes.

    Questions that arrive together are encoded together and go before passages of a running sync.
    `cache` is a folder in which the unpacked model is kept, so that the next process loads it faster.
    """

    name = "use-m3"
    dimension = 512

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._model: Encoder | None = None
        self._batches: Batcher[tuple[str, ...], Vectors] = Batcher("use", self._encode, limit=16)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def warm(self) -> None:
        """Load the model now (1 to 2 s), beside whatever else is being opened."""
        await self.embed([""], "query")

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Shape (len(texts), 512), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        urgent = kind == "query"
        parts = _together([text[:_LONGEST] for text in texts])
        rows = await asyncio.gather(*(self._batches.submit(part, urgent=urgent) for part in parts))
        return np.concatenate(rows)

    async def close(self) -> None:
        """End the thread."""
        await self._batches.close()
        self._model = None

    def _encode(self, parts: Sequence[tuple[str, ...]]) -> list[Vectors]:
        if self._model is None:
            self._model = load(self._cache)
        rows = np.asarray(self._model.encode([text for part in parts for text in part]), np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(lengths, np.float32(1e-9))
        return np.split(unit, np.cumsum([len(part) for part in parts])[:-1])


def _together(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Single words travel together, passages alone: what one item of a batch costs stays about the same."""
    parts: list[list[str]] = []
    size = 0
    for text in texts:
        if not parts or size + len(text) > _PART:
            parts.append([])
            size = 0
        parts[-1].append(text)
        size += len(text) + 8
    return [tuple(part) for part in parts]
