"""What is typed after the command: commands by their words in two languages, and questions that begin like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.typed import Wish, parse
from core.desk.channel_talk import ChannelWish

CHANGES = [
    ("channel", ChannelWish()),
    ("channel mode auto", ChannelWish("mode", text="auto")),
    ("채널 방식 mention", ChannelWish("mode", text="mention")),
    ("channel default handbook, runbooks", ChannelWish("default", ("handbook", "runbooks"))),
    ("채널 숨기기 runbooks", ChannelWish("hide", ("runbooks",))),
    ("channel show a b", ChannelWish("show", ("a", "b"))),
    ("channel hint handbook: Leave and travel", ChannelWish("hint", ("handbook",), "Leave and travel")),
    ("채널 힌트 handbook 휴가와 출장", ChannelWish("hint", ("handbook",), "휴가와 출장")),
]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("", Wish("help")),
        ("  help ", Wish("help")),
        ("도움말", Wish("help")),
        ("ask  how long?\nReally", Wish("ask", "how long?\nReally")),
        ("질문 휴가는 며칠인가요", Wish("ask", "휴가는 며칠인가요")),
        ("reindex", Wish("reindex")),
        ("REINDEX all", Wish("reindex", everything=True)),
        ("재색인 전체", Wish("reindex", everything=True)),
        ("reindex handbook, runbooks handbook", Wish("reindex", names=("handbook", "runbooks"))),
        ("jobs", Wish("jobs")),
        ("작업 12ab34cd", Wish("jobs", id="12ab34cd")),
        ("cancel 12AB34CD", Wish("cancel", id="12ab34cd")),
        ("상태", Wish("status")),
        ("quiet", Wish("quiet")),
        ("조용히 해제", Wish("loud")),
        ("forget", Wish("forget")),
        ("forget me", Wish("forget_me")),
        ("잊기 나", Wish("forget_me")),
    ],
)
def test_words_are_commands_in_both_languages(text: str, wish: Wish) -> None:
    assert parse(text) == wish


@pytest.mark.parametrize(("text", "wish"), CHANGES)
def test_settings_of_a_channel_are_one_change_at_a_time(text: str, wish: ChannelWish) -> None:
    assert parse(text) == Wish("channel", channel=wish)


@pytest.mark.parametrize(
    "text",
    [
        "how long is parental leave?",
        "status of the GKE upgrade?",
        "help me with the travel form, who signs it?",
        "router password of the Berlin office?",
        "cancel a subscription: how?",
        "channel hours of the support team?",
        "forget my badge, what now?",
        "휴가는 며칠 쓸 수 있나요",
        "상태 점검은 어떻게 하나요?",
    ],
)
def test_a_question_is_asked_whatever_word_it_begins_with(text: str) -> None:
    assert parse(text) == Wish("ask", text)


@pytest.mark.parametrize("text", ["reindx", "cancel", "forget everything", "channel mode", "jobs now please", "ㅎㅎ"])
def test_what_is_neither_is_told_so_and_nothing_is_done(text: str) -> None:
    assert parse(text) == Wish("unknown", text)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["channel", "hint", ":", "me", "모두", "?", "cancel", "a"])).map(" ".join)
)
def test_whatever_is_typed_is_a_wish(text: str) -> None:
    wish = parse(text)
    assert wish.verb in ("help",) or text.strip()
    assert len(wish.id) <= 32
