"""Footnotes: what is a marker, what is none, how they are numbered, and what they quote."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.answers import Grade
from core.citations import MarkerStream, cite, without_markers
from core.claims import claims
from core.documents import Passage
from core.links import retrieved_links, strip_foreign_links
from core.ports import Evidence

TEXT = "The upgrade took forty minutes. Nodes were drained one by one.\n\nNobody noticed."


def passage(
    n: int, text: str = TEXT, *, document: str = "", page: int | None = None, link: str | None = None
) -> Passage:
    return Passage(
        id=f"runbooks:{n}",
        collection="runbooks",
        document_id=document or f"doc-{n}.md",
        document_hash="h",
        title=f"Title {n}",
        heading_path=("Report",),
        text=text,
        position=n,
        language="en",
        page=page,
        link=link,
        date=date(2025, 10, 14),
    )


def evidence(*passages: Passage) -> tuple[Evidence, ...]:
    return tuple(Evidence(each, (), Grade(0.9, "correct")) for each in passages)


THREE = evidence(passage(1), passage(2), passage(3))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("It took a while [2]. Then it ended [1].", "It took a while [1]. Then it ended [2]."),
        ("Both [[2]] and 【1】 and [^3].", "Both [1] and [2] and [3]."),
        ("Lists [1, 2] and chains [2][1].", "Lists [1][2] and chains [2][1]."),
        ("A range [1-3].", "A range [1][2][3]."),
        ("Other brackets 【1†source】.", "Other brackets [1]."),
        ("The same twice [1] [1].", "The same twice [1]."),
        ("Unknown ones go [9]. Known stay [1, 7].", "Unknown ones go. Known stay [1]."),
        ("한국어 문장입니다[2]. 다음 문장입니다 [1].", "한국어 문장입니다[1]. 다음 문장입니다 [2]."),
        ("It took 40 minutes[3].", "It took 40 minutes[1]."),
    ],
)
def test_markers_of_any_form_become_one_form_numbered_by_first_use(written: str, expected: str) -> None:
    assert cite(written, THREE)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Read `rows[1]` and `x [2]` first.",
        "```python\nx = a[1]\ny = [2]\n```",
        "Use a[1] or argv[1] or table.rows[2].",
        "An open fence\n~~~\n[1]",
        "In [2024] it was different.",
        "- [ ] to do",
    ],
)
def test_what_is_no_marker_stays_as_it_is(text: str) -> None:
    assert cite(text, THREE) == (text, ())


def test_a_link_whose_label_is_a_number_is_no_marker() -> None:
    known = evidence(passage(1, link="https://wiki.example/a"))
    assert cite("See [1](https://wiki.example/a).", known) == ("See [1](https://wiki.example/a).", ())


def test_only_cited_documents_are_listed() -> None:
    _, citations = cite("It took a while [2].", THREE)
    assert [(each.number, each.document_id) for each in citations] == [(1, "doc-2.md")]


def test_passages_of_one_place_share_a_footnote_and_pages_do_not() -> None:
    several = evidence(
        passage(1, document="a.pdf", page=1), passage(2, document="a.pdf", page=1), passage(3, document="a.pdf", page=2)
    )
    text, citations = cite("One [1]. Two [2]. Three [3].", several)
    assert text == "One [1]. Two [1]. Three [2]."
    assert [each.page for each in citations] == [1, 2]


def test_a_footnote_quotes_the_sentence_nearest_to_its_claim() -> None:
    _, citations = cite("The nodes were drained one after another [1].", THREE)
    assert citations[0].quote == "Nodes were drained one by one."
    assert citations[0].date == date(2025, 10, 14)


def test_a_verbatim_claim_is_quoted_as_it_stands() -> None:
    _, citations = cite("The upgrade took forty minutes. [1]", THREE)
    assert citations[0].quote == "The upgrade took forty minutes."


def test_a_very_long_sentence_is_not_quoted_whole() -> None:
    long = evidence(passage(1, "word " * 400))
    assert len(cite("word word [1].", long)[1][0].quote) < 400


def test_without_evidence_nothing_is_cited() -> None:
    assert cite("Hello [1]!", ()) == ("Hello!", ())


def test_a_marker_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    found = claims("First thing. [1] Second one [2][3].\n\n```sh\nrun it\n```\n[2]")
    assert [(each.text, each.numbers) for each in found] == [
        ("First thing.", (1,)),
        ("Second one.", (2, 3)),
        ("```sh\nrun it\n```", (2,)),
    ]


def test_text_without_markers_reads_as_if_nothing_had_been_cited() -> None:
    assert without_markers("One [1]. Two [2][3], `a [1]`.") == "One. Two, `a [1]`."


MARKS = ["[1]", "[", "]", "[[2", "]]", "【3】", "【1†s", "】", "[^2]", "[1-3]", "[1,", " 2]", "[9]", "minutes[1]."]
OTHERS = ["`", "``", "```\n", "~~~\n", "a[1]", "word", ".", "\n", "\n\n", "다", "(", "x", "=", "0", "!", "-", " "]
PIECES = st.sampled_from([*MARKS, *OTHERS])
TEXTS = st.lists(PIECES, max_size=24).map("".join)


@given(TEXTS, st.data())
@example("minutes[1] = 2", None)
@example("a [1] [1]", None)
def test_the_stream_only_grows_and_ends_in_what_cite_gives(text: str, data: st.DataObject | None) -> None:
    stream = MarkerStream(THREE)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6))) if data else range(len(text))
    shown = [stream.feed(text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    final = stream.finish()
    assert final == cite(text, THREE)[0]
    assert all(final.startswith(each) for each in shown)


@given(TEXTS)
def test_footnotes_are_numbered_without_gaps_and_each_stands_in_the_text(text: str) -> None:
    rendered, citations = cite(text, THREE)
    assert [each.number for each in citations] == list(range(1, len(citations) + 1))
    assert all(f"[{each.number}]" in rendered for each in citations)


CITED = st.sampled_from(["Words [1].", "More [3][2]", "다음 [2].", "`code`", "\n\n", "[1, 3]"])


@given(st.lists(CITED, max_size=8).map(" ".join))
def test_citing_twice_changes_nothing(text: str) -> None:
    rendered, citations = cite(text, THREE)
    again, _ = cite(rendered, tuple(THREE[int(each.document_id[4]) - 1] for each in citations))
    assert again == rendered


@given(st.text(max_size=200))
def test_any_text_at_all_can_be_cited(text: str) -> None:
    cite(text, THREE)


def test_half_a_marker_waits_for_its_rest() -> None:
    stream = MarkerStream(THREE)
    assert stream.feed("It took a while [") == "It took a while"
    assert stream.feed("2") == "It took a while"
    assert stream.feed("]. And") == "It took a while [1]. And"


def test_plain_words_are_shown_at_once() -> None:
    assert MarkerStream(THREE).feed("Hello there, friend") == "Hello there, friend"


def test_a_foreign_link_is_never_shown_in_the_stream() -> None:
    stream = MarkerStream(THREE)
    text = "See [docs](https://evil.example/?q=secret) and https://evil.example/x now."
    shown = [stream.feed(character) for character in text]
    assert not any("evil" in each for each in shown)
    assert stream.finish() == "See docs and now."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://wiki.example/a.", "See https://wiki.example/a."),
        (
            "See https://wiki.example/a#part and HTTPS://WIKI.example/a/",
            "See https://wiki.example/a#part and HTTPS://WIKI.example/a/",
        ),
        ("See https://evil.example/a?d=secret now.", "See now."),
        ("See https://wiki.example/a?d=secret now.", "See now."),
        ("[the page](https://evil.example)", "the page"),
        ("![chart](https://evil.example/x.png)", "chart"),
        ("[![chart](https://evil.example/x.png)](https://evil.example)", "chart"),
        ("<https://evil.example|docs> and <https://evil.example>", "docs and "),
        ("[x](javascript:alert(1)) and [y](../other.md)", "x and y"),
        ('<a href="https://evil.example">here</a><img src="https://evil.example/p.png">', "here"),
        ("[ref]: https://evil.example\nText", "Text"),
        ("www.evil.example/x and ftp://evil.example", " and"),
        ("`curl https://evil.example/x`", "`curl`"),
        ("[ok](https://wiki.example/a_(b))", "[ok](https://wiki.example/a_(b))"),
    ],
)
def test_only_retrieved_links_stay(text: str, expected: str) -> None:
    assert strip_foreign_links(text, {"https://wiki.example/a", "https://wiki.example/a_(b)"}) == expected


def test_links_of_a_passage_and_in_its_text_are_retrieved() -> None:
    found = retrieved_links(
        [passage(1, "See https://a.example/x. And [b](https://b.example/y).", link="https://c.example")]
    )
    assert {"https://a.example/x", "https://b.example/y", "https://c.example"} <= found


LINKS = st.sampled_from(["https://evil.example", "[a](", ")", "<", ">", "x", " ", "htt", "ps://", "!["])


@given(st.lists(LINKS, max_size=10).map("".join))
def test_no_foreign_address_survives_however_it_is_put_together(text: str) -> None:
    assert "https://evil" not in strip_foreign_links(text, ())
