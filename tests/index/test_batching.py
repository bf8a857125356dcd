"""Requests that come together are worked on together, in one thread, each getting its own result."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from core.batching import Batcher


class Doubler:
    """Doubles numbers; keeps the batches and threads it saw. A negative number is an error."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.batches: list[list[int]] = []
        self.threads: set[int] = set()
        self._seconds = seconds

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        self.threads.add(threading.get_ident())
        time.sleep(self._seconds)
        if min(items) < 0:
            raise ValueError("negative")
        return [2 * item for item in items]


async def test_what_comes_together_is_one_batch_in_one_other_thread() -> None:
    work = Doubler()
    batcher = Batcher("test", work)
    assert await asyncio.gather(*map(batcher.submit, range(10))) == list(range(0, 20, 2))
    assert await batcher.submit(21) == 42
    await batcher.close()
    assert work.batches == [list(range(10)), [21]]
    assert len(work.threads) == 1
    assert threading.get_ident() not in work.threads


async def test_batches_are_bounded() -> None:
    work = Doubler()
    batcher = Batcher("test", work, limit=4)
    await asyncio.gather(*map(batcher.submit, range(10)))
    await batcher.close()
    assert [len(batch) for batch in work.batches] == [4, 4, 2]


async def test_urgent_items_overtake_patient_ones() -> None:
    work = Doubler(0.02)
    batcher = Batcher("test", work, limit=2)
    patient = [asyncio.create_task(batcher.submit(n, urgent=False)) for n in range(8)]
    await asyncio.sleep(0.015)
    assert await batcher.submit(100) == 200
    assert sum(task.done() for task in patient) <= 4
    await asyncio.gather(*patient)
    await batcher.close()


async def test_an_error_reaches_everyone_of_its_batch_and_the_next_batch_works() -> None:
    batcher = Batcher("test", Doubler())
    results = await asyncio.gather(batcher.submit(1), batcher.submit(-1), return_exceptions=True)
    assert all(isinstance(result, ValueError) for result in results)
    assert await batcher.submit(3) == 6
    await batcher.close()


async def test_an_item_whose_caller_gave_up_is_not_worked_on() -> None:
    work = Doubler()
    batcher = Batcher("test", work)
    tasks = [asyncio.create_task(batcher.submit(n)) for n in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    assert [await tasks[0], await tasks[2]] == [0, 4]
    await batcher.close()
    assert work.batches == [[0, 2]]


async def test_closing_cancels_those_who_wait() -> None:
    batcher = Batcher("test", Doubler(0.05), limit=1)
    tasks = [asyncio.create_task(batcher.submit(n)) for n in range(5)]
    await asyncio.sleep(0.01)
    await batcher.close()
    with pytest.raises(asyncio.CancelledError):
        await tasks[-1]
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_work_that_gives_too_few_results_keeps_nobody_waiting() -> None:
    batcher: Batcher[int, int] = Batcher("test", lambda items: list(items)[1:])
    with pytest.raises(ValueError, match="zip"):
        await asyncio.wait_for(batcher.submit(1), 2)
    await batcher.close()
