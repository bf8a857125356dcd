"""What a run begins before it is certain to be wanted: a search while it plans, words and strips while it grades.

One object a run, never checkpointed: a run that is taken up again begins nothing twice, it only does without.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Hashable, Sequence
from typing import Any

from core.answers import Refined, Retrieved
from core.ports import Writer, WriteRequest

Found = Sequence[Retrieved]

PATIENCE = 0.02
"""Seconds that a planner may take before the search for the raw question begins: local planners are done by then."""


class Ahead:
    """Work begun early. `close` cancels whatever nobody came for."""

    def __init__(self) -> None:
        self._searches: dict[Hashable, asyncio.Task[Found]] = {}
        self._strips: dict[tuple[str, ...], asyncio.Task[Refined]] = {}
        self._words: Words | None = None

    def begin_search(self, key: Hashable, search: Coroutine[Any, Any, Found]) -> None:
        """Search now; `key` says for what."""
        self._searches[key] = asyncio.create_task(search)

    def search(self, key: Hashable) -> asyncio.Task[Found] | None:
        """The search begun for just this, if there is one; it is the caller's from now on."""
        return self._searches.pop(key, None)

    def begin_strips(self, ids: tuple[str, ...], strips: Coroutine[Any, Any, Refined]) -> None:
        """Refine these passages now, as if all of them would survive."""
        self._strips[ids] = asyncio.create_task(strips)

    def strips(self, ids: tuple[str, ...]) -> asyncio.Task[Refined] | None:
        """The strips of just these passages, if they were begun; they are the caller's from now on."""
        return self._strips.pop(ids, None)

    def begin_words(self, writer: Writer, request: WriteRequest) -> None:
        """Write now; the words are held until somebody takes them over."""
        self._words = Words(writer, request)

    def take_words(self) -> Words | None:
        """The words begun, if any; whoever takes them closes them."""
        words, self._words = self._words, None
        return words

    async def drop_words(self) -> None:
        """Nobody will want them: stop writing."""
        if words := self.take_words():
            await words.close()

    async def close(self) -> None:
        """End everything that is still going on."""
        left = [*self._searches.values(), *self._strips.values()]
        self._searches.clear()
        self._strips.clear()
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self.drop_words()


class Words:
    """A writer at work, its chunks held in order. `request` is what it writes from."""

    def __init__(self, writer: Writer, request: WriteRequest) -> None:
        self.request = request
        self._chunks: asyncio.Queue[str | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._write(writer))

    async def chunks(self) -> AsyncIterator[str]:
        """All chunks from the first on; raises what the writer raised, where it raised it."""
        while (chunk := await self._chunks.get()) is not None:
            yield chunk
        await self._task

    async def close(self) -> None:
        """Stop writing; nothing that went wrong matters any more."""
        self._task.cancel()
        await asyncio.wait({self._task})  # unlike awaiting the task, it can't take our own cancellation for the task's
        if not self._task.cancelled():
            self._task.exception()

    async def _write(self, writer: Writer) -> None:
        try:
            async for chunk in writer.write(self.request):
                self._chunks.put_nowait(chunk)
        finally:
            self._chunks.put_nowait(None)
