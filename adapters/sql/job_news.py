"""Who has still to be told how a job ended, in the database. Knows no message."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, update

from adapters.sql.database import Database
from adapters.sql.schema import job_news, jobs
from core.jobs import ENDED, LATE, MOST_TRIES, Asker, pause
from core.messages import ReplyTarget


class SqlJobNews:
    """A row each, written when they ask and gone when they were told; nearly always there is none."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, platforms: frozenset[str], limit: int) -> Sequence[Asker]:
        """Those on these platforms whose job ended a while ago; looking at nothing writes nothing."""
        now, news = self._database.clock.now(), job_news.c
        due = (
            select(news.sequence, news.tries)
            .join(jobs, jobs.c.id == news.job)
            .where(news.platform.in_(sorted(platforms)), news.next_at <= now, news.tries < MOST_TRIES)
            .where(jobs.c.status.in_(sorted(ENDED)), jobs.c.finished_at <= now - LATE)
            .order_by(news.sequence)
            .limit(limit)
        )
        async with self._database.begin() as connection:
            found = (await connection.execute(due)).all()
        if not found:
            return []
        async with self._database.begin() as connection:
            taken = [
                update(job_news)
                .where(news.sequence == row.sequence, news.tries == row.tries)
                .values(tries=row.tries + 1, next_at=now + pause(row.tries))
                .returning(news.asker)
                for row in found
            ]
            askers = [(await connection.execute(each)).scalar() for each in taken]
        return [asker for asker in askers if asker is not None]

    async def told(self, target: ReplyTarget, jobs: Sequence[str]) -> None:
        """The message there says how these jobs ended."""
        query = select(job_news.c.sequence, job_news.c.asker).where(job_news.c.job.in_(jobs))
        async with self._database.begin() as connection:
            rows = await connection.execute(query)
            done = [row.sequence for row in rows if row.asker.target == target]
        if done:
            async with self._database.begin() as connection:
                await connection.execute(delete(job_news).where(job_news.c.sequence.in_(done)))
