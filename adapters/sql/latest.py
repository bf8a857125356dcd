"""The latest questions and conversations, as the database knows them: there, what was missed can be read."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import func, select

from adapters.sql.database import Database
from adapters.sql.schema import sessions, turns
from core.messages import SessionKey


class SqlLatestTurns:
    """By platform."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self, platform: str, since: datetime, limit: int) -> list[tuple[SessionKey, str]]:
        """Conversations with a question since then, the latest first, each with its last question's identity."""
        last = func.max(turns.c.sequence).label("last")
        newest = (
            select(turns.c.session_id, last)
            .where(turns.c.platform == platform, turns.c.created_at >= since)
            .group_by(turns.c.session_id)
            .order_by(last.desc())
            .limit(limit)
            .subquery()
        )
        query = (
            select(sessions, turns.c.identity)
            .join(newest, newest.c.session_id == sessions.c.id)
            .join(turns, turns.c.sequence == newest.c.last)
            .order_by(newest.c.last.desc())
        )
        async with self._database.begin() as connection:
            rows = (await connection.execute(query)).all()
        return [(SessionKey(row.platform, row.workspace, row.channel, row.thread), row.identity) for row in rows]

    async def asked(self, platform: str, since: datetime, limit: int) -> list[tuple[str, str, str]]:
        """The latest questions since then that still stand, the latest first: workspace, where it stood, identity."""
        t = turns.c
        query = (
            select(t.workspace, t.target, t.identity)
            .where(t.platform == platform, t.created_at >= since, t.status != "withdrawn")
            .order_by(t.sequence.desc())
            .limit(limit)
        )
        async with self._database.begin() as connection:
            return [(row.workspace, row.target.channel, row.identity) for row in await connection.execute(query)]
