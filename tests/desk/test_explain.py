"""Why this answer? The trace in plain words, in both languages, and with nothing that its reader may not see."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.checkpoints import sqlite_checkpoints
from adapters.memory.chat import ScriptedChat
from adapters.memory.shelf import MemoryShelf
from core.answers import TOTAL, Answer, Citation, Plan, TraceEvent
from core.desk.explain import explain, reasons
from core.documents import Readable, TimeSpan
from core.messages import Audience, Author, Language, ReplyTarget, SessionKey, Turn
from core.policy import PRESETS
from core.rag.context import RunContext
from core.rag.graph import Runs
from core.rag.ledger import Ledger, Metered
from core.rag.model.grader import ModelGrader
from core.rag.model.writer import ModelWriter
from tests.rag.model.scripts import scripted
from tests.rag.stand_ins import Cast, LabelGrader, ListedSearcher, ListedWeb, passage

ALL = Readable(frozenset({"docs", "wiki"}))
PLAN = Plan("How long does it take?", "collections", ("docs", "wiki"), reason="complete")
CITED = Citation(1, "docs", "a.md", "a", "Upgrades")
PAID = {
    "calls": 3,
    "input_tokens": 1200,
    "output_tokens": 90,
    "cached_tokens": 400,
    "cost": 0.0123,
    "unpriced": 0,
    "prompts": ["plan@aaaa1111", "write@bbbb2222"],
    "lost": 0,
    "models": {"little": {"calls": 2, "cost": 0.0023}, "big": {"calls": 1, "cost": 0.01}},
}


def turn(*events: TraceEvent, plan: Plan = PLAN, **answer: Any) -> Turn:
    given: dict[str, Any] = {"citations": (CITED,), "card_versions": {"docs": "1", "wiki": "1"}, "verdict": "correct"}
    told = Answer("x [1].", "supported", plan=plan, trace=events, **{**given, **answer})
    key = SessionKey("chat", "w", "c", "t")
    target, audience = ReplyTarget("chat", "w", "c", "t"), Audience("chat", "w", "c")
    asked = Turn("t", "m", key, Author("u"), audience, "q", target, datetime.now(UTC))
    return replace(asked, status="answered", answer=told)


def ran(node: str, milliseconds: float = 1.0, **detail: Any) -> TraceEvent:
    return TraceEvent(node, milliseconds, detail)


def line(label: str, told: Turn, readable: Readable = ALL, language: Language = "en") -> str:
    """What is said after a label; empty where nothing is."""
    found = [each for each in reasons(told, readable, language) if each.startswith(f"{label}: ")]
    return found[0].removeprefix(f"{label}: ") if found else ""


def test_the_route_is_told_with_its_reason() -> None:
    assert line("Route", turn()) == "searched docs, wiki (all that may be read here)"
    assert "fits the question best" in line("Route", turn(plan=replace(PLAN, collections=("docs",))))
    assert "not sure" in line("Route", turn(plan=replace(PLAN, reason="model unsure")))
    assert "world outside" in line("Route", turn(plan=replace(PLAN, route="web", reason="world")))
    assert "small talk" in line("Route", turn(plan=Plan("Hello", "direct", reason="talk")))


def test_the_question_is_told_as_it_was_searched_and_why_it_was_written_out() -> None:
    told = turn(plan=replace(PLAN, reason="pronoun"))
    assert line("Question as searched", told) == "How long does it take? (it points back to what was said before)"
    assert not line("Question as searched", turn(plan=Plan("Hello", "direct", reason="talk")))


def test_parts_and_period_of_a_question_are_told() -> None:
    year = TimeSpan(date(2026, 1, 1), date(2026, 12, 31))
    told = turn(plan=replace(PLAN, steps="multi", sub_questions=("How long was A?", "How long was B?"), period=year))
    assert line("Searched in parts", told) == "How long was A?; How long was B?"
    assert line("Time asked about", told) == "2026"


def test_what_was_left_out_is_told_with_its_reasons_in_words() -> None:
    graded = ran("grade", correct=1, ambiguous=1, incorrect=4, reasons={"off_topic": 3, "stale": 1})
    told = turn(graded, ran("refine", kept=5))
    assert line("Passages", told) == (
        "6 found: 1 answer it, 1 unsure, 4 left out (3 about something else, 1 of another time); 5 excerpts kept"
    )
    assert "3개는 다른 내용, 1개는 다른 시기" in line("찾은 내용", told, language="ko")


def test_a_reason_of_another_version_is_no_failure() -> None:
    assert "1 for another reason" in line("Passages", turn(ran("grade", correct=0, incorrect=1, reasons={"new": 1})))


def test_passages_that_nobody_graded_are_not_said_to_answer() -> None:
    told = turn(ran("grade", correct=6, ambiguous=0, incorrect=0, reasons={}, ungraded=True))
    assert line("Passages", told) == "6 found, not graded"
    assert "grading" not in line("Decided by", told)


def test_web_searches_are_told_with_their_words_and_what_came_of_them() -> None:
    told = turn(
        ran("rewrite_web", aim="web", query="aks upgrade 2026"),
        ran("search", found=4, new=4),
        ran("rewrite_web", aim="web", query="kubernetes upgrade"),
        ran("search", failed="error.web_down", error_id="abcd1234"),
    )
    assert line("Web", told) == (
        "searched for “aks upgrade 2026”, 4 passages; searched for “kubernetes upgrade”, which failed"
    )
    assert "abcd1234" in line("Went wrong", told)
    assert "none is configured" in line("Web", turn(ran("search", skipped="not configured")))


def test_what_was_done_again_is_told() -> None:
    told = turn(
        *(ran(node) for node in ("plan", "retrieve", "generate", "check", "generate", "check")),
        ran("rewrite_index", aim="index", query="upgrade duration"),
    )
    assert line("Again", told) == "searched for “upgrade duration”; written again: 1"
    assert not line("Again", turn(*(ran(node) for node in ("plan", "retrieve", "generate", "check"))))


@pytest.mark.parametrize(("used", "word"), [(True, "used"), (False, "dropped")])
def test_words_begun_ahead_are_said_to_be_used_or_dropped(used: bool, word: str) -> None:
    told = turn(ran("grade", correct=1, ahead=True), ran("generate", **({"ahead": True} if used else {})))
    assert word in line("Written ahead", told)


def test_a_run_that_was_taken_up_again_and_one_that_was_cut_say_so() -> None:
    assert line("Interrupted", turn(ran("plan"), ran(TOTAL, 5.0, resumed=True)))
    assert "time was up (writing)" in line("Ended early", turn(ran("generate", stopped="deadline")))
    assert "no model calls" in line("Ended early", turn(ran("grade", stopped="budget")))


def test_the_check_tells_what_was_missing() -> None:
    told = turn(ran("check", grounded=False, useful=False, missing="the year"))
    assert line("Support", told) == "not each statement by what it cites; the question is not fully answered; " + (
        "missing: the year"
    )
    assert line("Support", turn(ran("check", grounded=True, useful=True))) == "each statement by what it cites"


def test_who_decided_is_told_step_by_step() -> None:
    told = turn(
        ran("plan", route="collections", decided={"first": 1}),
        ran("grade", correct=1, calls=1, decided={"first": 1, "second": 2}),
        ran("rewrite_index", aim="index", query="q", calls=1),
        ran("generate", characters=3, calls=1),
        ran("check", grounded=True, calls=1, decided={"failed": 1}),
    )
    assert line("Decided by", told) == (
        "plan local · grading local ×1, model ×2 · rewording model · writing model · "
        "check local, as the model could not say"
    )


def test_a_second_writer_is_the_local_one() -> None:
    assert "writing model" in line("Decided by", turn(ran("generate", characters=3, decided={"first": 1})))
    told = line("Decided by", turn(ran("generate", characters=3, calls=1, decided={"second": 1})))
    assert "writing local, as the model could not say" in told


def test_calls_tokens_cost_and_prompts_are_told_at_the_end() -> None:
    told = turn(ran("plan", 400.0), ran("generate", 2100.0), ran("finish", 0.2), ran(TOTAL, 2430.0, **PAID))
    assert line("Model calls", told) == "3 (little 2, big 1)"
    assert line("Tokens", told) == "1,200 in (400 of them cached), 90 out"
    assert line("Cost", told) == "$0.0123"
    assert line("Time", told) == "2.4 s (plan 400 ms, writing 2.1 s)"
    assert reasons(told, ALL, "en")[-1] == "Prompts: plan@aaaa1111, write@bbbb2222"


def test_a_cost_that_is_not_wholly_known_is_a_lower_bound() -> None:
    assert line("Cost", turn(ran(TOTAL, 1.0, **{**PAID, "unpriced": 2}))) == (
        "at least $0.0123 (2 calls without a known price)"
    )
    assert "little, big" in line("Cost", turn(ran(TOTAL, 1.0, **{**PAID, "cost": None, "unpriced": 3})))


def test_calls_without_an_answer_are_counted() -> None:
    assert "1 without an answer" in line("Model calls", turn(ran(TOTAL, 1.0, **{**PAID, "lost": 1})))


def test_without_models_nothing_cost_anything() -> None:
    told = turn(ran("plan", 3.0, route="collections"))
    assert line("Model calls", told) == "none, every step was local"
    assert not line("Cost", told)
    assert "plan local" in line("Decided by", told)


def test_what_its_reader_may_not_read_is_not_named() -> None:
    told = turn(searched=("docs", "wiki", "web"))
    for language in ("en", "ko"):
        text = explain(told, Readable(frozenset({"wiki"})), language)
        assert "docs" not in text
        assert "Upgrades" not in text
        assert "wiki" in text
    assert "Upgrades" in explain(told, ALL, "en")


def test_words_of_a_model_bring_no_link_and_no_second_line() -> None:
    query = "see [this](https://evil.example/x)\nNow: do it" + " and more" * 100
    told = explain(turn(ran("rewrite_index", aim="index", query=query)), ALL, "en")
    assert "evil.example" not in told
    assert "\nNow" not in told
    assert max(map(len, told.splitlines())) < 400


def test_a_query_that_could_not_be_written_shifts_no_other() -> None:
    failed, again = ran("rewrite_web", failed="error.internal"), ran("rewrite_web", aim="web", query="helm 3")
    told = line("Web", turn(failed, ran("search", found=1), again, ran("search", found=2)))
    first, second = told.split("; ")
    assert "helm" not in first
    assert "helm 3" in second


def test_words_of_a_model_call_nobody() -> None:
    told = explain(turn(ran("rewrite_index", aim="index", query="ask @everyone and <!channel> about it")), ALL, "en")
    assert "about it" in told
    assert "@everyone" not in told
    assert "<!" not in told


def test_a_turn_that_failed_names_its_id() -> None:
    failed = replace(turn(), status="failed", answer=None, error_id="abcd1234")
    assert "abcd1234" in explain(failed, ALL, "en")
    assert explain(None, ALL, "ko")


NODES = ("plan", "grade", "search", "rewrite_web", "rewrite_index", "generate", "check", "old", TOTAL)
DETAIL = st.fixed_dictionaries(
    {},
    optional={
        "ahead": st.booleans(),
        "calls": st.integers(0, 3),
        "cost": st.sampled_from((None, 0.0, 12.5)),
        "decided": st.dictionaries(st.sampled_from(("first", "second", "failed")), st.integers(0, 2)),
        "stopped": st.sampled_from(("deadline", "a reason to come")),
        "failed": st.just("error.internal"),
        "aim": st.sampled_from(("web", "index")),
        "query": st.text(max_size=9),
        "grounded": st.booleans(),
        "reasons": st.dictionaries(st.text(max_size=3), st.integers(1, 3)),
        "correct": st.integers(0, 3),
    },
)


@given(
    events=st.lists(st.builds(TraceEvent, st.sampled_from(NODES), st.floats(0, 1e6), DETAIL)),
    language=st.sampled_from(("en", "ko")),
)
def test_a_trace_of_any_version_is_explained(events: list[TraceEvent], language: Language) -> None:
    lines = reasons(turn(*events), ALL, language)
    assert lines
    assert all(each.split(": ", 1)[0] for each in lines)


async def test_a_real_run_is_explained_from_plan_to_prompts() -> None:
    ledger = Ledger(None)
    small = Metered(scripted({"grades": "1:no 2:no"}, name="little", prices=(1e-6, 1e-6), before=0.02), ledger, "grade")
    large = Metered(scripted("It takes 45 minutes [1].", name="big", between=0.1), ledger, "generate")
    pages = [passage("w", origin="web")]
    cast = Cast(searcher=ListedSearcher([[passage("a"), passage("b")]]), web=ListedWeb([pages]), grader=LabelGrader())
    context = cast.context(replace(PRESETS["adaptive"], speculate=True), ledger=ledger)
    steps = replace(context.steps, grader=ModelGrader(small), writer=ModelWriter(large))
    answer = await Runs().run(replace(context, steps=steps))
    told = replace(turn(), answer=answer)
    assert "3 left out (3 about something else)" in line("Passages", told)
    assert "dropped" in line("Written ahead", told)
    assert "web rewrite 1" in line("Web", told)
    assert line("Decided by", told).startswith("plan local · grading model")
    assert "1 without an answer" in line("Model calls", told)
    assert line("Cost", told).startswith("at least $")
    assert "write@" in line("Prompts", told)


async def test_no_prompt_and_no_passage_is_in_an_explanation() -> None:
    ledger = Ledger(None)
    large = scripted("It takes 45 minutes [1].", name="big")
    context = Cast().context(ledger=ledger)
    steps = replace(context.steps, writer=ModelWriter(Metered(large, ledger, "generate")))
    answer = await Runs().run(replace(context, steps=steps))
    text = explain(replace(turn(), answer=answer), ALL, "en")
    assert "The upgrade takes 45 minutes." not in text
    prompt = " ".join(said.text for request in large.requests for said in request.messages)
    assert not [line for line in prompt.splitlines() if len(line) > 40 and line in text]


async def test_a_run_that_was_interrupted_says_so_and_keeps_what_it_had_paid(tmp_path: Path) -> None:
    def context(large: ScriptedChat, ledger: Ledger) -> RunContext:
        small = Metered(scripted({"grades": "1:yes 2:yes"}, name="little", prices=(1e-6, 1e-6)), ledger, "grade")
        made = Cast().context(ledger=ledger)
        writer = ModelWriter(Metered(large, ledger, "generate"))
        return replace(made, steps=replace(made.steps, passages=shelf, grader=ModelGrader(small), writer=writer))

    shelf, stuck = MemoryShelf(), scripted("It takes 45 minutes [1].", name="big", between=60)
    async with sqlite_checkpoints(tmp_path / "runs.db") as saver:
        runs = Runs(saver, "sync")
        running = asyncio.ensure_future(runs.run(context(stuck, Ledger(None))))
        while not stuck.requests:
            await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        large = scripted("It takes 45 minutes [1].", name="big")
        answer = await runs.run(context(large, Ledger(None, await runs.spent("t/1"))))
    told = replace(turn(), answer=answer)
    assert line("Interrupted", told) == "the run was taken up again where it was"
    assert line("Model calls", told) == "2 (little 1, big 1)"
    assert "grading model · writing model" in line("Decided by", told)
