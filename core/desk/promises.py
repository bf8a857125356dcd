"""What people were promised and is not done yet: when the process ends it may still be done, for a moment.

A command and a button are acknowledged first; whoever gave one hears nothing more unless it is done. What does not end
in time is called off, and says so itself. Knows no platform.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

GRACE, TELLING = 3.0, 1.0
"""Seconds that it may still take, and then to say that it was called off."""


@dataclass
class Promises:
    """The tasks that do it."""

    seconds: float = GRACE
    _tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    def keep(self, task: asyncio.Task[Any]) -> None:
        """This one, until it is done."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """The task that is running, for as long as it is inside."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            yield
        finally:
            self._tasks.discard(task)

    async def close(self) -> None:
        """Nothing is under way any more."""
        await self._wait(self.seconds)
        for task in list(self._tasks):
            task.cancel()
        await self._wait(TELLING)

    async def _wait(self, seconds: float) -> None:
        """Until a task leaves it may do other things than what was promised: its end is not what is awaited."""
        try:
            async with asyncio.timeout(seconds):
                while self._tasks:  # noqa: ASYNC110 - more may come
                    await asyncio.sleep(0.02)
        except TimeoutError:
            return
