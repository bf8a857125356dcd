"""Threads as documents: who said what, nothing of a message reaching out of it; which threads, and when again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsers.markdown import MarkdownParser
from core.documents import Parsed, SourceEntry
from core.indexing.blocks import fenced
from core.indexing.threads import Again, Choice, Conversation, Lead, Said

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
NAMES = st.text(min_size=1, max_size=20)


def parsed(conversation: Conversation) -> Parsed:
    data = conversation.markdown()
    return MarkdownParser().parse(data, SourceEntry("1/2.md", "", len(data), "text/markdown"))


def said(*texts: str) -> list[Said]:
    return [Said(f"Person {n}", NOW + timedelta(days=n), text) for n, text in enumerate(texts)]


def test_question_and_answer_stand_under_their_names_and_the_date_is_that_of_the_last_word() -> None:
    found = parsed(Conversation("Refund?", said("How long does it take?", "Nine days."), "help", ["billing"]))
    assert found.title == "Refund?"
    assert found.date == (NOW + timedelta(days=1)).date()
    assert found.text == "#help · billing\n\n**Person 0:** How long does it take?\n\n**Person 1:** Nine days."


def test_without_a_title_the_first_words_are_it() -> None:
    assert parsed(Conversation("", said("How long?\nI mean the refund."))).title == "How long?"
    long = parsed(Conversation("", said("word " * 60))).title
    assert len(long) <= 82
    assert long.endswith("…")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hi all,\nhow do I rotate the certificate?", "Hi all, how do I rotate the certificate?"),
        ("@here @Refdesk how do I rotate it now?", "how do I rotate it now?"),
        (":wave: **Why** does [the build](https://x.example/) fail?", "Why does the build fail?"),
        ("```\nERROR 17 in line four\n```\nwhat does this error mean?", "what does this error mean?"),
        ("```\nERROR 17 in line four\n```", "ERROR 17 in line four"),
        ("???", "???"),
    ],
)
def test_a_title_is_what_was_asked_first(text: str, title: str) -> None:
    assert parsed(Conversation("", said(text, "an answer"))).title == title


def test_a_reply_that_came_much_later_tells_its_day() -> None:
    late = [*said("How?", "So."), Said("Eve", NOW + timedelta(days=90), "No longer.")]
    assert parsed(Conversation("T", late)).text.endswith("**Person 1:** So.\n\n**Eve (2026-08-30):** No longer.")


def test_a_comment_hides_nothing_of_what_others_say() -> None:
    text = parsed(Conversation("T", said("see <!-- this", "seen", "--> and that"))).text
    assert "**Person 1:** seen" in text


def test_what_looks_like_a_heading_in_a_message_is_none_of_the_document() -> None:
    text = parsed(Conversation("T", said("# Steps\nDo it\n---\n```\n# a comment\n```"))).text
    assert "\n\n**Steps**\nDo it\n\n```\n# a comment\n```" in text


def test_a_fence_left_open_ends_with_its_message() -> None:
    text = parsed(Conversation("T", said("see\n````py\nx = 1\n```", "that works"))).text
    assert text.endswith("x = 1\n```\n````\n\n**Person 1:** that works")


def test_a_thread_in_which_nobody_said_anything_is_nothing() -> None:
    assert Conversation("T", said("", "  \n")).markdown() == b""


@given(title=st.text(max_size=60), texts=st.lists(st.text(max_size=80), min_size=1, max_size=4), name=NAMES)
def test_no_message_changes_how_the_others_are_read(title: str, texts: list[str], name: str) -> None:
    """Whatever one says, the last message stands under its author's name, outside of any code."""
    data = Conversation(title, [Said(name, NOW, text) for text in texts] + said("the end")).markdown()
    lines = data.decode().split("\n")
    at = lines.index("**Person 0:** the end")
    assert not fenced(lines)[at]
    assert data.decode().count("\n---\n") == 1
    assert parsed(Conversation(title or "T", said("the end"))).date == NOW.date()


def lead(id_: str, days: float, replies: int = 1, *, solved: bool = False) -> Lead:
    return Lead(id_, NOW - timedelta(days=days), replies, "7", solved)


def test_answered_threads_go_first_then_young_ones_and_old_ones_not_at_all() -> None:
    leads = [lead("silent", 1, 0), lead("old", 40), lead("marked", 20, 0, solved=True), lead("a", 5), lead("b", 4)]
    assert [each.id for each in Choice(30, 10).of(leads, NOW)[0]] == ["marked", "b", "a", "silent"]
    chosen, left = Choice(30, 2).of(leads, NOW)
    assert ([each.id for each in chosen], left) == (["marked", "b"], 2)


def test_a_new_reply_changes_the_fingerprint_and_silence_does_not() -> None:
    again = Again()
    before = again.fingerprint(lead("a", 50), NOW)
    assert again.fingerprint(lead("a", 50), NOW) == before
    assert again.fingerprint(lead("a", 50, 2), NOW) != before


@given(id_=st.text(st.characters(max_codepoint=127), min_size=1, max_size=20))
def test_an_edit_is_found_within_a_day_in_a_young_thread_and_within_the_month_in_an_old_one(id_: str) -> None:
    again, old = Again(), lead(id_, 200)
    seen = [again.fingerprint(old, NOW + timedelta(days=day)) for day in range(61)]
    changes = [day for day in range(60) if seen[day] != seen[day + 1]]
    assert len(changes) == 2
    assert changes[1] - changes[0] == 30
    young = [again.fingerprint(lead(id_, 0), NOW + timedelta(days=day)) for day in range(7)]
    assert len(set(young)) == 7
