"""Jobs in memory, run by real loops over a sync that does what a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from adapters.memory.jobs import MemoryJobEdits, MemoryJobQueue, MemoryJobRecord, MemoryJobs
from core.desk.following import Following
from core.desk.jobs import Jobs
from core.desk.reindex import Reindexing, Wish
from core.desk.running import JobRunner, Pace
from core.documents import Readable
from core.indexing.report import Progress, SyncReport
from core.jobs import Asked, Asker, Job

NAMES = ("docs", "wiki", "secret")
ALL = Readable(frozenset(NAMES))
PACE = Pace(look=0.01, rest=0.0, beat=0.02)


def anybody(_: str) -> bool:
    """Whoever asks may."""
    return True


@dataclass
class Sync:
    """A sync that waits to be let go; `steps` is called while it runs."""

    free: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    ran: list[str] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    stopped: int = 0
    error: Exception | None = None
    steps: Callable[[Progress], None] | None = None

    async def __call__(self, name: str, progress: Progress) -> SyncReport:
        self.ran.append(name)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        try:
            if self.steps is not None:
                self.steps(progress)
            await self.free.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        finally:
            self.at_once -= 1
        if self.error is not None:
            raise self.error
        return SyncReport(name, added=1, published=True)


@dataclass
class Clock:
    """A clock that tests move."""

    at: datetime = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at

    def pass_by(self, time: timedelta) -> None:
        self.at += time


class Upkeep:
    """The parts of one process, over stores that several may share."""

    def __init__(self, stored: MemoryJobs | None = None, owner: str = "p1", sync: Sync | None = None) -> None:
        self.clock = Clock()
        self.stored = stored or MemoryJobs(self.clock)
        self.sync = sync or Sync()
        self.queue, self.record = MemoryJobQueue(self.stored), MemoryJobRecord(self.stored)
        self.edits = MemoryJobEdits(self.stored)
        self.runner = JobRunner((self.queue, self.record, self.edits), self.sync, owner, pace=PACE)
        self.reindexing = Reindexing(self.queue, NAMES, self.clock)
        self.jobs = Jobs(self.record, self.edits)
        self.following = Following(self.record, self.runner)

    async def ask(self, *names: str, by: str = "console/ann") -> Asked:
        """The first job of a wish."""
        return (await self.reindexing.ask(Wish(Asker(by), names), ALL, anybody))[0]

    async def end_of(self, asked: Asked) -> Job:
        """Wait for it; a test that hangs is no test."""
        async with asyncio.timeout(10):
            with self.following.open() as followed:
                return await followed.end_of(asked.job, lambda _: None)


@dataclass
class Listener:
    """Keeps what it is told."""

    heard: list[Job] = field(default_factory=list)

    async def told(self, job: Job) -> None:
        self.heard.append(job)
