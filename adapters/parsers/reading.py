"""Documents read where they can do no harm: in processes of their own, with limits of memory and time.

Short plain text stays in this process: its parsers are ours, cost less than asking another process would, and take
time in proportion to its length. Implements `core.indexing.parts.Reader`.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

from adapters.parsers.limits import Limits, Room
from adapters.parsers.process import ReaderProcess
from adapters.parsers.registry import ParserRegistry
from adapters.parsers.threads import in_thread
from core.documents import Parsed, SourceEntry

SHORT = 256 * 2**10
"""Bytes of plain text that are read in this process."""


class DocumentReader:
    """Up to `room.width` processes, started at first need, used again, replaced when one document ends them.

    `async with` ends them; a reader that was closed starts new ones when it is asked again.
    """

    def __init__(self, limits: Limits | None = None, room: Room | None = None) -> None:
        self._limits, self._room = limits or Limits(), room or Room()
        self._registry = ParserRegistry(self._limits)
        self._slots = asyncio.Semaphore(self._room.width)
        self._idle: list[tuple[ReaderProcess, asyncio.TimerHandle]] = []
        self._ending: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def admit(self, entry: SourceEntry) -> None:
        """Raises ParseError for a document of a kind that is not read. Implements `core.indexing.parts.Admission`."""
        self._registry.parser_for(entry)

    async def read(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document as Markdown; raises ParseError and nothing else."""
        self._registry.admit(data, entry)
        if len(data) <= SHORT and self._registry.is_plain(entry):
            return await in_thread(lambda: self._registry.parse(data, entry), self._limits.seconds)
        async with self._slots:
            process = self._rested() or await ReaderProcess.started(self._limits, self._room)
            try:
                return await process.ask(data, entry)
            finally:
                await self._release(process)

    async def aclose(self) -> None:
        """End the processes that wait; those that read end with the documents they read."""
        idle, self._idle = self._idle, []
        for process, timer in idle:
            timer.cancel()
            self._end_aside(process)
        await asyncio.gather(*self._ending, return_exceptions=True)

    def _rested(self) -> ReaderProcess | None:
        while self._idle:
            process, timer = self._idle.pop()
            timer.cancel()
            if process.process.returncode is None:
                return process
            self._end_aside(process)
        return None

    async def _release(self, process: ReaderProcess) -> None:
        if not process.usable:
            await process.end()
            return
        timer = asyncio.get_running_loop().call_later(self._room.idle, self._retire, process)
        self._idle.append((process, timer))

    def _retire(self, process: ReaderProcess) -> None:
        self._idle = [waiting for waiting in self._idle if waiting[0] is not process]
        self._end_aside(process)

    def _end_aside(self, process: ReaderProcess) -> None:
        task = asyncio.ensure_future(process.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
