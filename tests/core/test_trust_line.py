"""The line of trust under an answer: its standing, where it was looked for, how much of what was found it uses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.access_answers import rests_on
from core.answers import Answer, Citation, Plan, Standing, TraceEvent
from core.messages import Language
from core.presenting import MOST_PLACES, link_of, trust_line
from core.wording import say

TRACE = (
    TraceEvent("retrieve", 1.0, {"found": 6, "new": 6}),
    TraceEvent("grade", 1.0, {"correct": 2, "ambiguous": 1, "incorrect": 3}),
    TraceEvent("retrieve", 1.0, {"found": 4, "new": 2}),
)
CITED = Citation(1, "hr", "leave.md", "hr:1", "Annual leave")
ANSWER = Answer(
    "25 days [1].",
    "supported",
    (CITED, replace(CITED, number=2, passage_id="hr:2")),
    plan=Plan("How many?", "collections", ("hr", "ops")),
    trace=TRACE,
    searched=("hr", "ops"),
    titles={"hr": "Handbook", "ops": "Runbooks"},
)


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Supported by its sources · searched: Handbook, Runbooks · passages used: 2 of 8"),
        ("ko", "출처가 뒷받침함 · 찾은 곳: Handbook, Runbooks · 쓴 구절: 8개 중 2개"),
    ],
)
def test_it_says_how_far_from_where_and_how_much(language: Language, line: str) -> None:
    assert trust_line(ANSWER, language) == line


@pytest.mark.parametrize(
    ("standing", "begins"),
    [
        ("supported", "Supported by its sources"),
        ("unchecked", "Not checked"),
        ("partial", "Not confirmed"),
        ("closest", "Closest passages only"),
    ],
)
def test_whether_it_is_supported_stands_first(standing: Standing, begins: str) -> None:
    assert trust_line(replace(ANSWER, standing=standing), "en").startswith(begins)


def test_what_the_answer_says_itself_is_not_said_twice() -> None:
    text = f"{say('answer.closest', 'en')}\n\n> 25 days"
    assert trust_line(replace(ANSWER, standing="closest", text=text), "en").startswith("searched: Handbook")


@pytest.mark.parametrize("standing", ["not_found", "direct", "clarify"])
def test_where_there_is_no_answer_there_is_nothing_to_trust(standing: Standing) -> None:
    assert trust_line(replace(ANSWER, standing=standing), "en") == ""


def test_the_web_is_a_place_too_and_what_is_cited_comes_first() -> None:
    web = Citation(1, "", "https://x", "w:1", "A page", link="https://x", origin="web")
    trace = (*TRACE, TraceEvent("search", 1.0, {"found": 5, "new": 5}))
    both = replace(ANSWER, searched=("hr", "web"), citations=(web,), trace=trace)
    assert "searched: the web, Handbook · passages used: 1 of 13" in trust_line(both, "en")


def test_many_places_are_counted_and_one_line_stays_one() -> None:
    names = tuple(f"c{number}" for number in range(9))
    titles = {name: f"Title\n{name} <!channel>" for name in names}
    line = trust_line(replace(ANSWER, citations=(), searched=names, titles=titles), "en")
    assert f"{9 - MOST_PLACES} more" in line
    assert "\n" not in line
    assert "<!channel>" not in line


def test_an_answer_from_before_titles_and_traces_were_kept_names_what_it_knows() -> None:
    old = replace(ANSWER, titles={}, trace=())
    assert trust_line(old, "en") == "Supported by its sources · searched: hr, ops · passages used: 2"
    assert trust_line(replace(old, citations=(), searched=()), "en") == "Supported by its sources"


def test_whoever_may_see_an_answer_may_read_every_collection_that_is_named() -> None:
    assert rests_on(ANSWER) >= set(ANSWER.searched)
    anew = replace(ANSWER, trace=(*TRACE, TraceEvent("reroute", 1.0)), plan=Plan("How many?", "collections", ("hr",)))
    assert rests_on(anew) >= set(anew.searched)


@pytest.mark.parametrize(
    ("link", "leads"),
    [("https://x/y", True), ("http://x", True), ("file:///srv/x.md", False), ("slack://x", False), ("", False)],
)
def test_only_the_address_of_a_page_is_a_link(link: str, leads: bool) -> None:
    assert bool(link_of(replace(CITED, link=link), 100)) is leads
    assert not link_of(replace(CITED, link=f"https://x/{'y' * 100}"), 100)
