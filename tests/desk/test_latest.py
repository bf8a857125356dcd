"""One question at a time, and never an answer that is older than the call."""

from __future__ import annotations

import asyncio

import pytest

from core.desk.latest import Latest
from core.errors import StoreError


class Counter:
    """Says how often it was asked before; takes its time."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False

    async def __call__(self) -> int:
        self.asked += 1
        mine = self.asked
        await asyncio.sleep(0.01)
        if self.fails:
            raise StoreError("error.store_busy")
        return mine


async def test_a_hundred_at_once_are_two_questions() -> None:
    counter = Counter()
    latest = Latest(counter)
    said = await asyncio.gather(*(latest.get() for _ in range(100)))
    assert counter.asked == 2
    assert said == [1, *[2] * 99]


async def test_who_comes_while_it_is_asked_gets_the_next_answer() -> None:
    latest = Latest(Counter())
    first = asyncio.ensure_future(latest.get())
    await asyncio.sleep(0.005)
    assert await latest.get() == 2
    assert await first == 1
    assert await latest.get() == 3


async def test_a_failure_is_told_to_all_who_asked_and_not_kept() -> None:
    counter = Counter()
    latest = Latest(counter)
    counter.fails = True
    told = await asyncio.gather(*(latest.get() for _ in range(3)), return_exceptions=True)
    assert all(isinstance(each, StoreError) for each in told)
    counter.fails = False
    assert await latest.get() == 3


async def test_one_who_leaves_takes_nothing_from_the_others() -> None:
    latest = Latest(Counter())
    first, second = asyncio.ensure_future(latest.get()), asyncio.ensure_future(latest.get())
    await asyncio.sleep(0.005)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await second == 2
