"""Conversations as wholes, in the database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, or_, select

from adapters.sql.database import Database
from adapters.sql.rows import in_session, load, select_turns
from adapters.sql.schema import sessions, turns
from core.history import exchange
from core.messages import Exchange, SessionKey, Turn


class SqlSessions:
    """History, forgetting, and whether we were here before."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def history(self, key: SessionKey, before: Turn, limit: int) -> Sequence[Exchange]:
        """The latest answered exchanges before this turn, oldest first."""
        place = select(turns.c.sequence).where(turns.c.id == before.id).scalar_subquery()
        query = (
            select_turns()
            .where(in_session(key), turns.c.status == "answered", or_(place.is_(None), turns.c.sequence < place))
            .order_by(turns.c.sequence.desc())
            .limit(limit)
        )
        async with self._database.begin() as connection:
            found = await load(connection, query)
        return [past for past in map(exchange, reversed(found)) if past is not None]

    async def forget(self, key: SessionKey) -> int:
        """Delete the session; turns and their footnotes go with it."""
        ids = select(sessions.c.id).where(in_session(key)).scalar_subquery()
        async with self._database.begin() as connection:
            gone = await connection.execute(delete(turns).where(turns.c.session_id == ids))
            await connection.execute(delete(sessions).where(in_session(key)))
            return gone.rowcount

    async def known(self, key: SessionKey) -> bool:
        """Whether a question was ever accepted here."""
        async with self._database.begin() as connection:
            return bool((await connection.execute(select(func.count()).where(in_session(key)))).scalar())
