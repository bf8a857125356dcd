"""What came of the latest turns, read from the record a few hundred at a time. Never reads a question's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import select

from adapters.sql.database import Database
from adapters.sql.schema import turns
from core.activity import Outline, outline

PAGE = 500


class SqlTurnLog:
    """The outlines of turns."""

    def __init__(self, database: Database, page: int = PAGE) -> None:
        self._database = database
        self._size = page

    async def since(self, moment: datetime) -> Sequence[Outline]:
        """One outline for each question asked at or after the moment, in the order of acceptance."""
        found: list[Outline] = []
        last = 0
        while True:
            page = await self._page(moment, last)
            found.extend(each for _, each in page)
            if len(page) < self._size:
                return found
            last = page[-1][0]

    async def _page(self, moment: datetime, last: int) -> list[tuple[int, Outline]]:
        t = turns.c
        query = (
            select(t.sequence, t.status, t.answer, t.plan, t.trace, t.created_at)
            .where(t.created_at >= moment, t.sequence > last)
            .order_by(t.sequence)
            .limit(self._size)
        )
        async with self._database.begin() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [(row[t.sequence], _outline(row)) for row in rows]


def _outline(row: Mapping[Any, Any]) -> Outline:
    t = turns.c
    answer = row[t.answer]
    if answer is not None:
        answer = replace(answer, plan=row[t.plan], trace=row[t.trace] or ())
    return outline(row[t.status], answer, row[t.created_at].date())
