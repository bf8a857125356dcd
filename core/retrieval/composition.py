"""A passage's vector from its opening and its whole: short texts embed sharper, and an opening says what follows.

Knows the Embedder port, not which model is behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.ports import Embedder, Vectors

_SENTENCE_END = re.compile(r"(?<=[.!?。])\s+|\n+")
_OPENING = 120
"""Characters: sentences are taken while they fit, the first always (cut at twice this)."""
_LEAD = 0.5
"""Beside 1 for the whole. More finds what a passage is about still better, and facts deep in it worse."""


class LeadEmbedder:
    """An Embedder that adds the opening of each passage, without its headings, to the embedding of the whole."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """The inner name, marked: its vectors don't mix with those of the bare model."""
        return f"{self._inner.name}+lead1"

    @property
    def dimension(self) -> int:
        """As the inner one."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """Shape (len(texts), dimension), rows of length 1; a question is embedded as it is."""
        if kind == "query" or not texts:
            return await self._inner.embed(texts, kind)
        openings = [opening(text) for text in texts]
        rows = await self._inner.embed([*openings, *texts], kind)
        whole = rows[len(texts) :]
        lead = np.where(np.array([bool(o) for o in openings])[:, None], rows[: len(texts)], whole)
        mixed = (whole + np.float32(_LEAD) * lead).astype(np.float32)
        lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
        composed: Vectors = mixed / np.maximum(lengths, np.float32(1e-9))
        return composed


def opening(headed_text: str) -> str:
    """The first sentence or two below the line of title and headings; empty when there is nothing below."""
    taken = ""
    for sentence in _SENTENCE_END.split(headed_text.partition("\n")[2]):
        part = sentence.strip()
        if taken and len(taken) + len(part) > _OPENING:
            break
        taken = f"{taken} {part}".strip()
    return taken[: 2 * _OPENING]
