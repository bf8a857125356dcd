"""What was embedded a moment ago is not embedded again: the steps of a turn look at the same sentences.

Knows the Embedder port, not which model is behind it. A sync should pass it by: it never sees a text twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Literal

import numpy as np

from core.ports import Embedder, Vectors

Kind = Literal["query", "passage"]

_LONGEST = 4000
"""Characters; a longer text is embedded each time and not kept, so that memory has a bound."""


class RecentEmbedder:
    """An Embedder that keeps the rows of the last `size` texts (2 kB each at 512 dimensions, and the text)."""

    def __init__(self, inner: Embedder, *, size: int = 4096) -> None:
        self._inner = inner
        self._size = size
        self._rows: OrderedDict[tuple[Kind, str], Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        """As the inner one: the vectors are the same."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """As the inner one."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """Shape (len(texts), dimension); each text that isn't remembered is embedded once, all in one call."""
        known = {text: row for text in texts if (row := self._recall(kind, text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            rows = await self._inner.embed(missing, kind)
            for text, row in zip(missing, rows, strict=True):
                known[text] = row
                self._keep(kind, text, row)
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.stack([known[text] for text in texts])

    def _recall(self, kind: Kind, text: str) -> Vectors | None:
        row = self._rows.get((kind, text))
        if row is not None:
            self._rows.move_to_end((kind, text))
        return row

    def _keep(self, kind: Kind, text: str, row: Vectors) -> None:
        if len(text) > _LONGEST:
            return
        self._rows[kind, text] = row.copy()  # a view would keep the whole batch alive
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)
