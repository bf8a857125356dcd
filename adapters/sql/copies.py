"""Answers that are shown in a second place, in the database."""

from __future__ import annotations

from sqlalchemy import delete, exists, insert, select, update

from adapters.sql.database import Database, Transaction
from adapters.sql.rows import answer_columns, citation_rows
from adapters.sql.schema import citations, sessions, turns
from adapters.sql.sessions import session_of
from core.messages import Turn


class SqlTurnCopies:
    """Turns that were reserved for them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settle(self, turn: Turn) -> None:
        """It is there: from now on a turn of the session of its key, with its target and its answer."""
        ended = {
            "target": turn.target,
            "status": turn.status,
            "finished_at": self._database.clock.now(),
            "owner": None,
            "lease_until": None,
            **answer_columns(turn.answer),
        }
        async with self._database.begin() as connection:
            before = await _session(connection, turn.id)
            session = await session_of(self._database, connection, turn)
            mine = update(turns).where(turns.c.id == turn.id).values(session_id=session, **ended)
            sequence = (await connection.execute(mine.returning(turns.c.sequence))).scalar()
            rows = citation_rows(sequence, turn.answer) if sequence is not None else []
            if rows:
                await connection.execute(insert(citations), rows)
            await _cleared(connection, before)

    async def drop(self, turn_id: str) -> None:
        """It is not there: as if nobody had asked for it."""
        async with self._database.begin() as connection:
            before = await _session(connection, turn_id)
            await connection.execute(delete(turns).where(turns.c.id == turn_id))
            await _cleared(connection, before)


async def _session(connection: Transaction, turn_id: str) -> int | None:
    found = await connection.execute(select(turns.c.session_id).where(turns.c.id == turn_id))
    return found.scalar()


async def _cleared(connection: Transaction, session: int | None) -> None:
    """One in which no turn is left is not kept."""
    empty = ~exists().where(turns.c.session_id == sessions.c.id)
    await connection.execute(delete(sessions).where(sessions.c.id == session, empty))
