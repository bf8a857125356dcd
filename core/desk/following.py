"""Waiting for the end of jobs, whichever process runs them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from core.desk.running import JobRunner
from core.jobs import Job
from core.ports import JobRecord

LOOK = 0.5
"""Seconds between looks at a job that another process runs."""

Seen = Callable[[Job], None]


class Followed:
    """Hears of all jobs of this process, and looks into the record for the others."""

    def __init__(self, record: JobRecord) -> None:
        self._record = record
        self._heard: dict[str, Job] = {}
        self._news = asyncio.Event()

    async def told(self, job: Job) -> None:
        """Keep the latest of each."""
        self._heard[job.id] = job
        self._news.set()

    async def end_of(self, job: Job, seen: Seen) -> Job:
        """The job as it ended; `seen` is told on the way. One that was deleted counts as cancelled."""
        while not job.ended:
            found = self._heard.pop(job.id, None)
            if found is None:
                await self._wait()
                found = self._heard.pop(job.id, None) or await self._record.find(job.id)
            job = found if found is not None else replace(job, status="cancelled")
            seen(job)
        return job

    async def _wait(self) -> None:
        """Until this process has news, or it is time to look at the record again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK):
                await self._news.wait()
        self._news.clear()


class Following:
    """Follows jobs in the record, and those of this process by ear."""

    def __init__(self, record: JobRecord, runner: JobRunner) -> None:
        self._record = record
        self._runner = runner

    @contextmanager
    def open(self) -> Iterator[Followed]:
        """Listen from now on; jobs that are asked for meanwhile are heard of from their beginning."""
        followed = Followed(self._record)
        with self._runner.heard_by(followed):
            yield followed
