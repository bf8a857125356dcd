"""The shelf of runs in flight, in the database: a run that is taken up again finds what it had looked at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, select

from adapters.sql.database import Database
from adapters.sql.schema import run_passages
from core.answers import Retrieved

ABANDONED = timedelta(days=1)
"""A run so old was given up with its turn; what it left is swept away when another run is put down."""


class SqlShelf:
    """RunPassages in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, run: str, retrieved: Sequence[Retrieved]) -> None:
        """Keep these for the run; one that is there already stays as it is."""
        if not retrieved:
            return
        now = self._database.clock.now()
        rows = [
            {"run": run, "passage": each.passage.id, "retrieved": each, "created_at": now}
            for each in {each.passage.id: each for each in reversed(retrieved)}.values()
        ]
        async with self._database.begin() as connection:
            await connection.execute(self._database.insert(run_passages).on_conflict_do_nothing(), rows)

    async def get(self, run: str, ids: Sequence[str]) -> Sequence[Retrieved]:
        """Those of the ids that the run holds, in the order asked for."""
        if not ids:
            return []
        query = select(run_passages.c.passage, run_passages.c.retrieved).where(
            run_passages.c.run == run, run_passages.c.passage.in_(list(ids))
        )
        async with self._database.begin() as connection:
            held = {row.passage: row.retrieved for row in (await connection.execute(query)).all()}
        return [held[id] for id in ids if id in held]

    async def drop(self, run: str) -> None:
        """Forget the run, and runs that nobody will take up again."""
        old = run_passages.c.created_at < self._database.clock.now() - ABANDONED
        async with self._database.begin() as connection:
            await connection.execute(delete(run_passages).where((run_passages.c.run == run) | old))
