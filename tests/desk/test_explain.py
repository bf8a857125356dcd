"""Why this answer? The trace in plain words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.answers import Answer, Plan, TraceEvent
from core.desk.explain import explain
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn


def turn_with(*nodes: str) -> Turn:
    answer = Answer("x", "supported", plan=Plan("q", "collections"), trace=tuple(TraceEvent(n, 1.0) for n in nodes))
    key = SessionKey("chat", "w", "c", "t")
    turn = Turn(
        "t",
        "m",
        key,
        Author("u"),
        Audience("chat", "w", "c"),
        "q",
        ReplyTarget("chat", "w", "c", "t"),
        datetime.now(UTC),
    )
    return replace(turn, status="answered", answer=answer)


def test_a_text_that_was_written_again_counts_as_much_as_a_search_in_other_words() -> None:
    told = explain(turn_with("plan", "retrieve", "generate", "check", "generate", "check", "rewrite_index"), "en")
    assert "again: 2" in told


def test_a_straight_run_tells_of_no_loops() -> None:
    assert "again" not in explain(turn_with("plan", "retrieve", "generate", "check"), "en")


def test_without_an_answer_there_is_nothing_to_explain() -> None:
    assert explain(None, "ko")
