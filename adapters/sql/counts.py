"""How many turns and jobs stand where, for whoever watches. Reads no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, func, select, text

from adapters.sql.database import Database, Transaction
from adapters.sql.schema import jobs, turns


@dataclass(frozen=True, slots=True)
class Counts:
    """By status; `oldest` are the seconds that the first waiting turn has waited."""

    turns: Mapping[str, int]
    jobs: Mapping[str, int]
    oldest: float = 0.0


class SqlCounts:
    """Counting in the record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ping(self) -> None:
        """Whether it answers. Raises StoreError, Busy."""
        async with self._database.begin() as connection:
            await connection.execute(text("SELECT 1"))

    async def now(self) -> Counts:
        """All of it."""
        waiting = select(func.min(turns.c.created_at)).where(turns.c.status == "waiting")
        async with self._database.begin() as connection:
            first = (await connection.execute(waiting)).scalar()
            by_turn, by_job = await _by_status(connection, turns), await _by_status(connection, jobs)
        oldest = (self._database.clock.now() - first).total_seconds() if first is not None else 0.0
        return Counts(by_turn, by_job, max(0.0, oldest))


async def _by_status(connection: Transaction, table: Table) -> dict[str, int]:
    rows: Any = await connection.execute(select(table.c.status, func.count()).group_by(table.c.status))
    return {str(status): int(count) for status, count in rows}
