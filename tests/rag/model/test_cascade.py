"""The first decides unless it is unsure; then the second, and only about what is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest

from core.answers import Check, Grade, Plan, Retrieved, SentenceCheck
from core.documents import Passage
from core.errors import BudgetSpent, UpstreamError
from core.ports import PlanRequest, WriteRequest
from core.rag.cascade import CascadeChecker, CascadeGrader, CascadePlanner, CascadeWriter, Decided, reaching
from tests.rag.model.scripts import hits, passage, plan_request
from tests.rag.stand_ins import FixedPlanner, FixedWriter

FAULTS = [UpstreamError(), BudgetSpent()]


@dataclass
class Graders:
    """Gives prepared grades and keeps what it was asked about, or fails."""

    grades: list[Grade]
    fails: Exception | None = None
    asked: list[list[str]] = field(default_factory=list)

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        self.asked.append([each.passage.id for each in retrieved])
        if self.fails:
            raise self.fails
        return self.grades


@dataclass
class Checkers:
    """Gives a prepared check, or fails."""

    check_made: Check
    fails: Exception | None = None
    calls: int = 0

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        self.calls += 1
        if self.fails:
            raise self.fails
        return self.check_made


@dataclass
class Failing:
    """A planner that fails."""

    fault: Exception

    async def plan(self, request: PlanRequest) -> Plan:
        raise self.fault


def sure_plan(confidence: float | None) -> FixedPlanner:
    return FixedPlanner(Plan("q", "collections", ("handbook",), confidence=confidence))


async def test_a_sure_planner_is_not_asked_about() -> None:
    second, decided = FixedPlanner(), Decided()
    plan = await CascadePlanner(sure_plan(0.9), second, decided).plan(plan_request())
    assert (plan.collections, second.requests) == (("handbook",), [])
    assert decided.by_step() == {"plan": {"first": 1}}


@pytest.mark.parametrize("confidence", [0.5, None])
async def test_an_unsure_planner_hands_over(confidence: float | None) -> None:
    second, decided = FixedPlanner(Plan("q", "web")), Decided()
    plan = await CascadePlanner(sure_plan(confidence), second, decided).plan(plan_request())
    assert (plan.route, decided.by_step()) == ("web", {"plan": {"second": 1}})


async def test_what_sure_means_can_be_said() -> None:
    second = FixedPlanner()
    planner = CascadePlanner(sure_plan(0.1), second, Decided(), sure=lambda request, plan: not request.history)
    await planner.plan(plan_request())
    assert second.requests == []


async def test_searching_everything_can_count_as_sure() -> None:
    second = FixedPlanner()
    everything = FixedPlanner(Plan("q", "collections", ("handbook", "runbooks", "product-faq"), confidence=0.5))
    await CascadePlanner(everything, second, Decided(), sure=reaching(0.7)).plan(plan_request())
    assert second.requests == []
    await CascadePlanner(sure_plan(0.5), second, Decided(), sure=reaching(0.7)).plan(plan_request())
    assert len(second.requests) == 1


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_second_planner_that_fails_leaves_the_first_plan(fault: Exception) -> None:
    decided = Decided()
    plan = await CascadePlanner(sure_plan(0.2), Failing(fault), decided).plan(plan_request())
    assert (plan.collections, decided.by_step()) == (("handbook",), {"plan": {"failed": 1}})


FIRST = [Grade(0.9, "correct"), Grade(0.5, "ambiguous"), Grade(0.1, "incorrect"), Grade(0.6, "ambiguous")]
FOUR = hits(*(passage(n) for n in range(1, 5)))
PLAN = Plan("q", "collections")


async def test_only_ambiguous_passages_go_to_the_model_in_one_call_and_in_order() -> None:
    second, decided = Graders([Grade(None, "incorrect", "off_topic"), Grade(None, "correct")]), Decided()
    grades = await CascadeGrader(Graders(FIRST), second, decided).grade("q", PLAN, FOUR)
    assert second.asked == [["p2", "p4"]]
    assert [grade.label for grade in grades] == ["correct", "incorrect", "incorrect", "correct"]
    assert (grades[0], grades[2]) == (FIRST[0], FIRST[2])
    assert decided.by_step() == {"grade": {"second": 1}}


async def test_clear_cases_cost_no_call() -> None:
    second, decided = Graders([]), Decided()
    stale = Grade(None, "incorrect", "stale")
    grades = await CascadeGrader(Graders([FIRST[0], FIRST[2], stale]), second, decided).grade("q", PLAN, FOUR[:3])
    assert (list(grades), second.asked) == ([FIRST[0], FIRST[2], stale], [])
    assert decided.stayed("grade") == 1.0


async def test_what_the_model_leaves_open_stays_as_it_was() -> None:
    for seconds in ([Grade(None, "ambiguous", "ungraded")] * 2, [], [Grade(None, "ambiguous", "ungraded")]):
        grades = await CascadeGrader(Graders(FIRST), Graders(seconds), Decided()).grade("q", PLAN, FOUR)
        assert list(grades) == FIRST


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_second_grader_that_fails_leaves_the_first_grades(fault: Exception) -> None:
    decided = Decided()
    grades = await CascadeGrader(Graders(FIRST), Graders([], fault), decided).grade("q", PLAN, FOUR)
    assert (list(grades), decided.by_step()) == (FIRST, {"grade": {"failed": 1}})


async def test_the_policys_thresholds_say_what_is_clear() -> None:
    second = Graders([Grade(None, "correct")] * 3)
    await CascadeGrader(Graders(FIRST), second, Decided(), above=0.95, below=0.2).grade("q", PLAN, FOUR)
    assert second.asked == [["p1", "p2", "p4"]]


GOOD = Check((SentenceCheck("Leave is 25 days.", 0.98),))
DOUBTFUL = Check((SentenceCheck("Leave is 25 days.", 0.55),))
NO = Check((SentenceCheck("Leave is 25 days.", 0.1),), grounded=False)


async def test_an_answer_that_is_clearly_supported_costs_no_call() -> None:
    second = Checkers(NO)
    assert await CascadeChecker(Checkers(GOOD), second, Decided()).check("q", "a", []) == GOOD
    assert second.calls == 0


@pytest.mark.parametrize("first", [DOUBTFUL, NO, Check(), Check(GOOD.sentences, useful=False)])
async def test_a_first_word_of_doubt_is_looked_at_again(first: Check) -> None:
    assert await CascadeChecker(Checkers(first), Checkers(GOOD), Decided()).check("q", "a", []) == GOOD


async def test_a_second_check_without_a_verdict_leaves_the_first() -> None:
    for second in (Checkers(Check()), Checkers(GOOD, UpstreamError()), Checkers(GOOD, BudgetSpent())):
        assert await CascadeChecker(Checkers(DOUBTFUL), second, Decided()).check("q", "a", []) == DOUBTFUL


def test_the_share_that_stayed_with_the_first() -> None:
    decided = Decided()
    assert decided.stayed("plan") is None
    for by in ("first", "first", "second", "failed"):
        decided.note("plan", by)  # type: ignore[arg-type]
    assert decided.stayed("plan") == 0.5


class SilentWriter:
    """A writer of whom nothing is ever heard."""

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        await asyncio.Event().wait()
        yield ""


async def test_a_writer_that_says_nothing_in_time_hands_over() -> None:
    decided = Decided()
    writer = CascadeWriter(SilentWriter(), FixedWriter("Quoted [1]."), decided, patience=0.05)
    request = WriteRequest("q", "q", "en", Plan("q", "collections"), (), None, date(2026, 11, 30))
    assert "".join([chunk async for chunk in writer.write(request)]) == "Quoted [1]."
    assert decided.latest["generate"] == "second"
