"""One database that the stores share: opened once, closed once. Knows no table and no query of theirs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlalchemy import URL, Connection, CursorResult, Executable, Table, UpdateBase, event, make_url
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from adapters.sql.faults import translated
from adapters.sql.migrate import bring_up_to_date
from core.errors import Busy, StoreError
from core.ports import Clock

T = TypeVar("T")

_PATIENCE = {"timeout": 10, "command_timeout": 60}  # seconds: for a connection, for a statement (asyncpg)
_LONGEST = 120
"""Seconds that a transaction may wait for a connection to SQLite: hundreds of turns at once take their time."""

_PRAGMAS = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON")
_OPENING = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between the tries to open: the change to WAL waits for nobody, not even for the busy timeout."""


class Transaction:
    """The statements between begin and commit."""

    def __init__(self, connection: AsyncConnection, writing: asyncio.Lock | None) -> None:
        self._connection = connection
        self._writing = writing
        self._writes = False

    async def execute(
        self, statement: Executable, rows: Sequence[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Run one statement, for each of the rows if there are any."""
        if self._writing is not None and not self._writes and isinstance(statement, UpdateBase):
            await self._writing.acquire()
            self._writes = True
        return await settled(self._connection.execute(statement, rows))

    def ended(self) -> None:
        """The next one may write."""
        if self._writing is not None and self._writes:
            self._writing.release()

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Call something that wants a plain connection."""
        return await settled(self._connection.run_sync(work))


def sqlite_url(path: Path) -> str:
    """The address of the SQLite file at `path`."""
    return URL.create("sqlite+aiosqlite", database=str(path)).render_as_string()


class Database:
    """The engine behind the stores. `clock` measures leases: it must pass, also under `--now`."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.clock = clock
        self._url = _with_driver(make_url(url))
        self._engine: AsyncEngine | None = None
        # SQLite has one writer. Those of this process wait here, in order and as long as it takes: its own wait is a
        # lottery that ends in an error after seconds, and a busy process holds a transaction open for long.
        self._writing = asyncio.Lock() if self._url.get_backend_name() == "sqlite" else None

    @property
    def place(self) -> str:
        """Where it is, for people: the file, or the address without its password."""
        if self._url.get_backend_name() == "sqlite":
            return str(self._url.database)
        return self._url.render_as_string(hide_password=True)

    @property
    def engine(self) -> AsyncEngine:
        """The engine, for a library that brings its own statements. Raises StoreError unless open."""
        if self._engine is None:
            raise StoreError("error.store_access", path=self.place, what="closed")
        return self._engine

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """For such a library's writes: in turn with ours, its errors as ours."""
        with translated(self.place):
            async with self._writing or contextlib.nullcontext():
                yield

    async def open(self) -> None:
        """Connect, and bring the tables up to date. Raises StoreError; never deletes anything."""
        for patience in _OPENING:
            try:
                await self._opened()
            except Busy:
                await asyncio.sleep(patience)
            else:
                return
        await self._opened()

    async def _opened(self) -> None:
        with translated(self.place):
            self._engine = await asyncio.to_thread(self._make_engine)
            try:
                await bring_up_to_date(self._engine, self.place)
            except BaseException:
                await self.close()
                raise

    async def close(self) -> None:
        """Close all connections."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.dispose()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.close()

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[Transaction]:
        """A transaction: all of it or nothing. On SQLite its first statement must write if any does.

        (A reader that turns writer is refused when another wrote meanwhile.)
        """
        if self._engine is None:
            raise StoreError("error.store_access", path=self.place, what="closed")
        connection = self._engine.connect()
        transaction = Transaction(connection, self._writing)
        with translated(self.place):
            try:
                await settled(connection.start())
                yield transaction
                await settled(connection.commit())
            finally:
                try:
                    if connection.sync_connection is not None:
                        await settled(connection.close())  # rolls back what was not committed
                finally:
                    transaction.ended()

    def insert(self, table: Table) -> Any:
        """An INSERT that knows ON CONFLICT: the same words in both dialects, but two classes."""
        if self._url.get_backend_name() == "sqlite":
            return sqlite_insert(table)
        from sqlalchemy.dialects.postgresql import insert  # who uses SQLite need not wait for it

        return insert(table)

    def _make_engine(self) -> AsyncEngine:
        if self._url.get_backend_name() != "sqlite":
            return create_async_engine(self._url, pool_size=10, pool_pre_ping=True, connect_args=_PATIENCE)
        if self._url.database:
            Path(self._url.database).parent.mkdir(parents=True, exist_ok=True)
        # A transaction that was not committed is rolled back when its connection is closed; once more would be in vain.
        engine = create_async_engine(self._url, pool_timeout=_LONGEST, pool_reset_on_return=None)
        event.listen(engine.sync_engine, "connect", _prepare)
        return engine


def _with_driver(url: URL) -> URL:
    """`sqlite:///…` and `postgresql://…` as people write them, with the drivers that don't block."""
    driver = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
    return url.set(drivername=driver.get(url.drivername, url.drivername))


def _prepare(connection: Any, _record: object) -> None:
    """WAL for readers beside a writer; foreign keys and the wait for a lock are off unless asked for, each time."""
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def settled(work: Coroutine[Any, Any, T]) -> T:
    """Do the work to its end, even when cancelled in the middle; then be cancelled.

    A statement goes on in its thread (or its server) after its waiter was cancelled, and would hold
    SQLite's write lock over whoever comes next. Statements are short and bounded, so waiting is safe.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({task})
        if not task.cancelled():
            task.exception()  # seen, so that nobody warns of it
        raise
