"""What came of the questions of the last days: how they ended, and how often the web had to help. Pure.

The correction rate is the share of the questions put to the team's documents for which the web was searched too.
Where it is high, a collection lacks what people ask about. Knows nothing of their words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.answers import Answer
from core.costs import Paid, paid, told_costs
from core.messages import Language
from core.wording import say

PERIOD = timedelta(days=7)
HIGH = 0.3
"""The correction rate from which a collection is said to lack material."""
ENOUGH = 5
"""Questions put to a collection before its own rate says anything."""


@dataclass(frozen=True, slots=True)
class Outline:
    """One turn: how it ended (an answer's standing, else the turn's status), where it was sent, and if to the web."""

    ended: str
    route: str = ""
    collections: tuple[str, ...] = ()
    searched_web: bool = False
    paid: tuple[Paid, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrections:
    """Turns put to documents, and those among them for which the web was searched."""

    turns: int = 0
    searched: int = 0

    @property
    def rate(self) -> float:
        """The correction rate in 0-1."""
        return self.searched / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True)
class Activity:
    """Counts by ending, and corrections, over all and for each collection that a plan named."""

    ended: Mapping[str, int]
    overall: Corrections
    collections: Mapping[str, Corrections]
    paid: tuple[Paid, ...] = ()

    @property
    def turns(self) -> int:
        """How many there were."""
        return sum(self.ended.values())


def outline(status: str, answer: Answer | None, day: date) -> Outline:
    """A turn of that day as far as it is counted. A search that failed counts: the documents did not do."""
    if answer is None or status == "kept_quiet":
        return Outline(status, paid=paid(answer.trace, day) if answer else ())
    searched = any(event.node == "search" and "skipped" not in event.detail for event in answer.trace)
    plan = answer.plan
    return Outline(
        answer.standing, plan.route if plan else "", plan.collections if plan else (), searched, paid(answer.trace, day)
    )


def activity(outlines: Iterable[Outline]) -> Activity:
    """The counts of many turns."""
    ended: Counter[str] = Counter()
    every: list[Outline] = []
    costs: list[Paid] = []
    for each in outlines:
        ended[each.ended] += 1
        costs.extend(each.paid)
        if each.route == "collections":
            every.append(each)
    names = sorted({name for each in every for name in each.collections})
    each_of = {name: _corrections([one for one in every if name in one.collections]) for name in names}
    return Activity(dict(ended), _corrections(every), each_of, tuple(costs))


def told(found: Activity, language: Language, *, web: bool = True) -> list[str]:
    """The counts and the rates as lines for people; without a `web` nothing of what it had to help with."""
    if not found.turns:
        return [say("activity.none", language, days=PERIOD.days)]
    lines = [say("activity.turns", language, count=found.turns, days=PERIOD.days)]
    for ended, count in sorted(found.ended.items(), key=lambda item: (-item[1], item[0])):
        lines.append(say("activity.ended", language, what=say(f"activity.ended.{ended}", language), count=count))
    corrected = told_corrections(found, language) if web else []
    return [*lines, *corrected, *told_costs(found.paid, language)]


def told_corrections(found: Activity, language: Language) -> list[str]:
    """The correction rate, and who lacks material; nothing while no question was put to documents."""
    if not found.overall.turns:
        return []
    return [
        _line("activity.web", found.overall, language),
        *(_line("activity.web_collection", each, language, name) for name, each in found.collections.items()),
        *(_line("activity.lacking", found.collections[name], language, name) for name in lacking(found)),
    ]


def _line(key: str, each: Corrections, language: Language, name: str = "") -> str:
    rate = round(100 * each.rate)
    return say(key, language, name=name, turns=each.turns, searched=each.searched, rate=rate)


def _corrections(outlines: Sequence[Outline]) -> Corrections:
    return Corrections(len(outlines), sum(each.searched_web for each in outlines))


def lacking(found: Activity) -> tuple[str, ...]:
    """The collections that lack material, the worst first; none while the web is seldom needed.

    Where it is needed often and no collection was asked often enough, the one with the highest rate.
    """
    ranked = sorted(found.collections.items(), key=lambda item: (-item[1].rate, -item[1].turns, item[0]))
    high = tuple(name for name, each in ranked if each.rate >= HIGH and each.turns >= ENOUGH)
    if high or found.overall.turns < ENOUGH or found.overall.rate < HIGH:
        return high
    return tuple(name for name, _ in ranked[:1])
