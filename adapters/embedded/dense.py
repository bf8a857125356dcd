"""The dense list: one product of the questions that came together with all published rows.

Pure over mirror and view.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from adapters.embedded.mirror import Mirror
from adapters.embedded.views import DenseView, Stretch, View
from core.errors import StoreError
from core.ports import Hits, Moments, Vectors

_UNUSUAL = 2.0
"""So many deviations above the mean, and a score is a candidate: few are, so no full selection is needed."""


def dense_search(mirror: Mirror, view: View, vectors: Vectors, limits: Sequence[int], threads: Executor) -> list[Hits]:
    """For each row of `vectors` its best rows, and the moments of its scores over all published rows."""
    filled = [dense for dense in view.dense if dense.stretches]
    if len(filled) > 1:
        raise StoreError("error.embedding_mixed", embeddings=", ".join(dense.embedding for dense in filled))
    if not filled:
        return [Hits(()) for _ in limits]
    scored = _Scored(mirror, filled[0], vectors, threads)
    return [_hits(mirror, view, scored, number, limit) for number, limit in enumerate(limits)]


class _Scored:
    """The scores against the rows of the embedding."""

    def __init__(self, mirror: Mirror, view: DenseView, vectors: Vectors, threads: Executor) -> None:
        if vectors.shape[1] != view.dimension:
            raise StoreError(
                "error.embedding",
                embedding=view.embedding,
                stored=view.dimension,
                asked=vectors.shape[1],
            )
        self._view = view
        self.scores = np.empty((len(vectors), len(view.row)), np.float32)

        def multiplied(stretch: Stretch) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
            matrix = mirror.blocks[stretch.block].matrices[view.embedding]
            part = vectors @ matrix[:, stretch.rows]
            columns = view.languages.columns[stretch.columns]
            self.scores[:, stretch.columns] = part
            sums = part @ columns
            np.square(part, out=part)
            return sums, part @ columns

        shape = (len(vectors), len(view.languages.names))
        run = threads.map if len(view.stretches) > 1 else map
        done = list(run(multiplied, view.stretches))
        self.sums = _added([sums for sums, _ in done], shape)
        self.squares = _added([squares for _, squares in done], shape)

    def moments(self, number: int) -> dict[str, Moments]:
        """By language, for one question."""
        return self._view.languages.moments(self.sums[number], self.squares[number])

    def best(self, number: int, limit: int) -> tuple[NDArray[np.int64], Vectors]:
        """Rows of the mirror and their scores, best first."""
        scores, counted = self.scores[number], self._view.counted
        count = self._view.languages.counts.sum()
        mean = self.sums[number].sum() / count
        deviation = np.sqrt(max(self.squares[number].sum() / count - mean * mean, 0.0))
        places = np.flatnonzero(scores > mean + _UNUSUAL * deviation)
        places = places[counted[places]]
        if len(places) < limit:
            places = np.flatnonzero(counted)
        if len(places) > limit:
            places = places[np.argpartition(scores[places], len(places) - limit)[-limit:]]
        places = places[np.lexsort((places, -scores[places]))]
        return self._view.row[places], scores[places]


def _added(parts: Sequence[NDArray[np.floating]], shape: tuple[int, int]) -> NDArray[np.float64]:
    """The parts' sum in double precision."""
    whole = np.zeros(shape)
    for part in parts:
        whole += part
    return whole


def _hits(mirror: Mirror, view: View, scored: _Scored, number: int, limit: int) -> Hits:
    return Hits(tuple(view.hits(mirror, *scored.best(number, limit))), scored.moments(number))
