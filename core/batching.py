"""One thread of its own for heavy work, with requests that arrive together worked on together.

Matrix products and encoders do far better on one batch in one thread than on many threads at once.
Knows nothing of what the work is.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Batcher(Generic[T, R]):
    """Runs `work` over batches of at most `limit` items, one batch at a time, in one dedicated thread.

    The first request waits `wait` seconds for company; while a batch runs, the next one gathers.
    Urgent items never wait behind more than one batch of patient ones.
    """

    def __init__(
        self, name: str, work: Callable[[Sequence[T]], Sequence[R]], *, limit: int = 32, wait: float = 0.002
    ) -> None:
        self._name = name
        self._work = work
        self._limit = limit
        self._wait = wait
        self._urgent: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._patient: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._loop: asyncio.Task[None] | None = None

    async def submit(self, item: T, *, urgent: bool = True) -> R:
        """The result for one item; cancelling the caller drops the item if its batch has not begun."""
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        (self._urgent if urgent else self._patient).append((item, future))
        if self._loop is None or self._loop.done():
            self._loop = asyncio.create_task(self._drain(), name=f"{self._name}-batches")
        return await future

    async def close(self) -> None:
        """End the thread; what is still waiting is cancelled."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)
        for _, future in (*self._urgent, *self._patient):
            future.cancel()
        self._urgent.clear()
        self._patient.clear()
        if self._thread is not None:
            thread, self._thread = self._thread, None
            await asyncio.to_thread(thread.shutdown)

    async def _drain(self) -> None:
        await asyncio.sleep(self._wait)
        while batch := self._next():
            await self._run(batch)

    def _next(self) -> list[tuple[T, asyncio.Future[R]]]:
        batch: list[tuple[T, asyncio.Future[R]]] = []
        queue = self._urgent or self._patient
        while queue and len(batch) < self._limit:
            item, future = queue.popleft()
            if not future.done():  # its caller was cancelled
                batch.append((item, future))
        return batch or (self._next() if self._urgent or self._patient else [])

    async def _run(self, batch: Sequence[tuple[T, asyncio.Future[R]]]) -> None:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix=self._name)
        running = asyncio.get_running_loop().run_in_executor(self._thread, self._work, [item for item, _ in batch])
        try:
            answered = list(zip(batch, await running, strict=True))
        except asyncio.CancelledError:
            for _, future in batch:
                future.cancel()
            raise
        except Exception as error:  # noqa: BLE001  # it belongs to those who asked, each of them
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in answered:
            if not future.done():
                future.set_result(result)
