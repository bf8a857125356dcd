"""What people think of answers, and what they know better, in the database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, func, insert, select

from adapters.sql.database import Database
from adapters.sql.schema import corrections, documents, feedback, turns
from core.feedback import DOCUMENT, Correction, Feedback, Tally


class SqlFeedback:
    """One row for each person and turn; gone with the turn."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, given: Feedback) -> None:
        """Keep it, in place of what the same person said before; nothing where the turn is gone."""
        place = select(turns.c.sequence).where(turns.c.id == given.turn)
        async with self._database.begin() as connection:
            turn = (await connection.execute(place)).scalar()
            if turn is None:
                return
            row = self._database.insert(feedback).values(
                turn=turn, by=given.by, thumb=given.thumb, comment=given.comment, at=given.at
            )
            changed = {name: getattr(row.excluded, name) for name in ("thumb", "comment", "at")}
            known = [feedback.c.turn, feedback.c.by]
            await connection.execute(row.on_conflict_do_update(index_elements=known, set_=changed))

    async def of(self, turn_id: str) -> Sequence[Feedback]:
        """What was said of a turn, oldest first."""
        query = (
            select(feedback)
            .join(turns, turns.c.sequence == feedback.c.turn)
            .where(turns.c.id == turn_id)
            .order_by(feedback.c.at, feedback.c.by)
        )
        async with self._database.begin() as connection:
            rows = await connection.execute(query)
            return [Feedback(turn_id, row.by, row.thumb, row.at, row.comment) for row in rows]

    async def tally(self, moment: datetime) -> Tally:
        """How the answers were received since then."""
        given = select(feedback.c.thumb, func.count().label("given")).where(feedback.c.at >= moment)
        query = given.group_by(feedback.c.thumb)
        async with self._database.begin() as connection:
            counts = {row.thumb: row.given for row in await connection.execute(query)}
        return Tally(counts.get("up", 0), counts.get("down", 0))


class SqlCorrections:
    """Corrections outlive the turns that they correct: they are documents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, correction: Correction) -> None:
        """Keep it, in place of one with the same id."""
        values = {
            "id": correction.id,
            "question": correction.question,
            "text": correction.text,
            "by": correction.by,
            "at": correction.at,
            "about": correction.about,
            "link": correction.link,
        }
        async with self._database.begin() as connection:
            await connection.execute(delete(corrections).where(corrections.c.id == correction.id))
            await connection.execute(insert(corrections).values(values))

    async def all(self) -> Sequence[Correction]:
        """Every one, oldest first."""
        async with self._database.begin() as connection:
            rows = await connection.execute(select(corrections).order_by(corrections.c.at, corrections.c.id))
            return [
                Correction(row.id, row.question, row.text, row.by, row.at, tuple(row.about), row.link) for row in rows
            ]

    async def remove(self, id: str) -> bool:
        """Take one back; False when there is none."""
        async with self._database.begin() as connection:
            return (await connection.execute(delete(corrections).where(corrections.c.id == id))).rowcount == 1

    async def about(self, collections: Collection[str]) -> Mapping[str, frozenset[str]]:
        """What the published corrections of each of these collections are about.

        One that was taken back, and is published until the next sync, is about a collection that there is none of.
        """
        own = func.substr(documents.c.id, 1, func.length(documents.c.id) - len(DOCUMENT))
        query = (
            select(documents.c.collection, corrections.c.about)
            .outerjoin(corrections, corrections.c.id == own)
            .where(documents.c.collection.in_(sorted(collections)))
            .distinct()
        )
        found = dict[str, frozenset[str]]()
        async with self._database.begin() as connection:
            for row in await connection.execute(query):
                about = frozenset(("",) if row.about is None else row.about)
                found[row.collection] = found.get(row.collection, frozenset()) | about
        return found
