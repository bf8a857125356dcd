"""A tiny embedder by signed feature hashing: for tests and for trying things where meaning does not matter.

It must not know anything about languages: texts that share words come out near each other, no more.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.ports import Vectors

WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Each token adds ±1 at a place given by its checksum; rows have length 1. Needs no model and no thread."""

    def __init__(self, dimension: int = 64) -> None:
        self._dimension = dimension

    @property
    def name(self) -> str:
        """The name stored with the index."""
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of a row."""
        return self._dimension

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Shape (len(texts), dimension), float32."""
        return np.stack([self._row(text) for text in texts]) if texts else np.zeros((0, self._dimension), np.float32)

    def _row(self, text: str) -> Vectors:
        row = np.zeros(self._dimension, np.float32)
        for token in WORD.findall(unicodedata.normalize("NFC", text).casefold()):
            code = zlib.crc32(token.encode("utf-8", "replace"))
            row[(code >> 1) % self._dimension] += 1.0 if code & 1 else -1.0
        length = float(np.linalg.norm(row))
        if length == 0.0:
            row[0] = length = 1.0  # an empty text still needs a row of length 1
        return row / np.float32(length)
