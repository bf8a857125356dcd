"""What a namespace holds: records that become visible some time after they were written."""

from __future__ import annotations

import bisect
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIRST_ROWS = 256


@dataclass
class Namespace:
    """Writes wait for `delay` seconds; every write has a number, `caught_up` is the last that is visible."""

    dimension: int
    waiting: deque[tuple[float, int, Sequence[dict[str, Any]], Sequence[str]]] = field(default_factory=deque)
    records: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    caught_up: int = 0
    _rows: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    _taken: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    _of_row: list[str] = field(default_factory=list)
    _free: list[int] = field(default_factory=list)

    def write(self, number: int, delay: float, put: Sequence[dict[str, Any]] = (), drop: Sequence[str] = ()) -> None:
        """Accept a write."""
        self.waiting.append((time.monotonic() + delay, number, put, drop))

    def catch_up(self) -> None:
        """Apply what is due, in order."""
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            _, number, put, drop = self.waiting.popleft()
            for record in put:
                self._put(record)
            for id_ in drop:
                self._drop(id_)
            self.caught_up = number

    def search(
        self, vector: Sequence[float], limit: int, only: Mapping[str, Any] | None
    ) -> list[tuple[str, float, dict[str, Any]]]:
        """The nearest records by cosine that match the filter."""
        if not self.records:
            return []
        query = np.asarray(vector, np.float32)
        scores = self._rows[: len(self._of_row)] @ (query / (np.linalg.norm(query) or 1))
        places = np.flatnonzero(self._taken[: len(self._of_row)])
        if only:
            kept = [place for place in places.tolist() if matches(only, self.records[self._of_row[place]][1])]
            places = np.array(kept, np.int64)
        if len(places) > limit:
            places = places[np.argpartition(scores[places], len(places) - limit)[-limit:]]
        best = sorted(places.tolist(), key=lambda place: (-scores[place], self._of_row[place]))
        return [(self._of_row[p], float(scores[p]), self.records[self._of_row[p]][1]) for p in best]

    def listed(self, prefix: str, after: str, limit: int) -> list[str]:
        """Ids in order."""
        start = bisect.bisect_right(self.ids, after) if after else bisect.bisect_left(self.ids, prefix)
        page = self.ids[start : start + limit]
        return [id_ for id_ in page if id_.startswith(prefix)]

    def fetched(self, ids: Sequence[str], fields: Sequence[str] | None) -> dict[str, dict[str, Any]]:
        """The records among these, vector included where it is asked for."""
        found = {}
        for id_ in ids:
            if id_ in self.records:
                row, about = self.records[id_]
                whole = {**about, "embedding": self._rows[row].astype(float).round(7).tolist()}
                found[id_] = {"_id": id_} | {k: v for k, v in whole.items() if not fields or k in fields}
        return found

    def _put(self, record: dict[str, Any]) -> None:
        about = dict(record)
        id_, vector = about.pop("_id"), np.asarray(about.pop("embedding"), np.float32)
        if id_ in self.records:
            row = self.records[id_][0]
        else:
            row = self._free.pop() if self._free else self._grown()
            bisect.insort(self.ids, id_)
        self._rows[row] = vector / np.linalg.norm(vector)
        self._of_row[row] = id_
        self._taken[row] = True
        self.records[id_] = (row, about)

    def _drop(self, id_: str) -> None:
        if id_ in self.records:
            row, _ = self.records.pop(id_)
            self._of_row[row] = ""
            self._taken[row] = False
            self._free.append(row)
            del self.ids[bisect.bisect_left(self.ids, id_)]

    def _grown(self) -> int:
        if len(self._of_row) == len(self._rows):
            larger = np.zeros((max(_FIRST_ROWS, 2 * len(self._rows)), self.dimension), np.float32)
            if len(self._rows):
                larger[: len(self._rows)] = self._rows
            self._rows = larger
            self._taken = np.concatenate([self._taken, np.zeros(len(larger) - len(self._taken), bool)])
        self._of_row.append("")
        return len(self._of_row) - 1


_PASSES: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$in": lambda value, wanted: value in wanted,
    "$lt": lambda value, wanted: value is not None and value < wanted,
}
"""The operators that are used here."""


def matches(only: Mapping[str, Any], about: Mapping[str, Any]) -> bool:
    """Whether a record passes a filter."""
    return all(
        _PASSES[operator](about.get(name), wanted)
        for name, condition in only.items()
        for operator, wanted in condition.items()
    )
