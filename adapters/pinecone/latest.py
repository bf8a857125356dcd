"""What is made of a generation to read it, kept for the generations that are read. Knows nothing of the service."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

from core.documents import Generation

T = TypeVar("T")

GENERATIONS = 2
"""Kept of each collection: when a sync has published, some still read the generation before it."""

_Key = tuple[int, datetime]  # a collection that was forgotten begins again with number 1


class Latest(Generic[T]):
    """The values of the generations read last, as many of each name: a question over many names needs all at once."""

    def __init__(self, in_use: Callable[[T], bool] = lambda value: False) -> None:
        self._in_use = in_use
        self._kept: defaultdict[str, OrderedDict[_Key, T]] = defaultdict(OrderedDict)

    def get(self, name: str, generation: Generation, make: Callable[[], T]) -> T:
        """The generation's value, made if there is none; older ones that nobody uses now may go."""
        own, key = self._kept[name], (generation.number, generation.published_at)
        if key not in own:
            own[key] = make()
        own.move_to_end(key)
        idle = [old for old, value in own.items() if old != key and not self._in_use(value)]
        for old in idle[: max(0, len(own) - GENERATIONS)]:
            del own[old]
        return own[key]

    def of(self, name: str) -> list[T]:
        """All that is kept under the name."""
        return list(self._kept[name].values())

    def drop(self, name: str, value: T) -> None:
        """Forget it, if it is still kept."""
        self._kept[name] = OrderedDict((key, kept) for key, kept in self._kept[name].items() if kept is not value)

    def taken(self) -> list[T]:
        """All that is kept; then nothing is."""
        values = [value for own in self._kept.values() for value in own.values()]
        self._kept.clear()
        return values
