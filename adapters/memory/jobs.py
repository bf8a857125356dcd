"""Jobs in a process's memory, by the rules of the SQL record. Knows no database.

Nothing here awaits in the middle of a change, so tasks of one loop can't interleave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from core.jobs import LATE, MOST_TRIES, SKEW, Asked, Asker, Grip, Job, pause
from core.messages import ReplyTarget
from core.ports import Clock


@dataclass
class Untold:
    """Somebody who waits for the end of a job."""

    job: str
    asker: Asker
    next_at: datetime
    tries: int = 0


@dataclass
class MemoryJobs:
    """What the stores of one process share: all jobs by id, in the order in which they were asked for."""

    clock: Clock
    jobs: dict[str, Job] = field(default_factory=dict)
    slots: dict[str, datetime] = field(default_factory=dict)
    untold: list[Untold] = field(default_factory=list)

    def of(self, collection: str) -> list[Job]:
        """The unfinished jobs of a collection, oldest first."""
        return [job for job in self.jobs.values() if job.collection == collection and not job.ended]

    def change(self, job: Job, **values: Any) -> Job:
        """Store it with these values."""
        self.jobs[job.id] = replace(job, **values)
        return self.jobs[job.id]

    def ours(self, job: Job) -> Job | None:
        """The stored job while its owner is at work."""
        stored = self.jobs.get(job.id)
        return stored if stored and stored.status == "running" and stored.owner == job.owner else None

    def idle(self, job: Job) -> bool:
        """Whether it waits, or lost its owner."""
        return not job.ended and not job.is_at_work(self.clock.now())


class MemoryJobQueue:
    """Asking and claiming."""

    def __init__(self, stored: MemoryJobs) -> None:
        self._stored = stored

    async def ask(self, job: Job) -> Asked | None:
        """Store the job or join the one that waits; None for a slot that was asked for before."""
        stored, unfinished = self._stored, self._stored.of(job.collection)
        if job.slot is not None:
            last = stored.slots.get(job.collection)
            if last is not None and job.slot <= last <= stored.clock.now() + SKEW:
                return None
            stored.slots[job.collection] = job.slot
        waiting = next((each for each in unfinished if each.status == "waiting"), None)
        if waiting is None:
            lost = next((each for each in unfinished if stored.idle(each) and not each.cancelling), None)
            waiting = stored.change(lost, owner=None, attempts=0) if lost else None
        found = (waiting or job).asked_by_too(job.askers)
        kept = stored.change(found, slot=job.slot or found.slot)
        known = waiting.askers if waiting else ()
        stored.untold += [Untold(kept.id, each, stored.clock.now()) for each in kept.to_tell(known)]
        behind = any(each.status == "running" and each.id != kept.id for each in unfinished)
        return Asked(kept, fresh=kept.id == job.id, behind=behind)

    async def claim(self, owner: str, lease: timedelta, collections: frozenset[str]) -> Job | None:
        """Take the oldest job that may run."""
        now = self._stored.clock.now()
        for job in self._stored.jobs.values():
            first = next(iter(self._stored.of(job.collection)), None)
            if job is first and job.collection in collections and self._stored.idle(job):
                values = {"lease_until": now + lease, "attempts": job.attempts + 1, "started_at": now}
                return self._stored.change(job, status="running", owner=owner, **values)
        return None

    async def renew(self, job: Job, lease: timedelta) -> Grip:
        """Prolong the lease; a lease of nothing gives the job back."""
        stored, now = self._stored.ours(job), self._stored.clock.now()
        if stored is None:
            return "lost"
        stored = self._stored.change(stored, phase=job.phase, done=job.done, total=job.total, lease_until=now + lease)
        if not lease:
            self._stored.change(stored, owner=None, attempts=stored.attempts - 1)
        return "stop" if stored.cancelling else "ours"


class MemoryJobRecord:
    """Results and lookups."""

    def __init__(self, stored: MemoryJobs) -> None:
        self._stored = stored

    async def finish(self, job: Job) -> bool:
        """Store how the job ended, if it is still ours."""
        stored = self._stored.ours(job)
        if stored is None:
            return False
        ended = {name: getattr(job, name) for name in ("status", "report", "failure", "phase", "done", "total")}
        self._stored.change(stored, **ended, finished_at=self._stored.clock.now(), owner=None, lease_until=None)
        return True

    async def find(self, id: str) -> Job | None:
        """The job of this id."""
        return self._stored.jobs.get(id)

    async def latest(self, collections: frozenset[str], limit: int, *, reports: bool = True) -> Sequence[Job]:
        """The latest jobs of these collections, newest first."""
        found = [job for job in reversed(self._stored.jobs.values()) if job.collection in collections][:limit]
        return found if reports else [replace(job, report=None) for job in found]


class MemoryJobNews:
    """Who has still to be told how a job ended."""

    def __init__(self, stored: MemoryJobs) -> None:
        self._stored = stored

    async def claim(self, platforms: frozenset[str], limit: int) -> Sequence[Asker]:
        """Those on these platforms whose job ended a while ago."""
        due = [each for each in self._stored.untold if self._is_due(each) and _platform(each.asker) in platforms]
        for each in due[:limit]:
            each.next_at = self._stored.clock.now() + pause(each.tries)
            each.tries += 1
        return [each.asker for each in due[:limit]]

    async def told(self, target: ReplyTarget, jobs: Sequence[str]) -> None:
        """The message there says how these jobs ended."""
        left = [each for each in self._stored.untold if each.job not in jobs or each.asker.target != target]
        self._stored.untold[:] = left

    def _is_due(self, waiting: Untold) -> bool:
        now, job = self._stored.clock.now(), self._stored.jobs.get(waiting.job)
        if job is None or job.finished_at is None or job.finished_at > now - LATE:
            return False
        return waiting.next_at <= now and waiting.tries < MOST_TRIES


def _platform(asker: Asker) -> str:
    return asker.target.platform if asker.target else ""


class MemoryJobEdits:
    """What people do to jobs after they asked."""

    def __init__(self, stored: MemoryJobs) -> None:
        self._stored = stored

    async def cancel(self, id: str) -> Job | None:
        """End what nobody runs; ask whoever runs it to stop."""
        job = self._stored.jobs.get(id)
        if job is None or job.ended:
            return None
        if not self._stored.idle(job):
            return self._stored.change(job, cancelling=True)
        ended = {"status": "cancelled", "finished_at": self._stored.clock.now()}
        return self._stored.change(job, **ended, owner=None, lease_until=None)

    async def prune(self, keep: int, each: int) -> int:
        """Forget old ended jobs."""
        ended = [job for job in reversed(self._stored.jobs.values()) if job.ended]
        own: dict[str, int] = {}
        gone = []
        for place, job in enumerate(ended, 1):
            own[job.collection] = own.get(job.collection, 0) + 1
            if place > keep and own[job.collection] > each:
                gone.append(job)
        for job in gone:
            del self._stored.jobs[job.id]
        return len(gone)

    async def abandon(self, collections: frozenset[str]) -> int:
        """End what nobody will ever run."""
        left = [job for job in self._stored.jobs.values() if job.collection not in collections]
        return len([await self.cancel(job.id) for job in left if self._stored.idle(job)])
