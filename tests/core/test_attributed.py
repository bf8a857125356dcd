"""Footnotes that can be trusted: what is right stays, what is wrong moves or goes, and words never change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.attribution import gained_number, settled_numbers
from core.citations import MarkerStream, attributed, cite, without_markers
from core.claims import claims
from core.ports import Evidence
from core.presenting import apart
from tests.core.test_citations import THREE, evidence, passage

ROWS = st.lists(st.floats(0, 1), min_size=3, max_size=3)


def mended(text: str, *rows: Sequence[float]) -> str:
    return attributed(text, THREE, rows)[0]


def test_a_right_footnote_stays() -> None:
    assert mended("It took a while [2].", (0.1, 0.9, 0.1)) == "It took a while [1]."
    assert attributed("It took a while [2].", THREE, [(0.1, 0.9, 0.1)])[1][0].document_id == "doc-2.md"


def test_a_wrong_footnote_moves_to_the_passage_that_supports_its_sentence() -> None:
    _, citations = attributed("It took a while [2].", THREE, [(0.1, 0.1, 0.9)])
    assert [each.document_id for each in citations] == ["doc-3.md"]


def test_a_footnote_goes_when_no_passage_supports_its_sentence() -> None:
    assert attributed("It took a while [2].", THREE, [(0.1, 0.1, 0.1)]) == ("It took a while.", ())


def test_doubt_alone_takes_nothing_away() -> None:
    assert mended("It took a while [2].", (0.1, 0.35, 0.4)) == "It took a while [1]."
    assert mended("It took a while [2].", (0.1, 0.6, 0.85)) == "It took a while [1]."


def test_of_two_footnotes_the_wrong_one_goes_and_is_not_doubled() -> None:
    assert mended("It took a while [1][2].", (0.9, 0.01, 0.1)) == "It took a while [1]."


def test_two_footnotes_may_each_carry_a_part() -> None:
    assert mended("It took a while and ended [1][2].", (0.3, 0.3, 0.1)) == "It took a while and ended [1][2]."


def test_only_the_wrong_marker_of_a_sentence_is_touched() -> None:
    text = mended("First [1] this, then [2] that.", (0.9, 0.01, 0.1))
    assert text == "First [1] this, then that."


def test_numbers_run_by_first_use_after_a_move() -> None:
    text, citations = attributed("One thing [1]. Two things [2].", THREE, [(0.1, 0.1, 0.95), (0.1, 0.95, 0.1)])
    assert text == "One thing [1]. Two things [2]."
    assert [each.document_id for each in citations] == ["doc-3.md", "doc-2.md"]


@pytest.mark.parametrize(
    "form", ["[2]", "[[2]]", "【2】", "[^2]", "[2, 9]", "【2†source】", "[2] [2]", "[2-2]", "[ 2 ]"]
)
def test_every_form_of_marker_is_checked(form: str) -> None:
    moved = attributed(f"It took a while {form}.", THREE, [(0.1, 0.1, 0.9)])
    assert moved[0] == "It took a while [1]."
    assert moved[1][0].document_id == "doc-3.md"
    after_the_stop = attributed(f"It took a while. {form} More words.", THREE, [(0.1, 0.1, 0.9), (0, 0, 0)])
    assert after_the_stop[0] == "It took a while. [1] More words."


@pytest.mark.parametrize(
    "text",
    ["The documents don't say when [2].", "Which one do you mean [2]?", "문서에는 날짜가 나와 있지 않습니다 [2]."],
)
def test_what_is_no_claim_keeps_its_footnote(text: str) -> None:
    assert "[1]" in mended(text, (0.0, 0.0, 0.9))


def test_a_bare_sentence_gains_a_footnote_where_a_passage_certainly_supports_it() -> None:
    assert mended("It took a while [1]. It ended well.", (0.9, 0, 0), (0, 0.95, 0)) == (
        "It took a while [1]. It ended well [2]."
    )
    assert mended("It took a while [1]. It ended well.", (0.9, 0, 0), (0, 0.8, 0)).endswith("It ended well.")


def test_an_answer_without_any_footnote_gains_them_in_order() -> None:
    assert mended("It took a while. It ended well.", (0, 0.95, 0), (0.95, 0, 0)) == (
        "It took a while [1]. It ended well [2]."
    )


def test_a_gain_never_changes_a_number_that_was_seen() -> None:
    text = "It took a while. It ended well [2]. Nobody noticed."
    assert mended(text, (0.95, 0, 0), (0, 0.9, 0), (0.95, 0, 0)) == (
        "It took a while. It ended well [1]. Nobody noticed [2]."
    )


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "```sh\nrun it\n```",
        "| a | b |\n| --- | --- |\n| x | y |",
        "**Run it.**",
        "Which one?",
        "# Heading",
    ],
)
def test_nothing_is_added_to_code_tables_and_what_claims_nothing(text: str) -> None:
    assert mended(text, *[(0.99, 0.0, 0.0)] * len(claims(text))) == text


def test_a_footnote_that_moved_quotes_the_words_it_rests_on() -> None:
    cited = evidence(
        passage(1), replace(passage(2, "Ships wait. The fee is 40 euros a night.", page=7, link="https://a.example"))
    )
    _, citations = attributed("The fee is 40 euros [1].", cited, [(0.05, 0.95)])
    found = citations[0]
    assert (found.quote, found.page, found.link) == ("The fee is 40 euros a night.", 7, "https://a.example")
    assert found.date is not None
    assert found.heading_path == ("Report",)


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="row"):
        attributed("One. Two.", THREE, [(0.1, 0.1, 0.1)])


def test_sources_from_the_web_are_listed_apart() -> None:
    web = replace(passage(2), origin="web", link="https://a.example/x")
    mixed: tuple[Evidence, ...] = evidence(passage(1), web, passage(3))
    _, citations = attributed("One [2]. Two [1]. Three [3].", mixed, [(0, 0.9, 0), (0.9, 0, 0), (0, 0, 0.9)])
    own, foreign = apart(citations)
    assert [each.number for each in own] == [2, 3]
    assert [each.number for each in foreign] == [1]


FORMS = ["[1]", "[[2]]", "[1, 2]", "【3】", "[^2]", "[1-3]", "[9]", "[2][1]", ""]
SENTENCES = st.tuples(
    st.sampled_from(["It took a while", "Nodes were drained", "업그레이드는 오래 걸렸습니다", "- Hotel: 40 euros"]),
    st.sampled_from(FORMS),
    st.booleans(),
).map(lambda each: f"{each[0]}. {each[1]}" if each[2] else f"{each[0]} {each[1]}.")
ANSWERS = st.lists(SENTENCES, min_size=1, max_size=6).map(" ".join) | st.lists(SENTENCES, max_size=6).map("\n".join)


def supported(text: str, data: st.DataObject) -> list[list[float]]:
    return [data.draw(ROWS) for _ in claims(text)]


@given(ANSWERS, st.data())
def test_words_never_change_whatever_the_support(text: str, data: st.DataObject) -> None:
    changed, citations = attributed(text, THREE, supported(text, data))
    assert _words(without_markers(changed)) == _words(without_markers(text))
    assert [each.number for each in citations] == list(range(1, len(citations) + 1))
    assert sorted({int(n) for n in re.findall(r"\[(\d+)\]", changed)}) == [each.number for each in citations]


@given(ANSWERS)
def test_where_every_footnote_is_right_the_answer_is_what_streamed(text: str) -> None:
    sure = [[0.8] * 3 for _ in claims(text)]
    assert attributed(text, THREE, sure) == cite(text, THREE)


@given(ANSWERS, st.integers(0, 200))
def test_a_stream_split_anywhere_ends_in_the_text_that_the_check_starts_from(text: str, cut: int) -> None:
    stream = MarkerStream(THREE)
    shown = [stream.feed(text[:cut]), stream.feed(text[cut:])]
    final = stream.finish()
    assert all(final.startswith(each) for each in shown)
    assert final == attributed(text, THREE, [[0.8] * 3 for _ in claims(text)])[0]


@given(ANSWERS, st.data())
def test_footnotes_are_mended_once_and_for_all(text: str, data: st.DataObject) -> None:
    rows = supported(text, data)
    changed, citations = attributed(text, THREE, rows)
    order = [THREE[int(each.document_id[4]) - 1] for each in citations]
    columns = [int(each.document_id[4]) - 1 for each in citations]
    if len(claims(changed)) == len(rows) and citations:
        again, _ = attributed(changed, order, [[row[c] for c in columns] for row in rows])
        assert _words(without_markers(again)) == _words(without_markers(changed))


@given(st.lists(st.integers(0, 9), max_size=5), st.lists(st.floats(0, 1), max_size=5))
def test_each_footnote_gets_a_passage_that_exists_or_none(numbers: list[int], row: list[float]) -> None:
    settled = settled_numbers(numbers, row)
    assert len(settled) == len(numbers)
    assert all(0 <= n <= len(row) for n in settled)
    assert 0 <= gained_number(row) <= len(row)


@given(st.integers(1, 3), ROWS)
def test_a_footnote_only_moves_uphill(number: int, row: list[float]) -> None:
    (settled,) = settled_numbers((number,), row)
    assert settled == 0 or row[settled - 1] >= row[number - 1]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
