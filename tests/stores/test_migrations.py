"""The migrations lead to the tables that the code uses, on each database, whoever starts first."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from adapters.sql.database import Database, sqlite_url
from adapters.sql.migrations import HEAD
from adapters.sql.schema import metadata
from adapters.sql.upgrade import alembic_config
from tests.stores.values import MovingClock

_START = (
    "import asyncio, sys; from adapters.sql.database import Database; from adapters.clock import SystemClock\n"
    "async def main():\n"
    "    async with Database(sys.argv[1], SystemClock()): pass\n"
    "asyncio.run(main())"
)


async def with_connection(database: Database, work: Any) -> Any:
    """What `work` finds on a plain connection."""
    async with database.begin() as connection:
        return await connection.run_sync(work)


async def test_tables_and_migrations_agree(database: Database) -> None:
    await with_connection(database, lambda plain: command.check(alembic_config(plain)))


async def test_the_newest_migration_is_the_one_the_code_expects(database: Database) -> None:
    def head(plain: Connection) -> str | None:
        return ScriptDirectory.from_config(alembic_config(plain)).get_current_head()

    assert await with_connection(database, head) == HEAD


async def test_migrations_lead_back_and_forth(tmp_path: Path) -> None:
    async with Database(sqlite_url(tmp_path / "refdesk.db"), MovingClock()) as database:
        await with_connection(database, lambda plain: command.downgrade(alembic_config(plain), "base"))
        assert await with_connection(database, lambda plain: inspect(plain).get_table_names()) == ["alembic_version"]
        await database.close()
        await database.open()
        names = await with_connection(database, lambda plain: set(inspect(plain).get_table_names()))
        assert names >= set(metadata.tables)


async def test_several_tasks_may_open_a_new_database_at_once(tmp_path: Path) -> None:
    databases = [Database(sqlite_url(tmp_path / "refdesk.db"), MovingClock()) for _ in range(4)]
    await asyncio.gather(*(database.open() for database in databases))
    for database in databases:
        await database.close()


async def test_several_databases_may_be_made_at_once_in_one_process(tmp_path: Path) -> None:
    databases = [Database(sqlite_url(tmp_path / f"{number}.db"), MovingClock()) for number in range(4)]
    await asyncio.gather(*(database.open() for database in databases))
    for database in databases:
        names = await with_connection(database, lambda plain: set(inspect(plain).get_table_names()))
        assert names >= set(metadata.tables)
        await database.close()


async def test_several_processes_may_start_on_a_new_database_at_once(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "refdesk.db")
    starting = [subprocess.Popen([sys.executable, "-c", _START, url], stderr=subprocess.PIPE) for _ in range(3)]
    errors = [process.communicate(timeout=120)[1] for process in starting]
    assert [process.returncode for process in starting] == [0, 0, 0], errors
