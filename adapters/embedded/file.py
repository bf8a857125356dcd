"""The index file and its threads: one connection that writes, a few that read. Knows no tables."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from adapters.embedded.schema import connect, store_errors, transaction

T = TypeVar("T")


class IndexFile:
    """Runs blocking work on the file in threads; `async with` opens and closes it. Raises StoreError."""

    def __init__(self, path: Path, readers: int = 2) -> None:
        self.path = path
        self._readers = readers
        self._pools: tuple[ThreadPoolExecutor, ThreadPoolExecutor] | None = None
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._writer: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Make or check the tables, so that a broken file is found now and not by a question."""
        self._pools = (
            ThreadPoolExecutor(self._readers, thread_name_prefix="index-read"),
            ThreadPoolExecutor(1, thread_name_prefix="index-write"),
        )
        await self.write(lambda connection: None)

    async def close(self) -> None:
        """End the threads and close the connections."""
        pools, self._pools = self._pools, None
        for pool in pools or ():
            await asyncio.to_thread(pool.shutdown)
        while not self._idle.empty():
            self._idle.get().close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """`work` beside other readers and the writer; each of its statements sees one snapshot."""
        assert self._pools is not None, "the index is not open"
        return await asyncio.get_running_loop().run_in_executor(self._pools[0], partial(self._read, work))

    async def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """`work` in one transaction: all of it or nothing, even when the caller is cancelled."""
        assert self._pools is not None, "the index is not open"
        return await asyncio.get_running_loop().run_in_executor(self._pools[1], partial(self._write, work))

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with store_errors(self.path):
            connection = connect(self.path) if self._idle.empty() else self._idle.get()
            try:
                return work(connection)
            finally:
                self._idle.put(connection)

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with store_errors(self.path):
            if self._writer is None:
                self._writer = connect(self.path)
            with transaction(self._writer, "IMMEDIATE"):
                return work(self._writer)
