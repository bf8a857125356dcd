"""What the answers cost, by day and model, from the sums of their traces. Pure; knows no question and no price list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.answers import TOTAL, TraceEvent
from core.messages import Language
from core.wording import say


@dataclass(frozen=True, slots=True)
class Paid:
    """Calls of one model on one day; `cost` is in US dollars, None while no price is known."""

    day: date
    model: str
    calls: int
    cost: float | None = None


def paid(trace: Sequence[TraceEvent], day: date) -> tuple[Paid, ...]:
    """What one run paid for."""
    models: Mapping[str, Mapping[str, float | None]] = next(
        (event.detail.get("models", {}) for event in trace if event.node == TOTAL), {}
    )
    return tuple(Paid(day, name, int(each.get("calls") or 0), each.get("cost")) for name, each in models.items())


def daily(every: Iterable[Paid]) -> list[Paid]:
    """One sum for each day and model, in their order; a cost that is known in part is a lower bound."""
    sums: dict[tuple[date, str], Paid] = {}
    for each in every:
        before = sums.get((each.day, each.model), Paid(each.day, each.model, 0))
        known = [cost for cost in (before.cost, each.cost) if cost is not None]
        sums[each.day, each.model] = Paid(
            each.day, each.model, before.calls + each.calls, sum(known) if known else None
        )
    return [sums[key] for key in sorted(sums)]


def told_costs(every: Iterable[Paid], language: Language) -> list[str]:
    """A line for each day and model; nothing where no model was paid."""
    lines = [_line(each, language) for each in daily(every)]
    return [say("activity.costs", language), *lines] if lines else []


def _line(each: Paid, language: Language) -> str:
    cost = say("activity.cost_unknown", language) if each.cost is None else f"${each.cost:.4f}"
    return say("activity.cost", language, day=each.day.isoformat(), model=each.model, calls=each.calls, cost=cost)
