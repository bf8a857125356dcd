"""Whatever an answer holds, its messages are within Discord's limits, call nobody and lose no word. Pure."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord import outgoing
from adapters.discord.looks import DiscordMessage, answered, boxless, failed, noted, working
from adapters.discord.mail import changed, shown, view
from adapters.discord.staff import CHANGES, wish
from core.answers import Answer, Citation
from core.errors import InputError
from core.presenting import Looks
from core.wording import say

PIECES = st.sampled_from(
    (
        "한국어 문장입니다. ",
        "A sentence with `code` [1]. ",
        "\n\n",
        "```python\nprint('@everyone')\n```\n",
        "[a link](https://docs.test/a_(b)?c=d) ",
        "https://docs.test/x ",
        "@everyone ",
        "<@123456789012345678> ",
        "<@&123456789012345678> ",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "##### deep\n",
        "👩‍👩‍👧‍👦",
        "x" * 700 + " ",
    )
)
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=3000))
NAMES = st.one_of(st.text(max_size=120), st.sampled_from(("@everyone [x](https://evil.test)", "*_`|~", "제목 " * 60)))
CITATIONS = st.lists(
    st.builds(
        Citation,
        number=st.integers(1, 60),
        collection=st.just("docs"),
        document_id=st.just("a.md"),
        passage_id=st.just("docs:1:2"),
        title=NAMES,
        heading_path=st.lists(NAMES, max_size=3).map(tuple),
        link=st.one_of(
            st.none(), st.sampled_from(("https://docs.test/a", "https://docs.test/" + "x" * 3000, "file:///x"))
        ),
        origin=st.sampled_from(("index", "web")),
    ),
    max_size=40,
).map(tuple)
ANSWERS = st.builds(
    Answer,
    text=TEXTS,
    standing=st.sampled_from(("supported", "closest", "unchecked", "not_found", "direct", "clarify", "partial")),
    citations=CITATIONS,
    nearest=CITATIONS,
    notes=st.lists(NAMES, max_size=4).map(tuple),
)
LOOKS = st.builds(
    Looks,
    turn_id=st.just("0123456789abcdef"),
    language=st.sampled_from(("ko", "en")),
    private=st.booleans(),
    direct=st.booleans(),
)


def fits(message: DiscordMessage) -> None:
    """As Discord counts."""
    assert len(message.content) <= 2000
    assert message.content.strip() or message.sources
    if message.sources:
        assert len(message.sources.text) <= 4096
        assert len(message.sources.foot) <= 2048
        assert message.sources.size <= 6000
    ids = [each.custom_id for each in message.buttons]
    assert len(ids) == len(set(ids)) <= 25
    assert all(1 <= len(id) <= 100 for id in ids)
    assert all((each.label or each.emoji) and len(each.label) <= 80 for each in message.buttons)
    rows = [each.row for each in message.buttons]
    assert all(0 <= row < 5 and rows.count(row) <= 5 for row in rows)
    assert len(ids) + len(set(rows)) <= 40
    for text in (message.content, message.sources.text if message.sources else ""):
        assert not re.search(r"@(everyone|here)\b", text)
        assert not re.search(r"<@[!&]?\d+>", text)


@settings(max_examples=40, deadline=None)
@given(ANSWERS, LOOKS)
async def test_any_answer_fits(answer: Answer, looks: Looks) -> None:
    messages = answered(answer, looks)
    assert messages
    for message in messages:
        fits(message)
        shown(message)
        changed(message)
    assert not any(message.buttons for message in messages[:-1])
    plain = boxless(messages)
    for message in plain:
        fits(message)
    assert plain[-1].buttons == messages[-1].buttons
    assert not any(message.sources or (message.buttons and message is not plain[-1]) for message in plain)


@settings(max_examples=60, deadline=None)
@given(ANSWERS, LOOKS)
async def test_where_nothing_is_embedded_no_source_is_lost(answer: Answer, looks: Looks) -> None:
    messages = answered(answer, looks)
    kept = "".join("".join(message.content.split()) for message in boxless(messages))
    assert all(f"[{each.number}]" in kept for each in answer.citations)
    assert all("".join(say(key, looks.language).split()) in kept for key in _headings(answer))


def _headings(answer: Answer) -> list[str]:
    web = any(each.origin == "web" for each in answer.citations)
    return [*(["footnote.web"] if web else []), *(["footnote.nearest"] if answer.nearest else [])]


@settings(max_examples=40, deadline=None)
@given(TEXTS, LOOKS)
async def test_whatever_is_under_way_or_failed_fits(text: str, looks: Looks) -> None:
    fits(working("Writing…", looks, text))
    for message in (*noted(text), *([failed(text)] if text.strip() else [])):
        if message.content.strip():
            fits(message)


async def test_a_view_is_not_remembered_by_the_library() -> None:
    (last,) = answered(Answer("Yes [1].", "supported", ()), Looks("0123456789abcdef", "en"))
    assert view(last.buttons).is_finished()


def test_no_link_has_a_preview_and_code_stays_as_it_is() -> None:
    text = "See [the guide](https://docs.test/a) or https://docs.test/b, not `https://docs.test/c`.\n```\nhttps://x.test\n```"
    assert outgoing.markdown(text) == (
        "See [the guide](<https://docs.test/a>) or <https://docs.test/b>, not `https://docs.test/c`.\n"
        "```\nhttps://x.test\n```"
    )


def test_a_long_code_block_is_closed_and_opened_again() -> None:
    code = "\n".join(f"line {number}" for number in range(400))
    parts = outgoing.parts(f"Run this:\n\n```sh\n{code}\n```\nDone.", 1990)
    assert len(parts) > 1
    assert all(part.count("```") % 2 == 0 for part in parts)


def test_a_draft_that_is_cut_in_its_code_closes_it() -> None:
    code = "\n".join(f"line {number}" for number in range(400))
    draft = working("Writing…", Looks("0123456789abcdef", "en"), f"Run this:\n\n```sh\n{code}")
    assert draft.content.count("```") % 2 == 0
    assert draft.content.splitlines()[-1].startswith("-# ")


def test_footnotes_with_a_link_are_links_and_others_have_a_button() -> None:
    cited = (
        Citation(1, "docs", "a.md", "docs:1:2", "Leave [policy]", link="https://docs.test/a_(b)"),
        Citation(2, "docs", "b.md", "docs:1:3", "Travel"),
    )
    (message,) = answered(Answer("Yes [1] [2].", "supported", cited), Looks("0123456789abcdef", "en"))
    assert message.sources is not None
    assert r"[Leave \[policy\]](https://docs.test/a_%28b%29)" in message.sources.text
    assert [each.number for each in message.buttons if each.deed == "open"] == [2]
    assert [each.deed for each in message.buttons][:5] == ["up", "down", "why", "human", "quiet"]


@given(st.sampled_from((*CHANGES, "view", "x")), st.text(max_size=60) | st.just(" "))
def test_any_change_of_a_channel_is_a_wish_and_half_of_one_is_told(change: str, value: str) -> None:
    if (change in CHANGES) == bool(value.strip()):
        assert wish(change, value).what in (*CHANGES, "view")
    else:
        with pytest.raises(InputError) as refused:
            wish(change, value)
        assert "Nothing was set" in refused.value.user_message("en")


@given(st.text(max_size=400))
def test_a_thread_s_name_fits(question: str) -> None:
    assert len(outgoing.name(question, 100)) <= 100
