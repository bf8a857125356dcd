"""Pieces follow headings, keep tables and fences whole, and know where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.parsers.headings import plain, slug
from adapters.parsers.splitter import MarkdownSplitter
from core.documents import PageMark, Parsed, Piece


def split(text: str, **settings: int) -> list[Piece]:
    return list(MarkdownSplitter(**settings).split(Parsed("T", text)))


def test_pieces_know_the_headings_above_them_and_their_anchor() -> None:
    text = "Intro.\n\n# Guide\n\nFirst.\n\n## Set up { #start }\n\nSecond.\n\nLower\n-----\n\n"
    text += "### 설치 방법 (요약)\n\n셋.\n\n# Other\n\nFour."
    assert [(piece.text, piece.heading_path, piece.anchor) for piece in split(text)] == [
        ("Intro.", (), ""),
        ("First.", ("Guide",), "guide"),
        ("Second.", ("Guide", "Set up"), "start"),
        ("셋.", ("Guide", "Lower", "설치 방법 (요약)"), "설치-방법-요약"),
        ("Four.", ("Other",), "other"),
    ]


def test_a_heading_sign_in_a_fence_is_no_heading_and_the_fence_stays_whole() -> None:
    fence = "```sh\n# restart everything\n\n## twice\nkubectl get pods\n```"
    pieces = split(
        f"## Restart\n\n{'Words before it. ' * 30}\n\n{fence}\n\n{'Words after it. ' * 30}", target=300, maximum=500
    )
    assert {piece.heading_path for piece in pieces} == {("Restart",)}
    assert any(fence in piece.text for piece in pieces)


def test_a_table_that_fits_stays_whole() -> None:
    table = "| Port | Use |\n| --- | --- |\n" + "\n".join(f"| {n} | service {n} |" for n in range(12))
    pieces = split(f"# Ports\n\n{'Some words. ' * 40}\n\n{table}\n\n{'More words. ' * 40}", target=300, maximum=500)
    assert any(table in piece.text for piece in pieces)


def test_indentation_of_code_and_nested_lists_survives() -> None:
    text = "# A\n\n    indented code\n    more\n\n- one\n  - nested\n"
    assert split(text)[0].text == "    indented code\n    more\n\n- one\n  - nested"


def test_a_short_section_is_a_piece_of_its_own_and_a_bare_heading_is_its_own_text() -> None:
    pieces = split("# Phones\n\n## Front desk\n\n+82 2 555 0100\n\n## Closed on Sundays\n\n## Night\n\n112")
    assert [(piece.heading_path[-1], piece.text) for piece in pieces] == [
        ("Front desk", "+82 2 555 0100"),
        ("Phones", "Closed on Sundays"),
        ("Night", "112"),
    ]


def test_the_short_rest_of_a_section_joins_the_piece_before_it() -> None:
    pieces = split("A word or two. " * 60 + "\n\nThe end.", target=300, maximum=500)
    assert pieces[-1].text.endswith("The end.")
    assert len(pieces[-1].text) > 80


def test_a_fence_too_long_for_one_piece_leaves_no_piece_of_bare_signs() -> None:
    pieces = split(
        "# A\n\n```go\n" + "\n".join(f"      --flag-{n} string    what it does" for n in range(200)) + "\n```\n"
    )
    assert len(pieces) > 5
    assert all("flag" in piece.text for piece in pieces)


def test_korean_has_shorter_pieces() -> None:
    korean = split("노드 풀을 하나씩 비우고 다시 채운다. " * 100)
    english = split("One node pool after the other is drained. " * 100)
    assert 300 < max(len(piece.text) for piece in korean) <= 600
    assert 600 < max(len(piece.text) for piece in english) <= 1000


def test_the_page_comes_from_the_page_marks() -> None:
    text = "First page.\n\n" + "Second page. " * 100
    pieces = MarkdownSplitter().split(Parsed("T", text, pages=(PageMark(0, 1), PageMark(13, 2))))
    assert pieces[0].page == 1
    assert pieces[-1].page == 2
    assert split("No pages.")[0].page is None


def test_equal_headings_get_numbered_anchors() -> None:
    assert [piece.anchor for piece in split("## Usage\n\na\n\n## Usage\n\nb\n\n## Usage\n\nc")] == [
        "usage",
        "usage-1",
        "usage-2",
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("**Bold** and `code` { #here }", ("Bold and code", "here")),
        ("[Link](https://x.example) text", ("Link text", "")),
        ("[`ref`][1] <abbr title='x'>API</abbr>", ("ref API", "")),
        ("snake_case and 2 * 3", ("snake_case and 2 * 3", "")),
        ("Values {.Values.x}", ("Values", "")),
        ("`{{ .Values }}`", ("{{ .Values }}", "")),
        ("Object {a: 1}", ("Object {a: 1}", "")),
        ("`**kwargs` and **all of `x`**", ("**kwargs and all of x", "")),
        ("C\\# \\_init\\_", ("C# _init_", "")),
    ],
)
def test_headings_lose_their_markup(raw: str, expected: tuple[str, str]) -> None:
    assert plain(raw) == expected


def test_slugs_are_like_those_of_github() -> None:
    assert slug("What's new in v1.28?") == "whats-new-in-v128"
    assert slug("휴가 규정 – 요약") == "휴가-규정--요약"


_LINES = st.lists(
    st.sampled_from(
        [
            "# A",
            "## B",
            "### 나",
            "#",
            "Title",
            "=====",
            "-----",
            "text. more",
            "한국어 문장이다.",
            "```",
            "~~~",
            "| a | b |",
            "|---|---|",
            "- item",
            "    code",
            "",
            "",
            "x" * 150,
            "낱말 " * 60,
            "<h2 id='q'>Q</h2>",
            "> # q",
            "\t",
        ]
    ),
    max_size=40,
)


@given(_LINES)
def test_pieces_are_slices_in_order_within_the_limits_and_lose_no_word(lines: list[str]) -> None:
    text = "\n".join(lines)
    pieces = split(text, target=60, maximum=90, korean_target=40, korean_maximum=60)
    end = 0
    for piece in pieces:
        assert text[piece.offset : piece.offset + len(piece.text)] == piece.text
        assert piece.text.strip()
        said = [line for line in piece.text.strip().split("\n") if any(map(str.isalnum, line))]
        assert len("\n".join(said)) <= 90  # indentation and fence lines are not counted
        assert piece.offset >= end
        end = piece.offset + len(piece.text)
    kept = "".join(piece.text for piece in pieces) + "".join(" ".join(piece.heading_path) for piece in pieces)
    for word in ("text. more", "한국어 문장이다.", "- item", "x" * 90):
        assert (word in text) <= (word in kept)
