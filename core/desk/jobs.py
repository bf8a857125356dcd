"""Looking at jobs and stopping them, as far as somebody may. Runs none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.desk.reindex import May
from core.documents import Readable
from core.errors import AccessDenied, InputError
from core.jobs import Job
from core.ports import JobEdits, JobRecord
from core.schedules import LOOKED_AT, Standing, standing

SHOWN = 20

LISTED = "`refdesk jobs`"
"""How the list of jobs is asked for at a terminal."""


class Jobs:
    """The use cases around stored jobs. Those of a collection that somebody may not read don't exist for them."""

    def __init__(self, record: JobRecord, edits: JobEdits) -> None:
        self._record = record
        self._edits = edits

    async def latest(self, readable: Readable, limit: int = SHOWN) -> Sequence[Job]:
        """The latest jobs, newest first."""
        return await self._record.latest(readable.collections, limit)

    async def show(self, id: str, readable: Readable, listed: str = LISTED) -> Job:
        """The job of this id. Raises InputError when there is none, which says how they are `listed`."""
        job = await self._record.find(id)
        if job is None or job.collection not in readable.collections:
            raise InputError("error.job_unknown", id=id, listed=listed)
        return job

    async def cancel(self, id: str, readable: Readable, may: May, listed: str = LISTED) -> Job:
        """End it, or ask its process to stop; a job that has ended stays as it is. Raises InputError, AccessDenied."""
        job = await self.show(id, readable, listed)
        if not may(job.collection):
            raise AccessDenied
        return await self._edits.cancel(id) or await self.show(id, readable)

    async def abandon(self, configured: Readable) -> int:
        """End what waits for collections that are configured no more: nobody would ever run it, nor see it wait."""
        return await self._edits.abandon(configured.collections)

    async def standings(self, readable: Readable) -> Mapping[str, Standing]:
        """How each collection stands, by name."""
        names = sorted(readable.collections)
        return {
            name: standing(await self._record.latest(frozenset({name}), LOOKED_AT, reports=False)) for name in names
        }
