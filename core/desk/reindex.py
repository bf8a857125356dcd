"""Asking for a sync of one collection or all. Whether the asker may is decided before, by `core.access_commands`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.documents import Readable
from core.errors import AccessDenied, InputError
from core.jobs import SCHEDULE, Asked, Asker, Job
from core.ports import Clock, JobQueue

May = Callable[[str], bool]
"""Whether the asker may do it with this collection."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Who wants which collections synced; without names all that they may."""

    asker: Asker
    names: tuple[str, ...] = ()


class Reindexing:
    """The use case: wishes become stored jobs. They are run elsewhere."""

    def __init__(self, queue: JobQueue, collections: Sequence[str], clock: Clock) -> None:
        self._queue = queue
        self._collections = tuple(collections)
        self._clock = clock

    async def ask(self, wish: Wish, readable: Readable, may: May) -> tuple[Asked, ...]:
        """One job for each collection, in order. Raises InputError and AccessDenied, before anything is asked.

        What the asker may not read does not exist for them.
        """
        known = [name for name in self._collections if name in readable.collections]
        for name in wish.names:
            if name not in known:
                raise InputError("error.collection_unknown", name=name, known=", ".join(known))
        names = list(dict.fromkeys(wish.names)) or [name for name in known if may(name)]
        if not names or not all(map(may, names)):
            raise AccessDenied
        asked = [await self._queue.ask(self._job(name, wish.asker)) for name in names]
        return tuple(each for each in asked if each is not None)

    async def ask_for_slot(self, name: str, slot: datetime) -> Asked | None:
        """The job for a slot of the collection's schedule; None when it was asked for before."""
        return await self._queue.ask(self._job(name, Asker(SCHEDULE), slot))

    def _job(self, name: str, asker: Asker, slot: datetime | None = None) -> Job:
        return Job(uuid.uuid4().hex[:8], name, (asker,), self._clock.now(), slot=slot)
