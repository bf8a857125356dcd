"""Long Markdown in parts that each render by themselves."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.markdown import breakable, plain, split

FAMILY = "👩\u200d👩\u200d👧\u200d👦"


def letters(text: str) -> str:
    """What may not be lost: everything but white space and fence lines (those are repeated)."""
    kept = [line for line in text.splitlines() if not re.match(r"\s*(?:`{3,}|~{3,})", line)]
    return "".join("".join(kept).split())


def test_a_short_text_is_one_part() -> None:
    assert split("Hello **there**.", 100) == ["Hello **there**."]


def test_an_empty_text_has_no_parts() -> None:
    assert split(" \n ", 10) == []


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="0"):
        split("x", 0)


def test_a_fence_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(40))
    parts = split(f"Before.\n\n```python\n{code}\n```\n\nAfter.", 200)
    assert len(parts) > 2
    for part in parts:
        assert len(part) <= 200
        assert part.count("```") % 2 == 0
    assert sum(part.count("```python") for part in parts) == sum("line_" in part for part in parts)
    assert "".join(parts).count("line_39") == 1


def test_a_long_fence_mark_is_closed_by_the_same_mark() -> None:
    parts = split("````md\n" + "```\ninner\n```\n" * 20 + "````", 80)
    assert all(part.startswith("````") and part.endswith("\n````") for part in parts)


@pytest.mark.parametrize(
    "token",
    [
        "[a link with words](https://wiki.example/a_(b))",
        "`some code here`",
        "<https://wiki.example|[1]>",
        "[12][3]",
        "**bold words**",
    ],
)
def test_a_token_is_never_cut(token: str) -> None:
    text = " ".join(f"word{n} {token}" for n in range(20))
    parts = split(text, 80)
    assert sum(part.count(token) for part in parts) == 20


def test_a_table_row_is_never_cut() -> None:
    rows = "\n".join(f"| row {n} | some value |" for n in range(30))
    for part in split(f"| a | b |\n| --- | --- |\n{rows}", 100):
        assert all(line.startswith("|") and line.endswith("|") for line in part.splitlines())


def test_paragraphs_are_preferred_to_sentences_and_sentences_to_words() -> None:
    first, second = "One two three. " * 4, "Four five six. " * 4
    assert split(f"{first.strip()}\n\n{second.strip()}", 90) == [first.strip(), second.strip()]
    assert all(part.endswith(".") for part in split("Some words here. " * 20, 90))


def test_korean_without_spaces_and_emoji_stay_whole() -> None:
    text = ("한국어문장이길게이어집니다" + FAMILY + "🇰🇷🇯🇵" + "e\u0301") * 20
    for part in split(text, 30):
        assert part.count("\u200d") % 3 == 0
        assert not part.startswith(("\u200d", "\u0301"))
        assert sum(0x1F1E6 <= ord(c) <= 0x1F1FF for c in part) % 2 == 0


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (FAMILY, 1),
        (FAMILY, 2),
        ("🇰🇷🇯🇵", 1),
        ("👍🏽", 1),
        ("e\u0301", 1),
        ("\r\n", 1),
        ("❤\ufe0f", 1),
        ("\u1112\u1161\u11ab", 2),
    ],
)
def test_graphemes_are_not_breakable(text: str, at: int) -> None:
    assert not breakable(text, at)
    assert breakable("🇰🇷🇯🇵", 2)


MARKUP = ["```python", "```", "~~~", "````", "| a | b |", "- item [1]", "# Heading", "    indented", "> quote"]
WORDS = [
    "Some words in a line.",
    "한국어 문장입니다.",
    "",
    "[link](https://wiki.example/x)",
    "x" * 70,
    "`code span`",
    FAMILY,
]
LINES = st.sampled_from([*MARKUP, *WORDS])


@given(st.lists(LINES, max_size=30).map("\n".join), st.integers(1, 120))
def test_nothing_is_lost_and_each_part_fits(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(0 < len(part) <= limit for part in parts)
    if limit >= 40:
        assert letters("\n".join(parts)) == letters(text)


@given(st.text(max_size=300), st.integers(20, 60))
def test_any_text_can_be_split(text: str, limit: int) -> None:
    assert all(len(part) <= limit for part in split(text, limit))


def test_plain_text_has_no_marks_but_its_footnotes() -> None:
    prose = "# Head\n\n**Bold** and *thin* and `code` and [label](https://wiki.example/a_(b)) [1]"
    text = f"{prose}\n\n```sh\nrun a_b_c\n```\n> said"
    assert plain(text) == "Head\n\nBold and thin and code and label [1]\n\nrun a_b_c\nsaid"
