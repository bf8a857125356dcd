"""The values of a job: a sync that somebody (or a schedule) asked for, and what became of it.

A job is stored before it runs, so that another process can run it, follow it, stop it, or take it up again.
Knows no database, no platform and no clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from core.errors import RefdeskError
from core.indexing.report import SyncReport
from core.messages import Audience, Language, ReplyTarget
from core.wording import SENTENCES

JobKind = Literal["sync"]
JobStatus = Literal["waiting", "running", "done", "failed", "cancelled"]
Grip = Literal["ours", "stop", "lost"]
"""Whether a job is still that of the process that runs it, and whether it shall go on."""

ENDED: frozenset[JobStatus] = frozenset({"done", "failed", "cancelled"})
SCHEDULE = "schedule"
"""Who asks when a schedule does."""

SKEW = timedelta(hours=1)
"""What lies further ahead than this was written by a clock that has been put right since, and holds for nothing."""

LATE = timedelta(seconds=10)
"""After this the end of a job is told by whoever sees that it was not: whoever ran it has had its chance."""

MOST_TRIES, LONGEST_PAUSE = 16, timedelta(hours=1)
"""A message that the platform never takes is given up after half a day."""

MOST_ASKERS = 50
MOST_PROBLEMS = 200
"""Problems that a stored report names; the catalog holds all of the last sync."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody who asked: who they are, where to tell them (None: they look for themselves), and in which language.

    `audience` are the readers there: what they may not read any more is not told.
    """

    by: str
    target: ReplyTarget | None = None
    language: Language = "en"
    audience: Audience | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as it can be stored: its id, its class, and the sentence for people with its fields."""

    id: str
    kind: str
    reason: str
    fields: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, error: RefdeskError) -> Failure:
        """What is kept of the error; its detail is for the log alone."""
        fields = {name: str(value) for name, value in error.fields.items()}
        return cls(error.id, type(error).__name__, error.reason, fields)

    def error(self) -> RefdeskError:
        """The error again, with the id that the log has."""
        if self.reason in SENTENCES:
            kind = next((each for each in _family(RefdeskError) if each.__name__ == self.kind), RefdeskError)
            error = kind(self.reason, **self.fields)
        else:  # another version of us stored it
            error = RefdeskError()
        error.id = self.id
        return error


def _family(kind: type[RefdeskError]) -> list[type[RefdeskError]]:
    return [kind, *(each for child in kind.__subclasses__() for each in _family(child))]


@dataclass(frozen=True, slots=True)
class Job:
    """One sync of one collection. `slot` is the moment of its schedule for which it was asked.

    `attempts` counts how often it was begun; `started_at` is when it was begun last. `owner` and `lease_until` say
    which process is at work and until when nobody else may take over. `cancelling`: it was asked to stop.
    """

    id: str
    collection: str
    askers: tuple[Asker, ...]
    created_at: datetime
    kind: JobKind = "sync"
    status: JobStatus = "waiting"
    slot: datetime | None = None
    phase: str = ""
    done: int = 0
    total: int = 0
    report: SyncReport | None = None
    failure: Failure | None = None
    cancelling: bool = False
    owner: str | None = None
    lease_until: datetime | None = None
    attempts: int = 0
    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will become of it."""
        return self.status in ENDED

    @property
    def why_no_report(self) -> RefdeskError:
        """Why a job that has ended has none: its failure, or that it was cancelled."""
        cancelled = RefdeskError("error.job_cancelled", collection=self.collection)
        return self.failure.error() if self.failure is not None else cancelled

    def is_at_work(self, now: datetime) -> bool:
        """Whether a process that is alive runs it."""
        return self.status == "running" and self.lease_until is not None and self.lease_until > now

    def asked_by_too(self, askers: tuple[Asker, ...]) -> Job:
        """The same job with more people to tell; nobody is told twice."""
        return replace(self, askers=tuple(dict.fromkeys((*self.askers, *askers)))[:MOST_ASKERS])

    def to_tell(self, known: tuple[Asker, ...] = ()) -> list[Asker]:
        """Those with a message of their own, but for the known ones."""
        return [each for each in self.askers if each.target and each.audience and each not in known]


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: a new job (`fresh`) or the one that waits already; `behind` another that is at work."""

    job: Job
    fresh: bool = True
    behind: bool = False


def pause(tries: int) -> timedelta:
    """How long after so many failed tries the end of a job is told again at the earliest."""
    return min(LATE * (1 << min(tries, MOST_TRIES)), LONGEST_PAUSE)


def storable(report: SyncReport) -> SyncReport:
    """The report with as many problems as a record should hold; the failures beyond are counted."""
    kept, rest = report.problems[:MOST_PROBLEMS], report.problems[MOST_PROBLEMS:]
    return replace(report, problems=kept, unnamed=report.unnamed + sum(not each.is_remark for each in rest))
