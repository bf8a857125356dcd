"""One normal form, one guess of the language, and sentences that are never cut in the wrong place."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.indexing.text import language_of, normalise, sentences


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\t" for char in once)


def test_decomposed_hangul_is_composed_and_unseen_characters_go() -> None:
    assert normalise(unicodedata.normalize("NFD", "휴가 규정")) == "휴가 규정"
    assert normalise("\ufeffa\x00b\u200bc\r\nd\re\u00a0f\u202eg") == "abc\nd\ne fg"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The node pool did not drain.", "en"),
        ("노드 풀이 비워지지 않았다.", "ko"),
        ("kubectl drain --ignore-daemonsets 명령으로 노드를 비운다", "ko"),
        ("휴가는 며칠?\n```python\nfor item in collection_of_many_things: print(item)\n```", "ko"),
        ("The word 휴가 means holiday in Korean and this sentence is in English.", "en"),
        ("Où est le café", "en"),  # Latin script is all that is looked at
        ("これは日本語です", "und"),
        ("12345 — !!", "und"),
        ("", "und"),
        ("```\nprint('hello')\n```", "en"),
    ],
)
def test_language_is_told_by_script(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    "sentence",
    [
        "The upgrade to v1.28 took 3.5 hours on 10.0.0.1.",
        "See https://docs.example/a.b/c?x=1 and values.yaml, e.g. the one of Dr. Kim.",
        "Ports (see Fig. 3. It is small) are open from 9 a.m. to 5 p.m. on weekdays.",
        "Run `helm upgrade x. Then y` first.",
        "Follow [the guide](https://x.example/a. b) of J. Smith et al. for No. 5.",
        "업그레이드는 2025. 10. 14. 오후 3시에 v1.29.4로 시작했다.",
        "버전 2.1 이상(예: 2.1.3. 이전 버전은 안 됨)에서만 됩니다.",
        "It failed... and then went on, i.e. nothing was lost.",
        "담당자는 kim.minsu@lumo.example 이고 문서는 runbook.v2.md입니다.",
    ],
)
def test_one_sentence_stays_one(sentence: str) -> None:
    assert sentences(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We waited. Then it worked! Why? Nobody knows.", ["We waited.", "Then it worked!", "Why?", "Nobody knows."]),
        ("노드가 멈췄습니다. 왜 그랬을까요? 몰라요.", ["노드가 멈췄습니다.", "왜 그랬을까요?", "몰라요."]),
        ("노드가 멈췄습니다.그래서 기다렸다.", ["노드가 멈췄습니다.", "그래서 기다렸다."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("(See the log.) Then restart.", ["(See the log.)", "Then restart."]),
        ("It lasts 5 days. After 2024. Then more.", ["It lasts 5 days.", "After 2024.", "Then more."]),
        ("We use AKS, GKE, etc. They differ.", ["We use AKS, GKE, etc.", "They differ."]),
        ("설정을 바꿉니다. helm은 다시 읽습니다.", ["설정을 바꿉니다.", "helm은 다시 읽습니다."]),
        ("ここです。次です。", ["ここです。", "次です。"]),
        ("One line\ngoes on here. Two.", ["One line goes on here.", "Two."]),
        ("Name: A  \nRole: B", ["Name: A", "Role: B"]),
    ],
)
def test_prose_is_split_at_its_full_stops(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_headings_rules_and_markup_lines_are_not_sentences() -> None:
    text = """# Leave policy. Yes

Setext title
============

/// tip | Note
Stay.
///

---

<div class="x">

![A picture. Of x](a.png)

## End ##"""
    assert sentences(text) == ["Stay."]


def test_items_rows_and_code_are_units() -> None:
    text = """Intro:
- First. With two sentences.
  And a third.
- [ ] Second
  1. Nested

  More. On it.

| Port | Use |
| --- | --- |
| 80 | web. Plain |
| 443 | TLS |

~~~py
x = 1

# no heading. y
~~~

> Quoted. And
> more."""
    assert sentences(text) == [
        "Intro:",
        "First. With two sentences. And a third.",
        "Second",
        "Nested",
        "More.",
        "On it.",
        "| 80 | web. Plain |",
        "| 443 | TLS |",
        "~~~py\nx = 1\n\n# no heading. y\n~~~",
        "Quoted.",
        "And more.",
    ]


def test_a_long_item_is_split_and_so_are_many_lines_without_a_full_stop() -> None:
    assert len(sentences("- " + "This item is quite long indeed. " * 20)) == 20
    assert len(sentences("\n".join(f"host-{n} = 10.0.0.{n} # a machine" for n in range(30)))) == 30


_MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# 제목",
            "Text here. More",
            "- item. x",
            "1. one",
            "```",
            "~~~",
            "| a | b |",
            "|---|---|",
            "---",
            "",
            "    c",
            "> q. Q",
            "끝났다. 다음",
            "!!! note",
            "`a. b",
            "(x. y",
            "e.g.",
            "x  ",
            "<b>",
        ]
    )
)


@given(_MARKDOWN)
def test_sentences_come_from_the_text_in_order_and_hold_something(lines: list[str]) -> None:
    text = "\n".join(lines)
    flat = " ".join(text.replace("> ", "").split())
    at = 0
    for sentence in sentences(text):
        assert sentence.strip()
        at = flat.index(" ".join(sentence.replace("> ", "").split()), at)


@settings(deadline=2000)
@given(
    st.sampled_from(["`", "(", "a. ", "[x](", "> ", "| ", "e.g. ", "다.", "# ", "```\n", "- ", ".", "](a", "|--|  \n"])
)
def test_hostile_repetition_takes_no_time(unit: str) -> None:
    sentences(unit * 20_000)
    language_of(unit * 20_000)
