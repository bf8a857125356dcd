"""The window of history that fits, its markers, and how a text is shortened."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import Answer, Citation, Plan
from core.citations import without_markers
from core.history import exchange, shortened, since_pause, window
from core.messages import Audience, Author, Exchange, ReplyTarget, SessionKey, Turn

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
WORDS = st.text(alphabet="가나다 abc.\n👍🏽é", max_size=80)
EXCHANGES = st.lists(st.builds(Exchange, WORDS, WORDS, WORDS), max_size=8)


def size(past: Exchange) -> int:
    """The characters that an exchange takes, its question counted once."""
    return len(past.question) + len(past.answer) + (len(past.standalone) if past.standalone != past.question else 0)


def said(number: int, answer: str = "답") -> Exchange:
    """A small exchange with its number in it."""
    return Exchange(f"q{number}", f"q{number}", answer)


@given(EXCHANGES, st.integers(1, 10), st.integers(20, 400))
def test_the_window_holds_the_newest_in_order_within_its_limits(past: list[Exchange], turns: int, limit: int) -> None:
    kept = window(past, turns, limit)
    assert len(kept) <= turns
    assert sum(map(size, kept)) <= limit
    assert bool(kept) == bool(past)
    if kept:
        assert list(kept[:-1]) == past[len(past) - len(kept) : -1]


def test_everything_is_kept_when_it_fits() -> None:
    past = [said(n) for n in range(4)]
    assert window(past, 6, 6000) == tuple(past)


def test_the_oldest_go_first() -> None:
    past = [said(n) for n in range(4)]
    assert window(past, 2, 6000) == tuple(past[2:])
    assert window(past, 6, 7) == tuple(past[2:])


def test_an_older_exchange_is_not_kept_over_a_gap() -> None:
    past = [said(1), said(2, "lang " * 50), said(3)]
    assert window(past, 6, 60) == (past[2],)


def test_one_answer_that_is_too_long_is_shortened_not_dropped() -> None:
    long = said(1, "첫 문장입니다. 둘째 문장입니다. " * 100)
    kept = window([said(0), long], 6, 200)[-1]
    assert kept.question == "q1"
    assert kept.answer.endswith("문장입니다.…")
    assert 100 < len(kept.answer) <= 198


def test_a_pasted_question_does_not_push_its_answer_out() -> None:
    (kept,) = window([Exchange("x" * 100_000, "y" * 100_000, "the answer")], 6, 400)
    assert kept.answer == "the answer"
    assert size(kept) <= 400


def test_no_history_gives_no_window() -> None:
    assert window([], 6, 6000) == ()
    assert window([said(1)], 0, 6000) == ()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("연차는 15일입니다 [1].", "연차는 15일입니다."),
        ("Ask first[1][2]. Then go [3, 4]!", "Ask first. Then go!"),
        ("end [^2]", "end"),
        ("a [1](https://example.org) link", "a [1](https://example.org) link"),
        ("`argv[1]` stays [2]", "`argv[1]` stays"),
        ("```\nrow[1]\n```\nafter [1]", "```\nrow[1]\n```\nafter"),
        ("year [2026] and [x]", "year [2026] and [x]"),
    ],
)
def test_footnote_markers_are_taken_out_and_nothing_else(text: str, clean: str) -> None:
    assert without_markers(text) == clean


@given(st.text(max_size=200), st.integers(1, 200))
def test_a_shortened_text_fits_and_is_a_beginning(text: str, limit: int) -> None:
    cut = shortened(text, limit)
    assert len(cut) <= limit
    assert cut == text or (cut.endswith("…") and text.startswith(cut[:-1]))


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("One two. Three four five", 14, "One two.…"),
        ("하나 둘 셋 넷", 7, "하나 둘 셋…"),
        ("가나다라마바사", 4, "가나다…"),
        ("ab👨‍👩‍👧cd", 5, "ab…"),
        ("abcde\u0301f", 6, "abcd…"),
        ("🇰🇷🇰🇷🇰🇷", 4, "🇰🇷…"),
        ("👍🏽👍🏽", 3, "👍🏽…"),
        ("3.5 and 4.5 and 5.5", 6, "3.5…"),
        ("short", 5, "short"),
    ],
)
def test_a_text_is_cut_where_it_hurts_least(text: str, limit: int, cut: str) -> None:
    assert shortened(text, limit) == cut


def test_decomposed_hangul_is_not_torn() -> None:
    text = unicodedata.normalize("NFD", "한글문서")
    assert unicodedata.normalize("NFC", shortened(text, 6)) == "한…"


def test_a_long_silence_begins_a_new_subject() -> None:
    times = [NOW - timedelta(minutes=m) for m in (120, 50, 25, 5)]
    past = [replace(said(n), asked_at=time) for n, time in enumerate(times)]
    assert since_pause(past, NOW, timedelta(minutes=30)) == tuple(past[1:])
    assert since_pause(past, NOW + timedelta(hours=1), timedelta(minutes=30)) == ()
    assert since_pause([], NOW, timedelta(minutes=30)) == ()


def turn(status: str, answer: Answer | None) -> Turn:
    """A turn that ended."""
    key = SessionKey("slack", "T", "C", "1")
    target = ReplyTarget("slack", "T", "C", "1")
    audience = Audience("slack", "T", "C")
    return Turn("t", "m", key, Author("U"), audience, "얼마나?", target, NOW, status=status, answer=answer)  # type: ignore[arg-type]


def test_an_answered_turn_becomes_an_exchange() -> None:
    cited = [
        Citation(1, "hr", "a.md", "p1", "A"),
        Citation(2, "hr", "a.md", "p2", "A"),
        Citation(3, "web", "https://x", "p3", "X", origin="web"),
    ]
    answer = Answer(
        "15일 [1][2].", "supported", tuple(cited), plan=Plan("휴가는 얼마나?", "collections", ("hr", "ops"))
    )
    assert exchange(turn("answered", answer)) == Exchange(
        "얼마나?", "휴가는 얼마나?", "15일.", "collections", ("A", "X"), ("hr", "ops"), NOW, ("hr", "ops")
    )


def test_a_turn_without_an_answer_is_no_exchange() -> None:
    answer = Answer("x", "direct")
    assert exchange(turn("failed", None)) is None
    assert exchange(turn("withdrawn", answer)) is None
    assert exchange(turn("waiting", None)) is None
