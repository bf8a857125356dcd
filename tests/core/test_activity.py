"""The correction rate: which turns it counts, and when a collection is said to lack material."""

from __future__ import annotations

from datetime import date, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.activity import HIGH, Corrections, Outline, activity, lacking, outline, told, told_corrections
from core.answers import TOTAL, Answer, Plan, Standing, TraceEvent
from core.costs import Paid, daily
from core.messages import Language, TurnStatus

TODAY = date(2026, 11, 30)


def asked(*collections: str, web: bool = False) -> Outline:
    return Outline("supported", "collections", collections, web)


def test_the_rate_is_over_the_turns_put_to_documents_alone() -> None:
    found = activity(
        [
            asked("hr"),
            asked("hr", web=True),
            Outline("supported", "web", (), searched_web=True),
            Outline("direct", "direct"),
        ]
    )
    assert found.overall == Corrections(2, 1)
    assert found.overall.rate == 0.5
    assert found.ended == {"supported": 3, "direct": 1}
    assert found.turns == 4


def test_a_turn_put_to_two_collections_counts_for_both() -> None:
    found = activity([asked("hr", "it", web=True), asked("it")])
    assert found.collections == {"hr": Corrections(1, 1), "it": Corrections(2, 1)}
    assert found.overall == Corrections(2, 1)


def test_a_search_that_was_not_configured_is_none_and_one_that_failed_is_one() -> None:
    def one(detail: dict[str, object]) -> Outline:
        plan = Plan("q", "collections", ("hr",))
        trace = (TraceEvent("search", 1.0, detail),)
        return outline("answered", Answer("…", "closest", plan=plan, trace=trace), TODAY)

    assert not one({"skipped": "not configured"}).searched_web
    assert one({"failed": "error.web_down"}).searched_web


def test_at_thirty_per_cent_the_collection_that_lacks_material_is_named() -> None:
    turns = [asked("hr", web=number < 3) for number in range(10)] + [
        asked("it", web=number < 2) for number in range(10)
    ]
    assert lacking(activity(turns)) == ("hr",)
    assert lacking(activity(turns[2:])) == ()


def test_the_worst_is_named_first() -> None:
    turns = [asked("a", web=number < 3) for number in range(6)] + [asked("b", web=number < 5) for number in range(6)]
    assert lacking(activity(turns)) == ("b", "a")


def test_one_question_alone_accuses_nobody() -> None:
    assert lacking(activity([asked("hr", web=True)])) == ()


def test_many_questions_to_many_collections_name_the_worst() -> None:
    turns = [asked(name, web=name != "a") for name in ("a", "b", "b", "c", "d", "e")]
    assert lacking(activity(turns)) == ("b",)


def test_no_turns_are_no_rate() -> None:
    found = activity([])
    assert (found.turns, found.overall.rate, lacking(found)) == (0, 0.0, ())


@given(st.lists(st.builds(asked, st.sampled_from("abc"), web=st.booleans()), max_size=40))
def test_whoever_is_named_has_a_high_rate(turns: list[Outline]) -> None:
    found = activity(turns)
    for name in lacking(found):
        assert found.collections[name].rate >= HIGH


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_end_of_a_turn_has_words(language: Language) -> None:
    ends = [*get_args(Standing), *(status for status in get_args(TurnStatus) if status != "answered")]
    lines = told(activity(map(Outline, ends)), language)
    assert len(lines) == 1 + len(ends)


def test_what_is_told_holds_the_rates_and_the_collection_that_lacks_material() -> None:
    turns = [each for number in range(10) for each in (asked("hr", web=number < 3), asked("it"))]
    lines = told(activity(turns), "en")
    assert "20 questions" in lines[0]
    assert any("3 of 20" in line and "15 %" in line for line in lines)
    assert any("hr" in line and "3 of 10" in line for line in lines)
    assert "hr lacks material: 30 %" in lines[-1]
    assert lines[-1] == told_corrections(activity(turns), "en")[-1]


def test_nothing_is_told_of_corrections_while_nothing_was_put_to_documents() -> None:
    assert told_corrections(activity([Outline("direct", "direct")]), "en") == []
    assert len(told(activity([]), "ko")) == 1


def test_where_the_web_is_off_nothing_is_told_of_it() -> None:
    found = activity([Outline("supported", "collections", ("docs",))])
    assert any("web" in line for line in told(found, "en"))
    assert not any("web" in line for line in told(found, "en", web=False))


def test_what_was_paid_is_told_by_day_and_model() -> None:
    def cost(calls: int, dollars: float | None, day: date) -> Outline:
        detail = {"models": {"big": {"calls": calls, "cost": dollars}}}
        return outline("answered", Answer("…", "supported", trace=(TraceEvent(TOTAL, 1.0, detail),)), day)

    before = TODAY - timedelta(days=1)
    found = activity([cost(1, 0.5, TODAY), cost(2, 0.25, TODAY), cost(1, None, before), Outline("direct")])
    assert daily(found.paid) == [Paid(before, "big", 1), Paid(TODAY, "big", 3, 0.75)]
    assert told(found, "en")[-3:] == [
        "Paid for models:",
        "  2026-11-29 big: 1 calls, price not set",
        "  2026-11-30 big: 3 calls, $0.7500",
    ]


def test_where_no_model_was_paid_nothing_is_told_of_costs() -> None:
    assert not [line for line in told(activity([Outline("direct")]), "en") if "models" in line]
