"""Jobs and schedules as lines for people. Knows no platform: a terminal prints them, a message carries them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from core.indexing.report import summary, told_report
from core.indexing.text import one_line
from core.jobs import Asked, Job
from core.messages import Language
from core.schedules import Schedule, Standing, next_slot
from core.wording import say

MOST_NAMED = 3
"""People named in the line of a job."""


@dataclass(frozen=True, slots=True)
class JobLines:
    """The lines in one language, with times as they are where the desk stands."""

    language: Language
    zone: tzinfo

    def job(self, job: Job, now: datetime) -> list[str]:
        """What the job is, and what came of it."""
        by = ", ".join(one_line(asker.by) for asker in job.askers[:MOST_NAMED])
        more = " …" if len(job.askers) > MOST_NAMED else ""
        status = say(f"job.status.{status_of(job, now)}", self.language)
        fields = {"id": job.id, "collection": job.collection, "status": status, "by": by + more}
        return [say("job.line", self.language, when=self.moment(job.created_at), **fields), *self._details(job)]

    def brief(self, job: Job, now: datetime) -> str:
        """The same in one line, without who asked."""
        status = say(f"job.status.{status_of(job, now)}", self.language)
        fields = {"id": job.id, "collection": job.collection, "status": status}
        return say("job.brief", self.language, when=self.moment(job.created_at), **fields)

    def asked(self, asked: Asked, silent: timedelta | None = None) -> list[str]:
        """What there is to wait for, if it is more than the job itself; `silent` as of `silent_for`."""
        fields = {"collection": asked.job.collection, "id": asked.job.id}
        if asked.behind and silent is not None:
            return [say("job.behind_silent", self.language, seconds=math.ceil(silent.total_seconds()), **fields)]
        if asked.behind:
            return [say("job.behind", self.language, **fields)]
        return [] if asked.fresh else [say("job.joined", self.language, **fields)]

    def crowded(self, asked: Asked) -> str:
        """That the job goes on without a word to whoever asked last."""
        return say("job.crowded", self.language, collection=asked.job.collection, id=asked.job.id)

    def ended(self, job: Job) -> list[str]:
        """The final report: what was added, changed, removed and could not be read; or why there is none."""
        if job.report is not None:
            return told_report(job.report, self.language)
        return [job.why_no_report.user_message(self.language)]

    def standing(self, name: str, stands: Standing, schedule: Schedule | None, now: datetime) -> list[str]:
        """That its last syncs failed, and when it is synced by itself."""
        lines, last = [], stands.last
        if stands.failures and last is not None and last.failure is not None:
            reason = last.failure.error().user_message(self.language)
            when = self.moment(last.finished_at or last.created_at)
            fields = {"collection": name, "count": stands.failures, "when": when, "reason": reason}
            lines.append(say("job.failing", self.language, **fields))
        slot = next_slot(schedule, stands, now) if schedule is not None else None
        if slot is not None:
            lines.append(say("job.next", self.language, collection=name, when=self.moment(slot)))
        return lines

    def moment(self, at: datetime) -> str:
        """To the minute, with its offset."""
        return at.astimezone(self.zone).isoformat(" ", "minutes")

    def _details(self, job: Job) -> list[str]:
        if job.failure is not None:
            return ["  " + job.failure.error().user_message(self.language)]
        if job.report is not None:
            return ["  " + summary(job.report, self.language)]
        return ["  " + line for line in progress(job, self.language)]


def progress(job: Job, language: Language) -> list[str]:
    """How far a running job has come, in one line; none before it has begun anything."""
    if job.status != "running" or not job.phase:
        return []
    phase = say(f"sync.phase.{job.phase}", language)
    return [say("job.progress", language, phase=phase, done=job.done, total=job.total)]


BEATS_MISSED = timedelta(seconds=3)
"""A process that runs a job renews its lease every second."""


def silent_for(jobs: Sequence[Job], now: datetime, lease: timedelta) -> timedelta | None:
    """How long until a running job of these is taken over, where its process gives no sign of life; else None."""
    for job in jobs:
        if job.status == "running" and job.lease_until is not None and job.lease_until - now < lease - BEATS_MISSED:
            return max(job.lease_until - now, timedelta(0))
    return None


def status_of(job: Job, now: datetime) -> str:
    """The status, with what it hides: nobody is at work any more, or it was asked to stop."""
    if job.status != "running":
        return job.status
    if not job.is_at_work(now):
        return "interrupted"
    return "stopping" if job.cancelling else "running"
