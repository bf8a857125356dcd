"""When a collection is due for a sync: pure rules over slots, the moments that a schedule names.

A slot is done by any job that began after it. Slots that passed while nobody was there are done by one job. A
collection that keeps failing is tried less and less often, at least once a day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Protocol

from core.jobs import SKEW, Job

DAY = timedelta(days=1)
LOOKED_AT = 20
"""The latest jobs of a collection that tell how it stands."""

_START = datetime(1970, 1, 1, tzinfo=UTC)


class Schedule(Protocol):
    """The slots of one collection; aware moments, the same whoever asks and whenever."""

    def latest(self, at: datetime) -> datetime | None:
        """The last slot at or before the moment."""
        ...

    def following(self, after: datetime) -> datetime | None:
        """The first slot after the moment; None when there is none any more."""
        ...


@dataclass(frozen=True, slots=True)
class Every:
    """A slot every so often, counted from midnight UTC of a fixed day, so that all processes mean the same."""

    interval: timedelta

    def latest(self, at: datetime) -> datetime:
        """The last slot at or before the moment."""
        slots: int = (at - _START) // self.interval
        return _START + self.interval * slots

    def following(self, after: datetime) -> datetime:
        """The first slot after the moment."""
        return self.latest(after) + self.interval


@dataclass(frozen=True, slots=True)
class Standing:
    """How a collection stands: the last slot asked for, when a job last began, failures in a row, the last job."""

    slot: datetime | None = None
    started_at: datetime | None = None
    failures: int = 0
    last: Job | None = None


def standing(jobs: Sequence[Job]) -> Standing:
    """What the latest jobs of one collection, newest first, say of it. Cancelled ones say nothing of its source."""
    results = [job for job in jobs if job.status in ("done", "failed")]
    failures = next((place for place, job in enumerate(results) if job.status == "done"), len(results))
    slots = [job.slot for job in jobs if job.slot is not None]
    starts = [job.started_at for job in jobs if job.started_at is not None]
    return Standing(max(slots, default=None), max(starts, default=None), failures, next(iter(results), None))


def due(schedule: Schedule, stands: Standing, now: datetime) -> datetime | None:
    """The slot for which a job is to be asked now."""
    slot, stands = schedule.latest(now), _put_right(stands, now)
    if slot is None or (stands.slot is not None and slot <= stands.slot):
        return None
    if stands.started_at is not None and stands.started_at >= slot:
        return None
    return slot if slot >= _earliest(schedule, stands, slot) else None


def next_slot(schedule: Schedule, stands: Standing, now: datetime) -> datetime | None:
    """The slot for which a job will be asked next, as things stand."""
    slot, stands = schedule.following(now), _put_right(stands, now)
    if slot is None:
        return None
    earliest = _earliest(schedule, stands, slot)
    return slot if slot >= earliest else schedule.following(earliest - timedelta(microseconds=1))


def _put_right(stands: Standing, now: datetime) -> Standing:
    """Without what a clock wrote that went far ahead: it would keep the collection waiting until that day comes."""
    slot, started_at = (None if at is None or at > now + SKEW else at for at in (stands.slot, stands.started_at))
    return replace(stands, slot=slot, started_at=started_at)


def _earliest(schedule: Schedule, stands: Standing, otherwise: datetime) -> datetime:
    """Before this moment a failing collection is left alone: double the interval each time, up to a day."""
    if stands.slot is None or stands.failures < 2:
        return otherwise
    following = schedule.following(stands.slot)
    interval = DAY if following is None else following - stands.slot
    longest = max(interval, DAY)
    doubled = interval * (1 << min(stands.failures - 1, 20))
    return stands.slot + min(doubled, longest)
