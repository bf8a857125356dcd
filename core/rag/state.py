"""What one run of the graph knows: small, serialisable, and never mutated by a node.

Passages stand on the run's shelf; the state holds their ids and what was decided about them, so that
a verdict never has to be recomputed from what happened to survive.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypedDict, TypeVar

from core.answers import Answer, Check, Citation, Grade, Plan, SentenceCheck, Strip, TraceEvent, Verdict
from core.documents import TimeSpan

T = TypeVar("T")

Stop = Literal["", "deadline", "stopped", "budget", "failed"]
"""Why a run ended before it was satisfied (a cap shows in the counters); empty while nothing stopped it."""


def first(old: Stop, new: Stop) -> Stop:
    """Reducer: branches that run at the same time may both be stopped."""
    return old or new


def merged(old: Mapping[str, T], new: Mapping[str, T]) -> Mapping[str, T]:
    """Reducer: later entries win, earlier ones stay."""
    return {**old, **new}


class RunState(TypedDict, total=False):
    """The state of a run. `found` is the ids of all passages looked at, in order of arrival."""

    readable: tuple[str, ...]
    """What its readers could read when it began: whatever else the state holds may rest on any of it."""
    plan: Plan
    search: tuple[str, ...]
    """The wordings to search next; empty: the plan's own."""
    found: tuple[str, ...]
    fresh: tuple[str, ...]
    """Ids that the last search brought and that were not known before."""
    grades: Annotated[Mapping[str, Grade], merged]
    strips: Annotated[Mapping[str, tuple[Strip, ...]], merged]
    weak: bool
    verdict: Verdict
    draft: str
    evidence: tuple[str, ...]
    quoted: bool
    """Whether the draft is of the second writer, because the first had failed."""
    check: Check
    missing: str
    rewrites: int
    regenerations: int
    searches: int
    web_failed: bool
    stop: Annotated[Stop, first]
    answer: Answer
    trace: Annotated[list[TraceEvent], operator.add]


STORED: tuple[type, ...] = (Plan, TimeSpan, Grade, Strip, Check, SentenceCheck, Answer, Citation, TraceEvent)
"""The types of our own that a state may hold: what a checkpoint may make when it is read back."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a run has gone round, read from its state."""

    rewrites: int = 0
    regenerations: int = 0
    searches: int = 0

    @property
    def loops(self) -> int:
        """Rewrites and regenerations together."""
        return self.rewrites + self.regenerations


def tally(state: RunState) -> Tally:
    """The counters of a state, zero where nothing was counted yet."""
    return Tally(state.get("rewrites", 0), state.get("regenerations", 0), state.get("searches", 0))


def kept(state: RunState) -> tuple[str, ...]:
    """Ids that were not graded incorrect, in order of arrival."""
    grades = state.get("grades", {})
    return tuple(id for id in state.get("found", ()) if id not in grades or grades[id].label != "incorrect")


@dataclass(frozen=True, slots=True)
class Counts:
    """How a run's passages were graded."""

    correct: int = 0
    ambiguous: int = 0
    incorrect: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)


def counts(grades: Mapping[str, Grade]) -> Counts:
    """Retrieved and rejected, and why: what `/why` shows and what the trigger decides from."""
    reasons: dict[str, int] = {}
    for grade in grades.values():
        if grade.label == "incorrect":
            reasons[grade.reason or "off_topic"] = reasons.get(grade.reason or "off_topic", 0) + 1
    labels = [grade.label for grade in grades.values()]
    return Counts(labels.count("correct"), labels.count("ambiguous"), labels.count("incorrect"), reasons)
