"""What counts as right for each kind of question, and that a test ends in time whatever the planner does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from core.answers import Plan, Route
from core.catalog.prompt import prompt_hash, router_prompt
from core.catalog.selftest import Trial, judge, run
from core.catalog.tested import EVERYTHING, OUTSIDE, TALK, Confusion, Kind, Probe, Tally
from core.documents import Card
from core.errors import UpstreamError
from core.ports import PlanRequest

NAMES = frozenset({"fruit", "tools", "people"})
CARDS = tuple(Card(name, f"{name}-1", name) for name in sorted(NAMES))
TRIAL = Trial(at=datetime(2026, 3, 1, tzinfo=UTC))


def probe(right: str, text: str = "mango") -> Probe:
    kinds: dict[str, Kind] = {TALK: "talk", OUTSIDE: "outside"}
    return Probe(text, kinds.get(right, "collection"), right, heading=text if right in NAMES else "")


def plan(*names: str, route: Route = "collections", confidence: float | None = 0.9) -> Plan:
    return Plan("mango", route, names, confidence=confidence)


@pytest.mark.parametrize(
    ("right", "made", "place", "is_hit", "is_searched"),
    [
        ("fruit", plan("fruit"), "fruit", True, True),
        ("fruit", plan("fruit", "tools"), "fruit", True, True),
        ("fruit", plan("tools", "fruit"), "tools", False, True),
        ("fruit", plan("tools"), "tools", False, False),
        ("fruit", plan("fruit", "people", "tools", confidence=0.7), "fruit", True, True),
        ("fruit", plan("fruit", "people", "tools", confidence=0.5), EVERYTHING, False, True),
        ("fruit", replace(plan("fruit", "people", "tools"), reason="model repaired"), EVERYTHING, False, True),
        ("fruit", replace(plan("fruit", "people"), reason="model"), "fruit", True, True),
        ("fruit", plan(route="direct"), TALK, False, False),
        ("fruit", plan(route="clarify"), "clarify", False, False),
        (TALK, plan(route="direct"), TALK, True, False),
        (TALK, plan("fruit"), "fruit", False, False),
        (OUTSIDE, plan("fruit", "people", "tools"), EVERYTHING, True, False),
        (OUTSIDE, plan("fruit", "tools"), "fruit", False, False),
        (OUTSIDE, plan(route="web"), "web", True, False),
        (OUTSIDE, plan(route="direct"), TALK, False, False),
        (OUTSIDE, plan(route="clarify"), "clarify", False, False),
    ],
)
def test_what_is_right(right: str, made: Plan, place: str, is_hit: bool, is_searched: bool) -> None:
    routed = judge(probe(right), made, NAMES)
    assert (routed.place, routed.is_hit, routed.is_searched) == (place, is_hit, is_searched)


def test_where_there_is_one_collection_searching_it_is_right() -> None:
    only = frozenset({"fruit"})
    assert judge(probe("fruit"), plan("fruit", confidence=0.5), only).is_hit
    assert judge(probe(OUTSIDE), plan("fruit"), only).is_hit


@dataclass
class ByWord:
    """Routes by the first word of the question; remembers who was asked at once."""

    places: dict[str, Plan] = field(default_factory=dict)
    before: Callable[[], object] | None = None
    delay: float = 0.0
    asked: list[PlanRequest] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0

    async def plan(self, request: PlanRequest) -> Plan:
        self.asked.append(request)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(self.delay)
        self._at_once -= 1
        if request.question.startswith("broken"):
            raise UpstreamError
        return self.places[request.question.split()[0]]


async def test_a_test_counts_by_collection_and_names_the_pairs_that_are_confused() -> None:
    planner = ByWord({"mango": plan("fruit"), "saw": plan("fruit"), "hi": plan(route="direct")})
    asked = [
        *(probe("fruit", f"mango {n}") for n in range(3)),
        *(probe("tools", f"saw {n}") for n in range(5)),
        probe(TALK, "hi"),
        probe(OUTSIDE, "mango"),
    ]
    test = await run(planner, CARDS, asked, TRIAL)
    assert test.collections == {"fruit": Tally(3, 3, 3), "people": Tally(), "tools": Tally(5, 0, 0)}
    assert (test.talk, test.outside) == (Tally(1, 1), Tally(1, 0))
    assert test.accuracy == 4 / 9
    assert test.confusions == (
        Confusion("tools", "fruit", 5, ("saw 0", "saw 1", "saw 2")),
        Confusion(OUTSIDE, "fruit", 1, ("mango",)),
    )
    assert test.card_versions == {"fruit": "fruit-1", "people": "people-1", "tools": "tools-1"}
    assert test.prompt_hash == prompt_hash(router_prompt(CARDS))
    assert test.at == TRIAL.at


async def test_the_planner_sees_a_first_message_of_an_audience_that_may_read_all_with_the_web_off() -> None:
    planner = ByWord({"mango": plan("fruit")})
    await run(planner, CARDS, [probe("fruit")], TRIAL)
    (request,) = planner.asked
    assert (request.cards, request.history, request.web_allowed) == (CARDS, (), False)


async def test_a_few_are_asked_at_once() -> None:
    planner = ByWord({"mango": plan("fruit")}, delay=0.001)
    await run(planner, CARDS, [probe("fruit")] * 40, TRIAL)
    assert planner.most_at_once == TRIAL.at_once
    assert len(planner.asked) == 40


async def test_when_the_time_is_up_what_was_asked_counts() -> None:
    planner = ByWord({"mango": plan("fruit")}, delay=0.05)
    test = await run(planner, CARDS, [probe("fruit")] * 400, replace(TRIAL, seconds=0.3))
    assert 0 < test.collections["fruit"].asked < 100
    assert test.collections["fruit"].asked + test.unasked == 400
    assert test.seconds < 2


async def test_a_question_that_the_planner_fails_on_is_left_out() -> None:
    planner = ByWord({"mango": plan("fruit")})
    test = await run(planner, CARDS, [probe("fruit"), probe("fruit", "broken")], TRIAL)
    assert (test.collections["fruit"], test.unasked) == (Tally(1, 1, 1), 1)


async def test_a_planner_that_always_fails_is_no_test() -> None:
    with pytest.raises(UpstreamError):
        await run(ByWord(), CARDS, [probe("fruit", "broken")] * 9, TRIAL)


async def test_a_test_that_is_cancelled_leaves_nothing_behind() -> None:
    planner = ByWord({"mango": plan("fruit")}, delay=0.01)
    testing = asyncio.ensure_future(run(planner, CARDS, [probe("fruit")] * 400, TRIAL))
    await asyncio.sleep(0.03)
    testing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await testing
    before = len(planner.asked)
    await asyncio.sleep(0.05)
    assert len(planner.asked) == before
