"""A block of rows in memory: unit vectors by embedding, and the postings of the lexical list.

A row is a place for one passage; an emptied row is used again. Rows are kept in blocks so that the
index grows without copying, and so that a change rebuilds the postings of one block alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.ports import Vectors

ROWS = 16_384  # what fits the 16 bits of a posting, with room; fewer, larger blocks search faster

Ints = NDArray[np.int32]
Codes = NDArray[np.uint32]
Counts = NDArray[np.float32]


@dataclass(slots=True)
class Postings:
    """For each term code of a block, ascending, the rows that hold it and how often."""

    codes: Codes = field(default_factory=lambda: np.zeros(0, np.uint32))
    starts: Ints = field(default_factory=lambda: np.zeros(1, np.int32))
    rows: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    counts: NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))

    def find(self, codes: Codes) -> list[tuple[int, slice]]:
        """The codes that some row holds, by their place among `codes`, with the stretch of `rows` and `counts`."""
        if not len(self.codes):
            return []
        places = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        held = np.flatnonzero(self.codes[places] == codes)
        starts, ends = self.starts[places[held]].tolist(), self.starts[places[held] + 1].tolist()
        return [(n, slice(start, end)) for n, start, end in zip(held.tolist(), starts, ends, strict=True)]

    def replaced(self, words: Mapping[int, tuple[Codes, NDArray[np.uint16]]]) -> Postings:
        """New postings in which these rows hold just these words."""
        changed = np.zeros(ROWS, bool)
        changed[list(words)] = True
        stays = ~changed[self.rows]
        codes = [np.repeat(self.codes, np.diff(self.starts))[stays]]
        rows, counts = [self.rows[stays]], [self.counts[stays]]
        for row, (own_codes, own_counts) in words.items():
            codes.append(own_codes)
            counts.append(own_counts)
            rows.append(np.full(len(own_codes), row, np.uint16))
        return _sorted(np.concatenate(codes), np.concatenate(rows), np.concatenate(counts))


def _sorted(codes: Codes, rows: NDArray[np.uint16], counts: NDArray[np.uint16]) -> Postings:
    order = np.argsort(codes, kind="stable")
    codes, rows, counts = codes[order], rows[order], counts[order]
    first = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]])) if len(codes) else np.zeros(0, np.int64)
    starts = np.concatenate([first, [len(codes)]]).astype(np.int32)
    return Postings(codes[first], starts, rows, counts)


class Block:
    """Up to ROWS rows. `matrices` are made when an embedding is first searched."""

    def __init__(self) -> None:
        self.matrices: dict[str, Vectors] = {}
        self.postings = Postings()

    def matrix(self, embedding: str, dimension: int) -> Vectors:
        """Vectors of this embedding as columns; zero where a row has none.

        A product with columns takes half the time of one with rows: nothing has to be repacked.
        """
        found = self.matrices.get(embedding)
        if found is None:
            found = self.matrices[embedding] = np.zeros((dimension, ROWS), np.float32)
        return found
