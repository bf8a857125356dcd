"""What an answer gives away."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.access_answers import may_explain, may_show, redacted, rests_on, still_stands, worded_from
from core.answers import Answer, Citation, Plan, Route, TraceEvent
from core.documents import Generation, Readable, Scope

CITED = Citation(1, "handbook", "leave.md", "p", "Leave")
PLAN = Plan("How long is leave at Acme?", "collections", ("handbook", "faq"))
CARDS = {"handbook": "1", "faq": "1", "salaries": "1"}
ANSWER = Answer("25 days [1].", "supported", (CITED,), plan=PLAN, searched=("faq", "handbook"), card_versions=CARDS)


def scope(**documents: str) -> Scope:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Scope((Generation("handbook", 2, "e", {f"{name}.md": h for name, h in documents.items()}, "v", now),))


def test_it_rests_on_all_that_was_searched_and_on_the_talk_before() -> None:
    assert rests_on(ANSWER) == {"handbook", "faq"}
    assert rests_on(replace(ANSWER, context=("runbooks",))) == {"handbook", "faq", "runbooks"}
    nearest = replace(CITED, collection="archive")
    assert "archive" in rests_on(replace(ANSWER, nearest=(nearest,)))


def test_the_web_is_no_collection() -> None:
    page = replace(CITED, collection="web", origin="web")
    plan = replace(PLAN, route="web")
    found = replace(ANSWER, citations=(page,), searched=("web",), plan=plan)
    assert rests_on(found) == frozenset()
    looked = replace(found, trace=(TraceEvent("retrieve", 1.0),))
    assert rests_on(looked) == {"handbook", "faq"}


@pytest.mark.parametrize("route", ["direct", "clarify"])
def test_without_a_search_it_may_name_all_that_could_be_read(route: Route) -> None:
    assert rests_on(replace(ANSWER, citations=(), searched=(), plan=Plan("hi", route))) == set(CARDS)


def test_after_a_new_route_nobody_knows_what_was_searched_before() -> None:
    assert rests_on(replace(ANSWER, trace=(TraceEvent("reroute", 1.0),))) == set(CARDS)


def test_the_words_of_the_plan_come_from_every_card() -> None:
    assert worded_from(ANSWER) == set(CARDS)
    here = Readable(frozenset({"handbook", "faq"}))
    assert may_show(ANSWER, here)
    assert not may_explain(ANSWER, here)
    assert may_explain(ANSWER, Readable(frozenset(CARDS)))
    assert not may_show(ANSWER, Readable(frozenset({"handbook"})))


def test_redacted_holds_no_words_of_the_plan_and_the_same_numbers() -> None:
    told = replace(
        ANSWER,
        plan=replace(PLAN, steps="multi", sub_questions=("At Acme?", "And then?")),
        trace=(
            TraceEvent("check", 2.0, {"missing": "Acme", "grounded": True}),
            TraceEvent("x", 1.0, {"query": "Acme"}),
        ),
    )
    bare = redacted(told, "…")
    assert "Acme" not in repr(bare)
    assert [event.milliseconds for event in bare.trace] == [2.0, 1.0]
    assert bare.trace[0].detail["grounded"] is True


def test_an_answer_stands_while_its_documents_are_there_in_whatever_version() -> None:
    assert still_stands(ANSWER, scope(leave="newer"))
    assert not still_stands(ANSWER, scope(travel="1"))
    assert not still_stands(ANSWER, Scope(()))
    page = replace(CITED, collection="web", origin="web")
    assert still_stands(replace(ANSWER, citations=(page,)), Scope(()))
