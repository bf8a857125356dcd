"""Syncs as the commands want them: asked for as jobs, run here unless another process does, followed to their end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.desk.reindex import Wish
from core.documents import Readable
from core.jobs import Asked, Asker, Job

if TYPE_CHECKING:
    from core.desk.following import Followed, Following, Seen
    from core.desk.job_lines import JobLines
    from core.desk.jobs import Jobs
    from core.desk.reindex import Reindexing
    from core.desk.running import JobRunner
    from core.desk.scheduling import Scheduler
    from core.schedules import Schedule


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Jobs and schedules of an App. `asker` is this process: what it asks for alone, it takes back when it ends."""

    asker: Asker
    reindexing: Reindexing
    jobs: Jobs
    runner: JobRunner
    following: Following
    scheduler: Scheduler
    schedules: Mapping[str, Schedule]
    lines: JobLines

    @asynccontextmanager
    async def running(self, readable: Readable) -> AsyncIterator[None]:
        """For a process that stays: meanwhile jobs are run here, and those that are due are asked for."""
        await self.jobs.abandon(readable)
        async with self.runner.running(readable.collections), self.scheduler.running():
            yield

    @asynccontextmanager
    async def errand(self, names: Sequence[str], readable: Readable) -> AsyncIterator[Errand]:
        """For a command: one job a collection, run here meanwhile. Whoever sits at this machine may ask for all."""
        with self.following.open() as followed:
            asked = await self.reindexing.ask(Wish(self.asker, tuple(names)), readable, _anything)
            errand = Errand(asked, followed)
            try:
                async with self.runner.running(frozenset(each.job.collection for each in asked)):
                    yield errand
            finally:
                await asyncio.shield(self._take_back(errand.open, readable))

    async def _take_back(self, asked: Sequence[Job], readable: Readable) -> None:
        """What was not waited for, unless somebody else asked for it too."""
        for each in asked:
            job = await self.jobs.show(each.id, readable)
            if not job.ended and set(job.askers) == {self.asker}:
                await self.jobs.cancel(job.id, readable, _anything)


class Errand:
    """What a command asked for, to be waited for one after the other."""

    def __init__(self, asked: Sequence[Asked], followed: Followed) -> None:
        self.asked = tuple(asked)
        self._followed = followed
        self._open = {each.job.id: each.job for each in asked}

    @property
    def open(self) -> tuple[Job, ...]:
        """The jobs that nobody has seen the end of."""
        return tuple(self._open.values())

    async def end_of(self, asked: Asked, seen: Seen) -> Job:
        """The job as it ended."""
        ended = await self._followed.end_of(asked.job, seen)
        del self._open[ended.id]
        return ended


def _anything(_: str) -> bool:
    return True
