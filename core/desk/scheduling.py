"""The loop that asks for the syncs that are due. Runs none: whoever runs jobs does."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from core.desk.jobs import Jobs
from core.desk.reindex import Reindexing
from core.documents import Readable
from core.ports import Clock
from core.schedules import Schedule, due

log = logging.getLogger(__name__)

LOOK = 20.0
"""Seconds between looks at most: clocks are set, machines sleep, other processes sync."""


class Scheduler:
    """Asks inside `async with scheduler.running()`. Several processes may do so at once: a slot is asked for once."""

    def __init__(
        self, schedules: Mapping[str, Schedule], reindexing: Reindexing, jobs: Jobs, clock: Clock, look: float = LOOK
    ) -> None:
        self._schedules = schedules
        self._reindexing = reindexing
        self._jobs = jobs
        self._clock = clock
        self._look = look

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Meanwhile what is due is asked for."""
        loop = asyncio.create_task(self._loop(), name="schedule loop") if self._schedules else None
        try:
            yield
        finally:
            if loop is not None:
                loop.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await loop

    async def _loop(self) -> None:
        while True:
            pause = self._look
            try:
                await self.look()
                pause = self._pause()
            except Exception:
                log.exception("what is due could not be looked up")
            await asyncio.sleep(pause)

    async def look(self) -> list[str]:
        """Ask for what is due now; the ids of the jobs."""
        now = self._clock.now()
        standings = await self._jobs.standings(Readable(frozenset(self._schedules)))
        asked = []
        for name, schedule in self._schedules.items():
            slot = due(schedule, standings[name], now)
            found = await self._reindexing.ask_for_slot(name, slot) if slot is not None else None
            if found is not None:
                log.info("%s is due (%s): job %s", name, slot, found.job.id)
                asked.append(found.job.id)
        return asked

    def _pause(self) -> float:
        """Until the next slot, within bounds."""
        now = self._clock.now()
        following = [schedule.following(now) for schedule in self._schedules.values()]
        waits = [(slot - now).total_seconds() for slot in following if slot is not None]
        return max(0.05, min([*waits, self._look]))
