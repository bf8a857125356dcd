"""Asking something at most once at a time: whoever comes while it is being asked shares the next answer.

An answer that was begun before somebody came may be older than what they have to know. Knows nothing of what is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Latest(Generic[T]):
    """What `ask` says, never older than the call."""

    def __init__(self, ask: Callable[[], Awaitable[T]]) -> None:
        self._ask = ask
        self._asking: asyncio.Future[T] | None = None
        self._next: asyncio.Future[T] | None = None

    async def get(self) -> T:
        """The answer to a question that was put after this call. Raises what `ask` raises."""
        if self._asking is None or self._asking.done():
            return await asyncio.shield(self._begun())
        if self._next is None:
            self._next = asyncio.ensure_future(self._after(self._asking))
        return await asyncio.shield(self._next)

    def _begun(self) -> asyncio.Future[T]:
        self._asking = asyncio.ensure_future(self._ask())
        return self._asking

    async def _after(self, asking: asyncio.Future[T]) -> T:
        await asyncio.wait({asking})
        self._next = None
        return await self._begun()
