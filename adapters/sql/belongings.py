"""What the record holds of one person: shown to them, and forgotten when they ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, exists, or_, select, true, update

from adapters.sql.database import Database, Transaction
from adapters.sql.rows import UNENDED, answer_columns, in_session, load, select_turns
from adapters.sql.schema import citations, feedback, sessions, turns
from core.messages import Author, Forgotten, SessionKey, Turn


class SqlBelongings:
    """By platform, workspace and the person's id there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recent(self, platform: str, workspace: str, user: str, limit: int, channel: str = "") -> Sequence[Turn]:
        """Their latest turns, newest first, those under way among them; with a channel those in it."""
        asked = and_(UNENDED, turns.c.quiet.is_(False))
        shown = or_(asked, turns.c.status.in_(("answered", "failed")))
        query = select_turns().where(_theirs(platform, workspace, user), shown)
        if channel:
            query = query.where(sessions.c.channel == channel)
        async with self._database.begin() as connection:
            return await load(connection, query.order_by(turns.c.sequence.desc()).limit(limit))

    async def forget(self, platform: str, workspace: str, user: str) -> Forgotten:
        """Everything of theirs: sessions that nobody else asked in, their words in the others, what they thought."""
        return await self._forget(_theirs(platform, workspace, user), user, true(), f"{platform}/{workspace}/{user}")

    async def forget_in(self, key: SessionKey, user: str) -> Forgotten:
        """The same for one session."""
        inside = turns.c.session_id.in_(select(sessions.c.id).where(in_session(key)))
        theirs = and_(_theirs(key.platform, key.workspace, user), inside)
        return await self._forget(theirs, user, inside, f"{key.platform}/{key.workspace}/{user}")

    async def _forget(self, theirs: ColumnElement[bool], user: str, inside: ColumnElement[bool], by: str) -> Forgotten:
        rated = feedback.c.turn.in_(select(turns.c.sequence).where(inside))
        async with self._database.begin() as connection:
            await connection.execute(delete(feedback).where(feedback.c.by == by, rated))
            unended = await load(connection, select_turns().where(theirs, UNENDED))
            own = list((await connection.execute(select(turns.c.sequence).where(theirs))).scalars())
            alone = list((await connection.execute(_alone(theirs, user))).scalars())
            for numbers in _in_parts(alone):
                await connection.execute(delete(turns).where(turns.c.session_id.in_(numbers)))
                await connection.execute(delete(sessions).where(sessions.c.id.in_(numbers)))
            for numbers in _in_parts(own):
                await _unword(connection, numbers)
            return Forgotten(len(own), tuple(unended))


async def _unword(connection: Transaction, numbers: Sequence[int]) -> None:
    """What is left of them, in sessions of several people: that there was a question, and where its answer stands.

    A higher revision ends a run that is under way.
    """
    blank: dict[str, Any] = {"author": Author(""), "author_id": "", "question": "", "status": "withdrawn"}
    gone = {"owner": None, "lease_until": None, "error_id": None, "revision": turns.c.revision + 1}
    await connection.execute(delete(citations).where(citations.c.turn.in_(numbers)))
    await connection.execute(
        update(turns).where(turns.c.sequence.in_(numbers)).values({**answer_columns(None), **blank, **gone})
    )


def _theirs(platform: str, workspace: str, user: str) -> ColumnElement[bool]:
    return and_(turns.c.platform == platform, turns.c.workspace == workspace, turns.c.author_id == user)


def _alone(theirs: ColumnElement[bool], user: str) -> Select[tuple[int]]:
    """The sessions in which nobody else ever asked."""
    others = turns.alias("others")
    spoken = exists().where(others.c.session_id == turns.c.session_id, others.c.author_id != user).correlate(turns)
    return select(turns.c.session_id).where(theirs, ~spoken).distinct()


def _in_parts(numbers: list[int], size: int = 500) -> list[list[int]]:
    """Databases take a bounded number of values at once."""
    return [numbers[start : start + size] for start in range(0, len(numbers), size)]
