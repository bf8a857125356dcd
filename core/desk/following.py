"""Waiting for the end of a job, whichever process runs it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace

from core.desk.running import JobRunner
from core.jobs import Job
from core.ports import JobRecord

LOOK = 0.5
"""Seconds between looks at a job that another process runs."""

Seen = Callable[[Job], None]


class _Ear:
    """Hears of one job from this process."""

    def __init__(self, id: str) -> None:
        self._id = id
        self.news = asyncio.Event()
        self.job: Job | None = None

    async def told(self, job: Job) -> None:
        """Keep the latest."""
        if job.id == self._id:
            self.job = job
            self.news.set()


class Following:
    """Follows jobs in the record, and those of this process by ear."""

    def __init__(self, record: JobRecord, runner: JobRunner) -> None:
        self._record = record
        self._runner = runner

    async def end_of(self, job: Job, seen: Seen) -> Job:
        """The job as it ended; `seen` is told on the way. One that was deleted counts as cancelled."""
        ear = _Ear(job.id)
        with self._runner.heard_by(ear):
            while not job.ended:
                found = ear.job or await self._record.find(job.id)
                ear.job = None
                job = found if found is not None else replace(job, status="cancelled")
                seen(job)
                if not job.ended:
                    await self._wait(ear)
        return job

    async def _wait(self, ear: _Ear) -> None:
        """Until this process has news, or it is time to look at the record again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK):
                await ear.news.wait()
        ear.news.clear()
