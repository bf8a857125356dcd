"""Conversations as wholes, in the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, or_, select

from adapters.sql.database import Database, Transaction
from adapters.sql.rows import in_session, load, select_turns
from adapters.sql.schema import sessions, turns
from core.etiquette import LOOKED_AT, STRANGER, Attendance, attendance_of
from core.history import exchange
from core.messages import Exchange, SessionKey, Turn


async def session_of(database: Database, connection: Transaction, turn: Turn) -> int:
    """The number of the turn's session, which is there from now on."""
    key = turn.key
    statement = database.insert(sessions).values(
        platform=key.platform,
        workspace=key.workspace,
        channel=key.channel,
        thread=key.thread,
        created_at=turn.created_at,
    )
    # an update that changes nothing: it returns the id, and keeps /forget from taking the row away meanwhile
    same = statement.on_conflict_do_update(
        index_elements=[sessions.c.platform, sessions.c.workspace, sessions.c.channel, sessions.c.thread],
        set_={"thread": statement.excluded.thread},
    )
    return int((await connection.execute(same.returning(sessions.c.id))).scalar_one())


class SqlSessions:
    """History and forgetting."""

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


class SqlAttendances:
    """Who asked us in a thread, and whether we are wanted there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def attendance(self, key: SessionKey) -> Attendance:
        """What the record knows of the thread, from its latest turns."""
        own = select(sessions.c.id, sessions.c.quiet).where(in_session(key))
        async with self._database.begin() as connection:
            session = (await connection.execute(own)).first()
            if session is None:
                return STRANGER
            latest = (
                select(turns.c.author)
                .where(turns.c.session_id == session.id, turns.c.quiet.is_(False))
                .order_by(turns.c.sequence.desc())
                .limit(LOOKED_AT)
            )
            return attendance_of((await connection.execute(latest)).scalars().all(), quiet=session.quiet)

    async def programs(self, key: SessionKey, since: datetime) -> int:
        """The latest questions in the session's channel since then that programs asked, without a person's between."""
        there = (sessions.c.platform == key.platform, sessions.c.workspace == key.workspace)
        latest = (
            select(turns.c.author)
            .join(sessions, sessions.c.id == turns.c.session_id)
            .where(*there, sessions.c.channel == key.channel, turns.c.created_at >= since, turns.c.quiet.is_(False))
            .order_by(turns.c.sequence.desc())
            .limit(LOOKED_AT)
        )
        async with self._database.begin() as connection:
            return attendance_of((await connection.execute(latest)).scalars().all(), quiet=False).bots

    async def hush(self, key: SessionKey, quiet: bool) -> None:
        """Answer here only when named, or again as the channel's rules say."""
        row = self._database.insert(sessions).values(
            platform=key.platform,
            workspace=key.workspace,
            channel=key.channel,
            thread=key.thread,
            created_at=self._database.clock.now(),
            quiet=quiet,
        )
        known = [sessions.c.platform, sessions.c.workspace, sessions.c.channel, sessions.c.thread]
        async with self._database.begin() as connection:
            await connection.execute(
                row.on_conflict_do_update(index_elements=known, set_={"quiet": row.excluded.quiet})
            )
