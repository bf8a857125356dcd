"""Deleting a collection from the record: everything that syncs wrote of it, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select, union

from adapters.sql.database import Database
from adapters.sql.schema import (
    cards,
    collections,
    digests,
    documents,
    generations,
    previous_cards,
    problems,
    self_tests,
)

_HELD = (documents, digests, problems, generations, cards, previous_cards, self_tests)


class SqlForgetter:
    """What syncs wrote; questions, answers and jobs that name the collection are not theirs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def names(self) -> Sequence[str]:
        """Every collection of which there is anything."""
        held = [select(collections.c.name), *(select(table.c.collection) for table in (cards, previous_cards))]
        async with self._database.begin() as connection:
            return sorted((await connection.execute(union(*held))).scalars())

    async def forget(self, collection: str) -> int:
        """Delete all that is held of it; how many documents that were."""
        counted = select(func.count()).where(documents.c.collection == collection)
        async with self._database.begin() as connection:
            count = (await connection.execute(counted)).scalar_one()
            for table in _HELD:
                await connection.execute(delete(table).where(table.c.collection == collection))
            await connection.execute(delete(collections).where(collections.c.name == collection))
        return int(count)
