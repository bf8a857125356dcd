"""What a Card never sees: a fixed small sample of telling headings, and none of it anywhere on the Card."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.catalog.cards import describe
from core.catalog.holding import MOST, SHARE, held_back, sample_size, says_something
from core.catalog.phrases import folded
from core.documents import DocumentRecord

WORDS = ("backup", "certificate", "deploy", "ingress", "quota", "replica", "secret", "volume", "휴가", "정산", "배포")


def record(id: str, *headings: str, title: str = "") -> DocumentRecord:
    return DocumentRecord(id, "hash", "print", title or headings[0], "en", 3, headings=headings)


def pages(count: int, *, start: int = 0) -> list[DocumentRecord]:
    """Documents with four headings of their own each."""
    return [
        record(f"{n:03}.md", *(f"{WORDS[(n + h) % len(WORDS)]} {n} {h} topic" for h in range(4)))
        for n in range(start, start + count)
    ]


def test_a_collection_of_some_size_holds_a_fixed_number_back() -> None:
    assert len(held_back(pages(80))) == MOST
    assert held_back(pages(80)) == held_back(pages(80)[::-1])


@given(st.integers(0, 5000))
def test_never_more_than_a_fifth_and_less_of_few(candidates: int) -> None:
    size = sample_size(candidates)
    assert size <= min(MOST, candidates / SHARE)
    assert size <= sample_size(candidates + 1)
    assert sample_size(9) == 0


@settings(max_examples=30)
@given(st.integers(13, 120), st.integers(0, 10_000))
def test_an_inserted_page_moves_no_more_than_it_brings(count: int, which: int) -> None:
    before = held_back(pages(count))
    new = record("new.md", *(f"inserted {which} {n} subject" for n in range(4)))
    after = held_back([*pages(count), new])
    own = {heading for heading in after if heading.startswith("inserted")}
    gone = set(before) - set(after)
    assert len(gone) <= len(own)
    assert len(set(after) - set(before) - own) <= 2  # four more headings leave room for one or two


def test_what_is_held_back_stands_nowhere_else_on_the_card() -> None:
    records = [
        *pages(40),
        record("faq.md", "How do I reset the quota of a volume?", "Can I share a secret?", title="FAQ"),
    ]
    card = describe("docs", records, ("backup", "quota"))
    seen = {folded(phrase) for phrase in (*card.examples, *card.headings, *card.titles, *card.questions)}
    assert card.held
    assert seen.isdisjoint(map(folded, card.held))
    everything = {folded(heading) for each in records for heading in (each.title, *each.headings)}
    assert everything == seen | set(map(folded, card.held))


def test_a_title_that_is_the_same_as_a_held_heading_goes_with_it() -> None:
    records = [
        record(f"{n}.md", f"# **Topic {word} {n}**", title=f"topic {word} {n}") for n in range(9) for word in WORDS
    ]
    records = [record(f"{n}-{each.id}", *each.headings, title=each.title) for n, each in enumerate(records)]
    card = describe("docs", records, ())
    assert card.held
    assert not set(map(folded, card.held)) & {folded(title) for title in (*card.titles, *card.examples)}


def test_headings_of_many_documents_are_not_held_back() -> None:
    records = [record(f"{n}.md", f"Runbook {n} replica", "Rollback plan") for n in range(60)]
    assert "Rollback plan" not in held_back(records)


@pytest.mark.parametrize(
    "heading",
    [
        "Overview",
        "개요",
        "Introduction",
        "1.",
        "2024-05-01",
        "3.2.1",
        "Next steps",
        "참고 자료",
        "FAQ",
        "v1.2",
        "???",
        "",
    ],
)
def test_headings_that_say_nothing_are_no_questions(heading: str) -> None:
    assert not says_something(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "The replica must be restarted by hand.",
        "복제본은 수동으로 다시 시작해야 합니다",
        "Stop it. Then restart the node",
    ],
)
def test_sentences_are_no_questions(heading: str) -> None:
    assert not says_something(heading)


@pytest.mark.parametrize(
    "heading", ["Rotate certificates", "인증서 교체", "How do I scale a node pool?", "kubectl drain"]
)
def test_headings_about_something_are(heading: str) -> None:
    assert says_something(heading)
