"""The loop that claims jobs and runs them: one at a time in a process, stopped within a second of being asked to.

What a crash interrupts is taken up again when its lease has run out. Knows no source, no index and no platform.
A queue library replaces the loop and keeps `JobRunner.run`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

from core.errors import RefdeskError
from core.indexing.report import PUBLISHING, Phase, Progress, SyncReport
from core.jobs import Failure, Grip, Job, storable
from core.ports import JobEdits, JobListener, JobQueue, JobRecord

log = logging.getLogger(__name__)

Work = Callable[[str, Progress], Awaitable[SyncReport]]
"""Syncs the collection of that name; may be cancelled at any time. Raises RefdeskError."""

LEASE = timedelta(seconds=20)
"""How long a claimed job stays ours without a sign of life."""

ATTEMPTS = 3
"""A job whose process died this often is not begun again."""

PATIENCE = 5.0
"""Seconds that somebody who is told may take: the lease must be renewed meanwhile."""

KEPT, KEPT_EACH = 200, 10
"""Ended jobs that stay in the record, over all and of every collection."""

PRUNED_AFTER = 50
"""Syncs without news make no haste slower; after so many of them old jobs are forgotten all the same."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between looks for a job, after one has ended, and between signs of life of one that runs."""

    look: float = 1.0
    rest: float = 0.02
    beat: float = 1.0


@dataclass(slots=True)
class _Seen:
    """How far a sync says it is; told on at the next beat."""

    job: Job

    def progress(self, phase: Phase, done: int, total: int) -> None:
        self.job = replace(self.job, phase=phase, done=done, total=total)


class JobRunner:
    """Runs jobs inside `async with runner.running(names)`, and tells whoever listens."""

    def __init__(
        self,
        stores: tuple[JobQueue, JobRecord, JobEdits],
        work: Work,
        owner: str,
        *,
        lease: timedelta = LEASE,
        pace: Pace = Pace(),
    ) -> None:
        self._queue, self._record, self._edits = stores
        self._work = work
        self._owner = owner
        self._lease = lease
        self._pace = pace
        self._unpruned = 0
        self._alone = asyncio.Lock()  # several loops may be open; a sync takes all that one process has
        self._listeners: list[JobListener] = []

    @contextmanager
    def heard_by(self, listener: JobListener) -> Iterator[None]:
        """Tell the listener of the jobs of this process."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    @asynccontextmanager
    async def running(self, collections: frozenset[str]) -> AsyncIterator[None]:
        """Meanwhile jobs of these collections are run here; at the end the one at work is given back."""
        loop = asyncio.create_task(self._loop(collections), name="job loop")
        try:
            yield
        finally:
            loop.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await loop

    async def _loop(self, collections: frozenset[str]) -> None:
        while True:
            async with self._alone:
                job = await self._claim(collections)
                if job is not None:
                    await self.run(job)
            # After a job too: whoever waited for it alone closes the loop now, and nothing is claimed in vain.
            await asyncio.sleep(self._pace.look if job is None else self._pace.rest)

    async def _claim(self, collections: frozenset[str]) -> Job | None:
        """The next job; a store that fails is asked again later. One claimed in the moment of the end is given back."""
        claiming = asyncio.ensure_future(self._queue.claim(self._owner, self._lease, collections))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            (claimed,) = await asyncio.gather(claiming, return_exceptions=True)
            if isinstance(claimed, Job):
                await self._give_back(claimed)
            raise
        except Exception:
            log.exception("no job could be claimed")
            return None

    async def run(self, job: Job) -> None:
        """Run a claimed job to its end; raises nothing but CancelledError, and then the job was given back."""
        try:
            ended = await self._ended(job)
            if ended is not None and await self._record.finish(_to_store(ended)):
                await self._tell(ended)
                await self._pruned(ended)
        except asyncio.CancelledError:
            await self._give_back(job)
            raise
        except Exception:  # the record failed: the lease runs out, and the job is tried again
            log.exception("job %s could not be finished", job.id)

    async def _pruned(self, ended: Job) -> None:
        """Forget old jobs: now and then when nothing was new."""
        self._unpruned += 1
        if ended.report is None or ended.report.published or self._unpruned >= PRUNED_AFTER:
            self._unpruned = 0
            await self._edits.prune(KEPT, KEPT_EACH)

    async def _ended(self, job: Job) -> Job | None:
        """The job with its end; None when it is not ours any more."""
        if job.cancelling:
            return replace(job, status="cancelled")
        if job.attempts > ATTEMPTS:
            error = RefdeskError("error.job_crashed", collection=job.collection, attempts=ATTEMPTS)
            log.error("job %s of %s broke off %d times (id %s)", job.id, job.collection, ATTEMPTS, error.id)
            return replace(job, status="failed", failure=Failure.of(error))
        await self._tell(job)
        seen = _Seen(job)
        work = asyncio.ensure_future(self._work(job.collection, seen.progress))
        keeper = asyncio.ensure_future(self._keep(job, seen))
        try:
            await asyncio.wait({work, keeper}, return_when=asyncio.FIRST_COMPLETED)
            stopped = not work.done()
        finally:
            work.cancel()
            keeper.cancel()
            await asyncio.gather(work, keeper, return_exceptions=True)
        if stopped and (work.cancelled() or work.exception() is not None):  # it may have been too late to stop it
            return replace(seen.job, status="cancelled") if keeper.result() == "stop" else None
        return _result(seen.job, work)

    async def _keep(self, told: Job, seen: _Seen) -> Grip:
        """Signs of life until the job is to stop or lost; a store that fails for a moment has taken nothing away.

        A sync that publishes is not stopped any more: it ends within moments, and has a report.
        """
        while True:
            await asyncio.sleep(self._pace.beat)
            now = seen.job
            try:
                grip = await self._queue.renew(now, self._lease)
            except RefdeskError as error:
                log.warning("the lease of job %s could not be renewed: %s", now.id, error)
                continue
            if grip == "lost" or (grip == "stop" and seen.job.phase not in PUBLISHING):
                return grip
            if now != told:
                told = now
                await self._tell(now)

    async def _tell(self, job: Job) -> None:
        for listener in tuple(self._listeners):
            try:
                async with asyncio.timeout(PATIENCE):
                    await listener.told(job)
            except Exception as error:  # noqa: BLE001  # any vendor's; the sync is what counts
                log.warning("job %s could not be told: %r", job.id, error)

    async def _give_back(self, job: Job) -> None:
        """Let another process go on at once, without waiting for the lease to run out.

        Cancelled in the moment of its end, there is an end to tell of.
        """
        try:
            grip = await self._queue.renew(job, timedelta(0))
            found = await self._record.find(job.id) if grip == "lost" else None
            if found is not None and found.ended:
                await self._tell(found)
        except RefdeskError as error:
            log.warning("job %s could not be given back: %s", job.id, error)


def _result(job: Job, work: asyncio.Future[SyncReport]) -> Job:
    # a sync that was cancelled by its own parts is a bug like any other
    error = RuntimeError("the sync was cancelled") if work.cancelled() else work.exception()
    if error is None:
        return replace(job, status="done", report=work.result())
    if isinstance(error, RefdeskError):
        log.warning("the sync of %s failed: %s %s", job.collection, error.id, error)
    else:
        bug, error = error, RefdeskError(detail=repr(error))
        log.error("the sync of %s failed: %s", job.collection, error.id, exc_info=bug)
    return replace(job, status="failed", failure=Failure.of(error))


def _to_store(job: Job) -> Job:
    return job if job.report is None else replace(job, report=storable(job.report))
