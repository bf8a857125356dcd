"""Messages through the local planner, and how what came of them is counted. Knows no data."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from adapters.local.planner import LocalPlanner
from core.answers import Plan
from core.documents import Card
from core.messages import Language
from core.ports import Embedder, PlanRequest
from core.retrieval.language import question_language
from tests.benchmarks.routing_data import TODAY, Case


@dataclass(frozen=True, slots=True)
class Routed:
    """A message and its plan."""

    case: Case
    plan: Plan

    @property
    def choice(self) -> str:
        """What the plan put first: a collection or another route."""
        plan = self.plan
        return plan.collections[0] if plan.route == "collections" and plan.collections else plan.route

    def is_right(self, first: int = 1) -> bool:
        """Whether the right place is the route, or one of the first so many collections."""
        if self.plan.route != "collections":
            return self.plan.route in self.case.right
        return bool(set(self.plan.collections[:first]) & set(self.case.right))

    @property
    def is_searched(self) -> bool:
        """Whether the right collection is searched at all."""
        return self.is_right(len(self.plan.collections))


async def route(embedder: Embedder, cards: Sequence[Card], cases: Sequence[Case], *, web: bool = False) -> list[Routed]:
    """Plan each message as the first of its thread."""
    planner = LocalPlanner(embedder)
    await embedder.embed([case.text for case in cases], "query")
    results = []
    for case in cases:
        language: Language = "ko" if question_language(case.text) == "ko" else "en"
        request = PlanRequest(case.text, language, TODAY, tuple(cards), web_allowed=web)
        results.append(Routed(case, await planner.plan(request)))
        await asyncio.sleep(0)
    return results


def accuracy(results: Sequence[Routed], first: int = 1) -> float:
    """The share of right ones, in percent."""
    return percent(sum(each.is_right(first) for each in results), len(results))


def share(results: Sequence[Routed], test: Callable[[Routed], bool]) -> float:
    """The share of those that pass, in percent."""
    return percent(sum(map(test, results)), len(results))


def macro_f1(results: Sequence[Routed]) -> float:
    """Mean over the true classes of 2·tp / (2·tp + fp + fn), in percent; for cases with one right place."""
    guesses = [(each.case.right[0], each.choice) for each in results]
    values = []
    for name in sorted({right for right, _ in guesses}):
        hit = sum(right == guess == name for right, guess in guesses)
        off = sum((right == name) != (guess == name) for right, guess in guesses)
        values.append(2 * hit / (2 * hit + off) if hit or off else 0.0)
    return round(100 * sum(values) / len(values), 1)


def percent(part: int, whole: int) -> float:
    """With one decimal; 0 of nothing."""
    return round(100 * part / max(1, whole), 1)
