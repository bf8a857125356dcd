"""Jobs in the database: asked for once, claimed by one process, stopped by anybody. Knows no sync."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Update,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from adapters.sql.database import Database, Transaction
from adapters.sql.schema import job_news, job_slots, jobs
from core.jobs import ENDED, SKEW, Asked, Asker, Grip, Job

_FIELDS = [field.name for field in fields(Job)]
_UNFINISHED = ("waiting", "running")
_FREE: dict[str, Any] = {"owner": None, "lease_until": None}


class SqlJobQueue:
    """Asking and claiming."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def ask(self, job: Job) -> Asked | None:
        """Store the job or join the one that waits; None for a slot that was asked for before."""
        async with self._database.begin() as connection:
            if job.slot is not None and not await self._took_slot(connection, job):
                return None
            stored = await self._interrupted(connection, job) or await self._waiting(connection, job)
            told = stored.asked_by_too(job.askers)
            if told != stored:
                await connection.execute(update(jobs).where(jobs.c.id == stored.id).values(askers=told.askers))
            await self._to_be_told(connection, told, () if stored.id == job.id else stored.askers)
            behind = select(jobs.c.id).where(jobs.c.collection == job.collection, jobs.c.status == "running")
            before = (await connection.execute(behind.where(jobs.c.id != stored.id))).first()
            return Asked(told, fresh=stored.id == job.id, behind=before is not None)

    async def claim(self, owner: str, lease: timedelta, collections: frozenset[str]) -> Job | None:
        """Take the oldest job that may run; one UPDATE, so that no two processes get the same."""
        now = self._database.clock.now()
        statement = (
            update(jobs)
            .where(jobs.c.sequence == _next_job(now, collections))
            .values(
                status="running", owner=owner, lease_until=now + lease, attempts=jobs.c.attempts + 1, started_at=now
            )
            .returning(jobs)
        )
        return await _one(self._database, statement)

    async def renew(self, job: Job, lease: timedelta) -> Grip:
        """Prolong the lease; a lease of nothing gives the job back."""
        values: dict[str, Any] = {"phase": job.phase, "done": job.done, "total": job.total}
        now = self._database.clock.now()
        if lease:
            values["lease_until"] = now + lease
        else:
            values |= {"lease_until": now, "owner": None, "attempts": jobs.c.attempts - 1}
        statement = update(jobs).where(_ours(job)).values(values).returning(jobs.c.cancelling)
        async with self._database.begin() as connection:
            found = (await connection.execute(statement)).first()
        if found is None:
            return "lost"
        return "stop" if found.cancelling else "ours"

    async def _to_be_told(self, connection: Transaction, job: Job, known: tuple[Asker, ...]) -> None:
        now = self._database.clock.now()
        rows = [
            {"job": job.id, "platform": each.target.platform, "asker": each, "tries": 0, "next_at": now}
            for each in job.to_tell(known)
            if each.target is not None
        ]
        if rows:
            await connection.execute(insert(job_news), rows)

    async def _took_slot(self, connection: Transaction, job: Job) -> bool:
        """Whether nobody asked for this slot, or a later one that can be, before."""
        row = self._database.insert(job_slots).values(collection=job.collection, slot=job.slot)
        later = row.on_conflict_do_update(
            index_elements=[job_slots.c.collection],
            set_={"slot": row.excluded.slot},
            where=or_(job_slots.c.slot < row.excluded.slot, job_slots.c.slot > self._database.clock.now() + SKEW),
        )
        return (await connection.execute(later.returning(job_slots.c.slot))).first() is not None

    async def _interrupted(self, connection: Transaction, job: Job) -> Job | None:
        """A job whose process died will begin after this ask: it is freed, so that its old owner can't go on."""
        other = jobs.alias("other")
        waits = exists().where(other.c.collection == job.collection, other.c.status == "waiting")
        statement = (
            update(jobs)
            .where(jobs.c.collection == job.collection, jobs.c.status == "running", jobs.c.cancelling.is_(False))
            .where(jobs.c.lease_until <= self._database.clock.now(), ~waits)
            .values(owner=None, attempts=0, slot=func.coalesce(job.slot, jobs.c.slot))
            .returning(jobs)
        )
        row = (await connection.execute(statement)).mappings().first()
        return None if row is None else _job(row)

    async def _waiting(self, connection: Transaction, job: Job) -> Job:
        """The new job as it is stored, or the one that waits already."""
        row = self._database.insert(jobs).values({name: getattr(job, name) for name in _FIELDS})
        same = row.on_conflict_do_update(
            index_elements=[jobs.c.collection],
            index_where=text("status = 'waiting'"),
            set_={"slot": func.coalesce(row.excluded.slot, jobs.c.slot)},
        )
        return _job((await connection.execute(same.returning(jobs))).mappings().one())


class SqlJobRecord:
    """Results and lookups."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def finish(self, job: Job) -> bool:
        """Store how the job ended, if it is still ours."""
        ended = ("status", "report", "failure", "phase", "done", "total")
        values = {name: getattr(job, name) for name in ended}
        now = self._database.clock.now()
        statement = update(jobs).where(_ours(job)).values(finished_at=now, **_FREE, **values)
        async with self._database.begin() as connection:
            return (await connection.execute(statement)).rowcount == 1

    async def find(self, id: str) -> Job | None:
        """The job of this id."""
        return await _one(self._database, select(jobs).where(jobs.c.id == id))

    async def latest(self, collections: frozenset[str], limit: int, *, reports: bool = True) -> Sequence[Job]:
        """The latest jobs of these collections, newest first. A report takes a millisecond to read."""
        columns = [column for column in jobs.c if reports or column is not jobs.c.report]
        query = select(*columns).where(jobs.c.collection.in_(sorted(collections))).order_by(jobs.c.sequence.desc())
        async with self._database.begin() as connection:
            return [_job(row) for row in (await connection.execute(query.limit(limit))).mappings()]


class SqlJobEdits:
    """What people do to jobs after they asked."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def cancel(self, id: str) -> Job | None:
        """End what nobody runs; ask whoever runs it to stop."""
        end = self._ending(jobs.c.id == id)
        ask = update(jobs).where(jobs.c.id == id, jobs.c.status == "running").values(cancelling=True)
        async with self._database.begin() as connection:
            for statement in (end, ask):
                row = (await connection.execute(statement.returning(jobs))).mappings().first()
                if row is not None:
                    return _job(row)
            return None

    async def prune(self, keep: int, each: int) -> int:
        """Forget old ended jobs."""
        newest = jobs.c.sequence.desc()
        ranked = select(
            jobs.c.sequence,
            func.row_number().over(order_by=newest).label("place"),
            func.row_number().over(partition_by=jobs.c.collection, order_by=newest).label("own"),
        ).where(jobs.c.status.in_(sorted(ENDED)))
        old = ranked.subquery()
        gone = select(old.c.sequence).where(old.c.place > keep, old.c.own > each)
        async with self._database.begin() as connection:
            return int((await connection.execute(delete(jobs).where(jobs.c.sequence.in_(gone)))).rowcount)

    async def abandon(self, collections: frozenset[str]) -> int:
        """End what nobody will ever run."""
        async with self._database.begin() as connection:
            ended = await connection.execute(self._ending(jobs.c.collection.not_in(sorted(collections))))
            return int(ended.rowcount)

    def _ending(self, which: ColumnElement[bool]) -> Update:
        """End those that nobody runs now."""
        now = self._database.clock.now()
        idle = or_(jobs.c.status == "waiting", and_(jobs.c.status == "running", jobs.c.lease_until <= now))
        return update(jobs).where(which, idle).values(status="cancelled", finished_at=now, **_FREE)


async def _one(database: Database, statement: Any) -> Job | None:
    async with database.begin() as connection:
        row = (await connection.execute(statement)).mappings().first()
        return None if row is None else _job(row)


def _job(row: Mapping[Any, Any]) -> Job:
    return Job(**{name: row[name] for name in _FIELDS if name in row})


def _ours(job: Job) -> ColumnElement[bool]:
    return and_(jobs.c.id == job.id, jobs.c.owner == job.owner, jobs.c.status == "running")


def _next_job(now: datetime, collections: frozenset[str]) -> ScalarSelect[int]:
    """The oldest job that waits or lost its owner, while nothing before it in its collection is unfinished."""
    job, other = jobs.alias("job"), jobs.alias("other")
    blocked = (
        exists()
        .where(other.c.collection == job.c.collection, other.c.sequence < job.c.sequence)
        .where(other.c.status.in_(_UNFINISHED))
        .correlate(job)
    )
    return (
        select(job.c.sequence)
        .where(job.c.collection.in_(sorted(collections)))
        .where(or_(job.c.status == "waiting", and_(job.c.status == "running", job.c.lease_until <= now)))
        .where(~blocked)
        .order_by(job.c.sequence)
        .limit(1)
        .with_for_update(skip_locked=True, of=job)  # PostgreSQL only; SQLite has one writer anyway
        .scalar_subquery()
    )
