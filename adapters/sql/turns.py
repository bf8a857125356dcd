"""Turns in the database: accepted once, claimed by one process, finished by the one that owns them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, and_, delete, exists, insert, or_, select, true, update

from adapters.sql.database import Database
from adapters.sql.rows import (
    UNENDED,
    answer_columns,
    citation_rows,
    in_channel,
    in_session,
    load,
    new_row,
    select_turns,
)
from adapters.sql.schema import citations, taken_back, turns
from adapters.sql.sessions import session_of
from core.messages import Accepted, ReplyTarget, SessionKey, Turn

WITHDRAWN = 500
"""Turns, the latest that were withdrawn, that are looked at for messages that still stand."""

LATEST = timedelta(days=1)
"""How long a message may be late: Slack sends one again for hours."""

_FREE: dict[str, Any] = {"owner": None, "lease_until": None}


class SqlTurnQueue:
    """Accepting and claiming."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(self, turn: Turn) -> Accepted:
        """Store the turn and its session; a message that came before gives the turn it made then.

        One that was taken back before it came is stored without its words, and nothing is done about it.
        """
        async with self._database.begin() as connection:
            session_id = await session_of(self._database, connection, turn)
            gone = (await connection.execute(select(exists().where(_taken_back(turn))))).scalar()
            if gone:
                turn = replace(turn, question="", status="withdrawn", owner=None, lease_until=None)
            statement = self._database.insert(turns).values(session_id=session_id, **new_row(turn))
            known = [turns.c.platform, turns.c.workspace, turns.c.identity]
            fresh = (
                await connection.execute(
                    statement.on_conflict_do_nothing(index_elements=known).returning(turns.c.sequence)
                )
            ).first()
            if fresh is not None:
                waits = exists().where(turns.c.session_id == session_id, turns.c.sequence < fresh.sequence, UNENDED)
                waiting = bool((await connection.execute(select(waits))).scalar())
                return Accepted(turn, duplicate=bool(gone), waits=waiting)
            same = select_turns().where(
                turns.c.platform == turn.key.platform,
                turns.c.workspace == turn.key.workspace,
                turns.c.identity == turn.identity,
            )
            (stored,) = await load(connection, same)
            return Accepted(stored, duplicate=True)

    async def claim(self, owner: str, lease: timedelta, platforms: frozenset[str] | None = None) -> Turn | None:
        """Take the oldest turn that may run; one UPDATE, so that no two processes get the same."""
        now = self._database.clock.now()
        statement = (
            update(turns)
            .where(turns.c.sequence == _next_turn(now, owner, platforms))
            .values(status="running", owner=owner, lease_until=now + lease, attempts=turns.c.attempts + 1)
            .returning(turns.c.sequence)
        )
        async with self._database.begin() as connection:
            sequence = (await connection.execute(statement)).scalar()
            if sequence is None:
                return None
            (turn,) = await load(connection, select_turns().where(turns.c.sequence == sequence))
            return turn

    async def renew(self, turn: Turn, lease: timedelta) -> bool:
        """Prolong the lease while the turn is ours; a lease of nothing gives it back."""
        until = self._database.clock.now() + lease
        async with self._database.begin() as connection:
            result = await connection.execute(update(turns).where(_ours(turn)).values(lease_until=until))
            return result.rowcount == 1


class SqlTurnRecord:
    """Progress, results, lookups."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def retarget(self, turn: Turn, target: ReplyTarget) -> bool:
        """Store where the reply stands, unless another process has taken the turn over (or it was forgotten).

        Also for a turn edited or withdrawn meanwhile: a message that was posted must be known to be ours.
        """
        unless_taken = or_(turns.c.owner == turn.owner, turns.c.owner.is_(None))
        async with self._database.begin() as connection:
            stored = update(turns).where(turns.c.id == turn.id, unless_taken).values(target=target)
            return (await connection.execute(stored)).rowcount == 1

    async def finish(self, turn: Turn) -> bool:
        """Store how the turn ended, if this revision is current and still ours; where it stands is `retarget`'s."""
        result = {
            "status": turn.status,
            "error_id": turn.error_id,
            "finished_at": self._database.clock.now(),
            **_FREE,
            **answer_columns(turn.answer),
        }
        statement = update(turns).where(_ours(turn)).values(result).returning(turns.c.sequence)
        async with self._database.begin() as connection:
            sequence = (await connection.execute(statement)).scalar()
            if sequence is None:
                return False
            rows = citation_rows(sequence, turn.answer)
            if rows:
                await connection.execute(insert(citations), rows)
            return True

    async def find(self, *, turn_id: str | None = None, key: SessionKey | None = None) -> Turn | None:
        """One turn by id, or the latest finished turn of a session."""
        query = select_turns().order_by(turns.c.sequence.desc()).limit(1)
        if turn_id is not None:
            query = query.where(turns.c.id == turn_id)
        if key is not None:
            query = query.where(in_session(key))
            if turn_id is None:
                query = query.where(turns.c.status.in_(("answered", "failed")))
        return await _one(self._database, query)


class SqlTurnEdits:
    """What people do to a question after they asked it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def identified(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The turn of this message, whatever its status."""
        same = (turns.c.platform == platform, turns.c.workspace == workspace, turns.c.identity == identity)
        return await _one(self._database, select_turns().where(*same))

    async def revise(self, turn_id: str, question: str, *, addressed: bool = False) -> Turn | None:
        """Ask anew, as the next revision; the old run's result will not be stored any more."""
        changes = turns.c.question != question
        values: dict[str, Any] = {"status": "waiting", "question": question}
        if addressed:
            changes, values["quiet"] = or_(changes, turns.c.quiet), False
        return await self._restart(turn_id, changes, values)

    async def withdraw(self, turn_id: str) -> Turn | None:
        """End it as withdrawn and drop its words; the target stays."""
        return await self._restart(turn_id, turns.c.sequence > 0, {"status": "withdrawn", "question": ""})

    async def take_back(self, platform: str, workspace: str, identity: str) -> None:
        """This message is gone: should it still come, it is nothing. What is older than a day is forgotten."""
        now = self._database.clock.now()
        row = self._database.insert(taken_back).values(
            platform=platform, workspace=workspace, identity=identity, at=now
        )
        async with self._database.begin() as connection:
            await connection.execute(delete(taken_back).where(taken_back.c.at < now - LATEST))
            await connection.execute(row.on_conflict_do_nothing())

    async def unfinished(self, platform: str, workspace: str) -> Sequence[str]:
        """The ids of the turns there that wait or are being answered, in the order of acceptance."""
        there = (turns.c.platform == platform, turns.c.workspace == workspace)
        query = select(turns.c.id).where(UNENDED, *there).order_by(turns.c.sequence)
        async with self._database.begin() as connection:
            return tuple((await connection.execute(query)).scalars())

    async def left_standing(self, platforms: frozenset[str] | None = None) -> Sequence[Turn]:
        """Among the latest that were withdrawn, those of which messages may still be there.

        An answer whose asker was forgotten after its end stays.
        """
        here = true() if platforms is None else turns.c.platform.in_(sorted(platforms))
        gone = select_turns().where(turns.c.status == "withdrawn", turns.c.finished_at.is_(None), here)
        async with self._database.begin() as connection:
            latest = await load(connection, gone.order_by(turns.c.sequence.desc()).limit(WITHDRAWN))
        return [turn for turn in latest if turn.target.message_ids]

    async def stop(self, turn_id: str) -> bool:
        """Ask whichever process is at it to end with what it has."""
        unfinished = update(turns).where(turns.c.id == turn_id, UNENDED)
        async with self._database.begin() as connection:
            return (await connection.execute(unfinished.values(stopping=True))).rowcount == 1

    async def asked_by(self, key: SessionKey, author: str, *, anywhere: bool = False) -> Sequence[str]:
        """The ids of the questions of this person that have no end yet, in the session or `anywhere` in its channel."""
        there = in_channel(key) if anywhere else in_session(key)
        async with self._database.begin() as connection:
            found = await load(connection, select_turns().where(there, UNENDED))
        return [turn.id for turn in found if turn.author.id == author]

    async def stopping(self, turn_id: str) -> bool:
        """Whether somebody asked for that."""
        query = select(turns.c.stopping).where(turns.c.id == turn_id)
        async with self._database.begin() as connection:
            return bool((await connection.execute(query)).scalar())

    async def call(self, turn_id: str, called: bool = True) -> bool:
        """Note that somebody is called to it; one UPDATE, so that it is noted once."""
        fresh = update(turns).where(turns.c.id == turn_id, turns.c.called.is_(not called))
        async with self._database.begin() as connection:
            return (await connection.execute(fresh.values(called=called))).rowcount == 1

    async def _restart(self, turn_id: str, condition: ColumnElement[bool], values: dict[str, Any]) -> Turn | None:
        fresh = {
            "revision": turns.c.revision + 1,
            "attempts": 0,
            "error_id": None,
            "finished_at": None,
            "stopping": False,
        }
        statement = (
            update(turns)
            .where(turns.c.id == turn_id, turns.c.status != "withdrawn", condition)
            .values({**_FREE, **answer_columns(None), **fresh, **values})
            .returning(turns.c.sequence)
        )
        async with self._database.begin() as connection:
            sequence = (await connection.execute(statement)).scalar()
            if sequence is None:
                return None
            await connection.execute(delete(citations).where(citations.c.turn == sequence))
            (turn,) = await load(connection, select_turns().where(turns.c.sequence == sequence))
            return turn


async def _one(database: Database, query: Any) -> Turn | None:
    async with database.begin() as connection:
        found = await load(connection, query)
        return found[0] if found else None


def _taken_back(turn: Turn) -> ColumnElement[bool]:
    return and_(
        taken_back.c.platform == turn.key.platform,
        taken_back.c.workspace == turn.key.workspace,
        taken_back.c.identity == turn.identity,
    )


def _ours(turn: Turn) -> ColumnElement[bool]:
    return and_(
        turns.c.id == turn.id,
        turns.c.revision == turn.revision,
        turns.c.owner == turn.owner,
        turns.c.status == "running",
    )


def _next_turn(now: datetime, owner: str, platforms: frozenset[str] | None) -> ScalarSelect[int]:
    """The oldest turn that waits or lost its owner, while nothing before it and nothing else of its session runs.

    Whoever heard a turn shows the first sign of life on it, and has it to itself for that long.
    """
    turn, other = turns.alias("turn"), turns.alias("other")
    blocked = (
        exists()
        .where(
            other.c.session_id == turn.c.session_id,
            other.c.sequence != turn.c.sequence,
            or_(
                and_(other.c.sequence < turn.c.sequence, other.c.status.in_(("waiting", "running"))),
                and_(other.c.status == "running", other.c.lease_until > now),
            ),
        )
        .correlate(turn)
    )
    return (
        select(turn.c.sequence)
        .where(
            or_(
                and_(turn.c.status == "waiting", or_(turn.c.owner.is_(None), turn.c.owner == owner)),
                and_(turn.c.status.in_(("waiting", "running")), turn.c.lease_until <= now),
            )
        )
        .where(~blocked, true() if platforms is None else turn.c.platform.in_(sorted(platforms)))
        .order_by(turn.c.sequence)
        .limit(1)
        .with_for_update(skip_locked=True, of=turn)  # PostgreSQL only; SQLite has one writer anyway
        .scalar_subquery()
    )
