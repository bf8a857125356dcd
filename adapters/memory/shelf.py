"""RunPassages in memory: the shelf of each run, dropped when its turn ends."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Retrieved


class MemoryShelf:
    """Holds what runs looked at, for this process alone."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, Retrieved]] = {}

    async def put(self, run: str, retrieved: Sequence[Retrieved]) -> None:
        """Keep these for the run; one that is there already stays as it is."""
        shelf = self._runs.setdefault(run, {})
        for each in retrieved:
            shelf.setdefault(each.passage.id, each)

    async def get(self, run: str, ids: Sequence[str]) -> Sequence[Retrieved]:
        """Those of the ids that the run holds, in the order asked for."""
        shelf = self._runs.get(run, {})
        return [shelf[id] for id in ids if id in shelf]

    async def drop(self, run: str) -> None:
        """Forget the run."""
        self._runs.pop(run, None)
