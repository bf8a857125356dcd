"""A draft on its way to whoever reads along: what may be shown of it already, and not more often than it is read."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from core.citations import MarkerStream
from core.mentions import quiet_so_far
from core.orders import Orders
from core.ports import Evidence
from core.rag.context import Listener

log = logging.getLogger(__name__)

STEP = 0.1
"""Seconds between two showings. Each one looks at the whole text, and words come faster than anyone reads."""


class Showing:
    """Takes chunks at once and shows them from a task of its own: a slow reader doesn't hold up the writer."""

    def __init__(self, evidence: Sequence[Evidence], orders: Orders, listener: Listener) -> None:
        self._stream = MarkerStream(evidence)
        self._orders = orders
        self._listener = listener
        self._waiting: list[str] = []
        self._last = ""
        self._more = asyncio.Event()
        self._at_work = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def add(self, chunk: str) -> None:
        """The next words."""
        self._waiting.append(chunk)
        self._more.set()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._shown())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What is left is shown, unless the writer broke off."""
        assert self._task is not None
        try:
            if error is None:
                async with self._at_work:  # what is being shown is shown to its end
                    self._task.cancel()
                await self._show()
        finally:
            self._task.cancel()
            await asyncio.wait({self._task})
        if not self._task.cancelled() and (failure := self._task.exception()):
            log.warning("a draft could not be shown: %r", failure)  # the answer is whole all the same

    async def _shown(self) -> None:
        while True:
            await self._more.wait()
            async with self._at_work:
                text = await self._show()
            if text:  # the very first words wait for nothing
                await asyncio.sleep(STEP)

    async def _show(self) -> str:
        self._more.clear()
        chunk = "".join(self._waiting)
        self._waiting.clear()
        if not chunk:
            return ""
        text = quiet_so_far(self._orders.without(self._stream.feed(chunk), more=True))
        if not text or text == self._last:  # half a marker: nothing new to see, and no platform takes an empty text
            return ""
        self._last = text
        await self._listener.draft(text)
        return text
