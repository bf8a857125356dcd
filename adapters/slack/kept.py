"""What Slack was asked, kept for a while: one question at a time for each id, and no failure that stays."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from adapters.slack.web import SlackRefused

T = TypeVar("T")

Key = tuple[str, str]
"""A workspace, and what there."""

KEPT_FOR = 600.0
REFUSED_FOR = 5.0
"""Seconds for which Slack's no is one: what it rests on (a permission, being in a channel) may change any time."""

MOST_KEPT = 5000


@dataclass
class Kept(Generic[T]):
    """Answers by id for a while."""

    kept_for: float = KEPT_FOR
    most: int = MOST_KEPT
    _values: OrderedDict[Key, tuple[float, asyncio.Future[T]]] = field(default_factory=OrderedDict)

    async def get(self, key: Key, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer that is there, or a new one. Raises what `ask` raises."""
        until, future = self._values.get(key, (0.0, None))
        if future is None or until <= _now():
            future = asyncio.ensure_future(ask())
            future.add_done_callback(partial(self._answered, key))
            self._keep(key, self.kept_for, future)
        return await asyncio.shield(future)

    def forget(self, key: Key) -> None:
        """It may have changed."""
        self._values.pop(key, None)

    def _answered(self, key: Key, future: asyncio.Future[T]) -> None:
        """Also when nobody waits for it any more: what failed is gone before the next one asks."""
        error = asyncio.CancelledError() if future.cancelled() else future.exception()
        if error is None or self._values.get(key, (0.0, None))[1] is not future:
            return
        if isinstance(error, SlackRefused):
            self._keep(key, REFUSED_FOR, future)
        else:
            del self._values[key]

    def _keep(self, key: Key, seconds: float, future: asyncio.Future[T]) -> None:
        self._values[key] = (_now() + seconds, future)
        self._values.move_to_end(key)
        while len(self._values) > self.most:
            self._values.popitem(last=False)


def _now() -> float:
    return asyncio.get_running_loop().time()
