"""Two implementations of a step as one: the first decides, unless it is unsure, then the second is asked.

What the second can't tell – it fails, or the run may make no more calls – stays as the first has said.
Knows no family: usually the first is local and the second a model.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from core.answers import Check, Grade, Plan, Retrieved
from core.documents import Passage
from core.errors import BudgetSpent, UpstreamError, UpstreamTimeout
from core.ports import Checker, Grader, Planner, PlanRequest, Writer, WriteRequest
from core.streams import closed_after

log = logging.getLogger(__name__)

T = TypeVar("T")

Decider = Literal["first", "second", "failed"]
"""Who had the last word; `failed`: the second was asked and could not say, so the first had."""

Sure = Callable[[PlanRequest, Plan], bool]


@dataclass
class Decided:
    """Who decided how often, step by step. One for each run, or one for many to measure a share."""

    counts: Counter[tuple[str, Decider]] = field(default_factory=Counter)
    latest: dict[str, Decider] = field(default_factory=dict)

    def note(self, step: str, by: Decider) -> None:
        """Count one decision of a step."""
        self.counts[step, by] += 1
        self.latest[step] = by

    def by_step(self) -> Mapping[str, Mapping[str, int]]:
        """``{"plan": {"first": 3, "second": 1}}``."""
        table: dict[str, dict[str, int]] = {}
        for (step, by), count in self.counts.items():
            table.setdefault(step, {})[by] = count
        return table

    def stayed(self, step: str) -> float | None:
        """The share (0–1) of a step's decisions that needed no second word; None without any."""
        total = sum(count for (name, _), count in self.counts.items() if name == step)
        return self.counts[step, "first"] / total if total else None


def confident(at_least: float) -> Sure:
    """Sure is a plan with this confidence."""
    return lambda _, plan: plan.confidence is not None and plan.confidence >= at_least


def reaching(at_least: float) -> Sure:
    """Sure also is a plan that searches every readable collection: no other route could find more."""

    def sure(request: PlanRequest, plan: Plan) -> bool:
        everywhere = plan.route == "collections" and len(plan.collections) == len(request.cards)
        return everywhere or confident(at_least)(request, plan)

    return sure


def alone(request: PlanRequest, _: Plan) -> bool:
    """Sure is whoever plans a question outside any conversation: its wording is complete."""
    return not (request.history or request.context)


def either(one: Sure, other: Sure) -> Sure:
    """Sure by one or by the other."""
    return lambda request, plan: one(request, plan) or other(request, plan)


class CascadePlanner:
    """The first planner's plan, unless it is unsure."""

    def __init__(self, first: Planner, second: Planner, decided: Decided, *, sure: Sure | None = None) -> None:
        self._first = first
        self._second = second
        self._decided = decided
        self._sure = sure or confident(0.7)

    async def plan(self, request: PlanRequest) -> Plan:
        """One plan; raises only what the first raises."""
        plan = await self._first.plan(request)
        if self._sure(request, plan):
            self._decided.note("plan", "first")
            return plan
        try:
            better = await self._second.plan(request)
        except (UpstreamError, BudgetSpent) as error:
            return _stays("plan", plan, error, self._decided)
        self._decided.note("plan", "second")
        return better


class CascadeGrader:
    """Hybrid grading: the first decides clear cases, the second gets the ambiguous ones in one call."""

    def __init__(
        self, first: Grader, second: Grader, decided: Decided, *, above: float = 0.7, below: float = 0.3
    ) -> None:
        self._first = first
        self._second = second
        self._decided = decided
        self._above = above
        self._below = below

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order; what the second leaves open stays as it was."""
        grades = list(await self._first.grade(question, plan, retrieved))
        unsure = [place for place, grade in enumerate(grades) if not self._clear(grade)]
        if not unsure:
            self._decided.note("grade", "first")
            return grades
        try:
            seconds = await self._second.grade(question, plan, [retrieved[place] for place in unsure])
        except (UpstreamError, BudgetSpent) as error:
            return _stays("grade", grades, error, self._decided)
        self._decided.note("grade", "second")
        for place, grade in zip(unsure, seconds, strict=False):
            if grade.reason != "ungraded":
                grades[place] = grade
        return grades

    def _clear(self, grade: Grade) -> bool:
        return grade.reason == "stale" or (grade.p is not None and not self._below <= grade.p <= self._above)


class CascadeChecker:
    """The first checker's word on an answer that it finds clearly supported and useful; else the second's."""

    def __init__(self, first: Checker, second: Checker, decided: Decided, *, above: float = 0.7) -> None:
        self._first = first
        self._second = second
        self._decided = decided
        self._above = above

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        """One check. A no costs another round, so no first word of doubt is taken for one."""
        check = await self._first.check(question, answer, passages)
        if check.useful and check.sentences and all(sentence.p > self._above for sentence in check.sentences):
            self._decided.note("check", "first")
            return check
        try:
            better = await self._second.check(question, answer, passages)
        except (UpstreamError, BudgetSpent) as error:
            return _stays("check", check, error, self._decided)
        self._decided.note("check", "second")
        return better if better.sentences else check


_TO_MEND = frozenset({"error.model_key", "error.model_missing", "error.model_quota", "error.model_request"})
"""What only an admin can mend is told, and not covered up by a second writer."""


class CascadeWriter:
    """The first writer's words; where it fails before its first one, the second's.

    An answer that there was before is better than another writer's: writing again is left to the first.
    """

    def __init__(self, first: Writer, second: Writer, decided: Decided, *, patience: float = 20.0) -> None:
        self._first = first
        self._second = second
        self._decided = decided
        self._patience = patience

    async def write(self, request: WriteRequest) -> AsyncGenerator[str, None]:
        """One text; raises what the first raises once it has begun."""
        begun = bool(request.unsupported or request.missing)
        try:
            async with closed_after(self._first.write(request)) as chunks:
                chunk = await self._first_word(chunks)
                while chunk is not None:
                    begun = True
                    yield chunk
                    chunk = await anext(chunks, None)
            self._decided.note("generate", "first")
            return
        except (UpstreamError, BudgetSpent) as error:
            if begun or error.reason in _TO_MEND:
                raise
            log.warning("the first writer failed: %s", error)
        self._decided.note("generate", "second")
        async for chunk in self._second.write(request):
            yield chunk

    async def _first_word(self, chunks: AsyncIterator[str]) -> str | None:
        """None at the end of an empty text. Raises UpstreamTimeout from a writer that keeps everybody waiting."""
        try:
            async with asyncio.timeout(self._patience):
                return await anext(chunks, None)
        except TimeoutError as late:
            raise UpstreamTimeout(detail="no word in time") from late


def _stays(step: str, value: T, error: Exception, decided: Decided) -> T:
    log.warning("the second word on %s failed: %s", step, error)
    decided.note(step, "failed")
    return value
