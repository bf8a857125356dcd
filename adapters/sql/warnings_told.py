"""Which warnings somebody was told, in the database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete

from adapters.sql.database import Database
from adapters.sql.schema import warnings_told as told


class SqlWarningsTold:
    """A row for each person and each warning that stands and that they know."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, person: str, standing: Sequence[str]) -> frozenset[str]:
        """What is new to them; one INSERT each, so that no two processes tell it."""
        async with self._database.begin() as connection:
            await connection.execute(delete(told).where(told.c.person == person, told.c.sign.not_in(standing)))
            rows = [self._database.insert(told).values(person=person, sign=sign) for sign in sorted(standing)]
            new = [row.on_conflict_do_nothing().returning(told.c.sign) for row in rows]
            signs = [(await connection.execute(each)).scalar() for each in new]
        return frozenset(sign for sign in signs if sign is not None)

    async def release(self, person: str, signs: Sequence[str]) -> None:
        """They are new again."""
        async with self._database.begin() as connection:
            await connection.execute(delete(told).where(told.c.person == person, told.c.sign.in_(signs)))
