"""Brings the tables up to date when the database is opened. Knows no store.

Alembic takes most of a second to import, so it is imported only when there is something to do: the
version that the database names is compared with the newest one first.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, OperationalError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from adapters.sql.migrations import HEAD

_PATIENCE = 60.0  # seconds that another process may take to migrate
_LOCK = 7_304_201_955  # a number of our own for PostgreSQL's advisory lock
_LOOK = 0.02
_ONE = threading.Lock()
"""Alembic keeps what it is about in globals of its module: of this process one database at a time is migrated."""


async def bring_up_to_date(engine: AsyncEngine, place: str) -> None:
    """Create or migrate the tables; several processes may start at once. Raises StoreError for a newer database."""
    if await _version(engine) == HEAD:
        return
    from adapters.sql.upgrade import upgrade  # see above: not at every start

    async with asyncio.timeout(_PATIENCE), _alembic(), _alone(engine) as connection:
        await connection.run_sync(upgrade, place)
        await connection.commit()


async def _version(engine: AsyncEngine) -> str | None:
    async with engine.connect() as connection:
        try:
            return (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
        except (OperationalError, ProgrammingError) as exc:
            if _no_such_table(exc):
                return None
            raise


def _no_such_table(exc: DBAPIError) -> bool:
    return "no such table" in str(exc.orig) or getattr(exc.orig, "sqlstate", None) == "42P01"


@asynccontextmanager
async def _alembic() -> AsyncIterator[None]:
    """Alembic for us alone, whichever loop or thread else wants it."""
    while not _ONE.acquire(blocking=False):  # noqa: ASYNC110 - who holds it may be in another loop
        await asyncio.sleep(_LOOK)
    try:
        yield
    finally:
        _ONE.release()


@asynccontextmanager
async def _alone(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection that no other starting process has at the same time."""
    if engine.dialect.name == "postgresql":
        async with engine.connect() as connection:
            await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            yield connection
        return
    from filelock import AsyncFileLock  # see above

    async with AsyncFileLock(f"{engine.url.database}.lock"), engine.connect() as connection:
        yield connection
