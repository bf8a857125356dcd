"""Which rows of the mirror a scope publishes, prepared once for each scope: masks, languages, lengths.

A row counts only if its passage stands in the version of its document that the scope pins.
"""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.embedded.blocks import ROWS
from adapters.embedded.mirror import Mirror
from core.documents import Generation, Scope
from core.ports import Hit, Moments, Vectors

_KEPT = 16
_NOISE = 1e-5
_K1 = 1.2
_B = 0.75


@dataclass(frozen=True, slots=True)
class Languages:
    """One column of ones and zeros for each language with published rows, and how many rows each has.

    `code` is the same by row: the column, or one more than the last for a row that is not published.
    """

    names: tuple[str, ...]
    columns: NDArray[np.floating]
    counts: NDArray[np.float64]
    code: NDArray[np.int8]

    def moments_of(self, rows: NDArray[np.int64], scores: Vectors) -> dict[str, Moments]:
        """Mean and deviation of each language when all but these rows have a score of 0."""
        code, size = self.code[rows], len(self.names)
        precise = scores.astype(np.float64)
        sums, squares = np.zeros(size), np.zeros(size)
        sums += np.bincount(code, precise, minlength=size)[:size]
        squares += np.bincount(code, np.square(precise), minlength=size)[:size]
        return self.moments(sums, squares)

    def moments(self, sums: NDArray[np.float64], squares: NDArray[np.float64]) -> dict[str, Moments]:
        """Mean and deviation of each language from the sums of scores and of their squares."""
        means = sums / self.counts
        variances = squares / self.counts - means * means
        variances[variances < _NOISE * squares / self.counts] = 0.0  # equal scores, but for rounding
        deviations = np.sqrt(variances)
        return {
            name: Moments(float(mean), float(deviation), int(count))
            for name, mean, deviation, count in zip(self.names, means, deviations, self.counts, strict=True)
        }


@dataclass(frozen=True, slots=True)
class Stretch:
    """From the first to the last published row of a block, and where they stand in the product."""

    block: int
    rows: slice
    columns: slice


@dataclass(frozen=True, slots=True)
class DenseView:
    """What a dense search multiplies with. `row` and `counted` are by column; `counted` False is not published."""

    embedding: str
    dimension: int
    stretches: tuple[Stretch, ...]
    row: NDArray[np.int64]
    counted: NDArray[np.bool_]
    languages: Languages


@dataclass(frozen=True, slots=True)
class View:
    """A scope's rows. `weight` is BM25's length term K of each row."""

    published: NDArray[np.bool_]
    count: int
    whole: bool
    blocks: tuple[int, ...]
    weight: Vectors
    languages: Languages
    dense: tuple[DenseView, ...]
    hashes: Mapping[str, Mapping[str, str]]

    def hits(self, mirror: Mirror, rows: NDArray[np.int64], scores: Vectors) -> list[Hit]:
        """The hits for rows, in the same order."""
        documents, languages = mirror.document[rows].tolist(), mirror.language[rows].tolist()
        found = []
        for row, number, code, score in zip(rows.tolist(), documents, languages, scores.tolist(), strict=True):
            collection, document = mirror.documents[number]
            digest = self.hashes[collection][document]
            found.append(Hit(mirror.names[row], collection, document, digest, mirror.languages[code], score))
        return found


class Views:
    """The latest scopes' views over one mirror; all dropped when the mirror changes."""

    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror
        self._kept: OrderedDict[tuple[tuple[str, int], ...], View] = OrderedDict()

    def refresh(self, connection: sqlite3.Connection) -> None:
        """Catch up with the file."""
        try:
            if self._mirror.refresh(connection):
                self._kept.clear()
        except BaseException:
            self._kept.clear()
            raise

    def of(self, scope: Scope, connection: sqlite3.Connection) -> View:
        """The scope's view; loads the vectors of its embeddings when they are first needed."""
        found = self._kept.get(scope.key)
        if found is None:
            for generation in scope.generations:
                self._mirror.load(connection, generation.embedding)
            found = self._kept[scope.key] = self._made(scope)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(scope.key)
        return found

    def _made(self, scope: Scope) -> View:
        mirror = self._mirror
        by_embedding: dict[str, NDArray[np.bool_]] = {}
        for generation in scope.generations:
            rows = by_embedding.setdefault(generation.embedding, np.zeros(mirror.capacity, bool))
            rows[self._rows(generation)] = True
        published = np.zeros(mirror.capacity, bool)
        for rows in by_embedding.values():
            published |= rows
        count = int(published.sum())
        average = max(float(mirror.length[published].mean()), 1.0) if count else 1.0
        filled = published.reshape(-1, ROWS).any(axis=1)
        return View(
            published=published,
            count=count,
            whole=count == int(mirror.alive.sum()),
            blocks=tuple(int(number) for number in np.flatnonzero(filled)),
            weight=(_K1 * (1 - _B + _B * mirror.length / average)).astype(np.float32),
            languages=self._languages(published, np.arange(mirror.capacity), np.float64),
            dense=tuple(self._dense(name, rows & mirror.has_vector[name]) for name, rows in by_embedding.items()),
            hashes={generation.collection: generation.documents for generation in scope.generations},
        )

    def _rows(self, generation: Generation) -> NDArray[np.int64]:
        """Rows of the passages in the generation's versions."""
        mirror = self._mirror
        keys = ((generation.collection, document, digest) for document, digest in generation.documents.items())
        wanted = [number for number in map(mirror.versions.get, keys) if number is not None]
        if not len(mirror.pairs):
            return np.zeros(0, np.int64)
        chosen = np.zeros(int(mirror.pairs[:, 0].max()) + 1, bool)
        chosen[[number for number in wanted if number < len(chosen)]] = True
        passages = mirror.pairs[chosen[mirror.pairs[:, 0]], 1]
        rows = (mirror.row_of.get(passage) for passage in passages.tolist())
        return np.array([row for row in rows if row is not None], np.int64)

    def _dense(self, embedding: str, rows: NDArray[np.bool_]) -> DenseView:
        stretches: list[Stretch] = []
        taken: list[NDArray[np.int64]] = []
        column = 0
        for number in np.flatnonzero(rows.reshape(-1, ROWS).any(axis=1)):
            inside = np.flatnonzero(rows[number * ROWS : (number + 1) * ROWS])
            first, end = int(inside[0]), int(inside[-1]) + 1
            stretches.append(Stretch(int(number), slice(first, end), slice(column, column + end - first)))
            taken.append(np.arange(first, end) + number * ROWS)
            column += end - first
        row = np.concatenate(taken) if taken else np.zeros(0, np.int64)
        dimension = 0
        if stretches:
            dimension = self._mirror.blocks[stretches[0].block].matrices[embedding].shape[0]
        return DenseView(embedding, dimension, tuple(stretches), row, rows[row], self._languages(rows, row, np.float32))

    def _languages(self, rows: NDArray[np.bool_], order: NDArray[np.int64], kind: type[np.floating]) -> Languages:
        codes = np.where(rows, self._mirror.language, -1)[order]
        present = [code for code in range(len(self._mirror.languages)) if (codes == code).any()]
        columns = np.zeros((len(order), len(present)), kind)
        for column, code in enumerate(present):
            columns[:, column] = codes == code
        names = tuple(self._mirror.languages[code] for code in present)
        code_of_row = np.full(len(order), len(present), np.int8)
        for column in range(len(present)):
            code_of_row[columns[:, column] > 0] = column
        return Languages(names, columns, columns.sum(axis=0, dtype=np.float64), code_of_row)
