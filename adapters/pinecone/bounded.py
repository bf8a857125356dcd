"""Many small requests, a few at a time. Knows nothing of what they are."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 8


async def each(items: Iterable[T], work: Callable[[T], Awaitable[R]], at_once: int = AT_ONCE) -> list[R]:
    """The results in order. Items are taken only when there is room for them; the first error ends the rest."""
    numbered = enumerate(items)
    results: dict[int, R] = {}

    async def worker() -> None:
        for number, item in numbered:
            results[number] = await work(item)

    workers = [asyncio.create_task(worker()) for _ in range(at_once)]
    try:
        await asyncio.gather(*workers)
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    return [results[number] for number in sorted(results)]
