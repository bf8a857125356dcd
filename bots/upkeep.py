"""Syncs as the commands want them: asked for as jobs, run here unless another process does, followed to their end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.desk.reindex import Wish
from core.documents import Readable
from core.jobs import Asked, Asker

if TYPE_CHECKING:
    from core.desk.following import Following
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
        async with self.runner.running(readable.collections), self.scheduler.running():
            yield

    @asynccontextmanager
    async def asked(self, names: Sequence[str], readable: Readable) -> AsyncIterator[tuple[Asked, ...]]:
        """For a command: one job a collection, run here meanwhile. Whoever sits at this machine may ask for all."""
        asked = await self.reindexing.ask(Wish(self.asker, tuple(names)), readable, lambda _: True)
        try:
            async with self.runner.running(frozenset(each.job.collection for each in asked)):
                yield asked
        finally:
            await asyncio.shield(self._take_back(asked, readable))

    async def _take_back(self, asked: Sequence[Asked], readable: Readable) -> None:
        """What was not waited for, unless somebody else asked for it too."""
        for each in asked:
            job = await self.jobs.show(each.job.id, readable)
            if not job.ended and set(job.askers) == {self.asker}:
                await self.jobs.cancel(job.id, readable, lambda _: True)
