"""Who is answered, on every platform alike."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.etiquette import Rules, judge
from core.messages import Audience, Author, Ignore, Message, ReplyTarget, Respond, SessionKey

MODES = ("mention", "thread", "auto")
PLAIN = Message(
    identity="C1:1",
    key=SessionKey("slack", "T1", "C1", "1"),
    author=Author("U1"),
    text="휴가는 며칠인가요?",
    audience=Audience("slack", "T1", "C1"),
    reply_to=ReplyTarget("slack", "T1", "C1", "1"),
    received_at=datetime(2026, 3, 2, tzinfo=UTC),
)
MENTION = replace(PLAIN, mentions_us=True)
FOLLOW_UP = replace(PLAIN, in_our_thread=True)
DIRECT = replace(PLAIN, key=replace(PLAIN.key, thread="dm"))
BOT = Author("B1", is_bot=True)
MESSAGES = st.builds(
    replace,
    st.sampled_from([PLAIN, DIRECT]),
    text=st.sampled_from(["", " \n", "was?"]),
    mentions_us=st.booleans(),
    mentions_others=st.booleans(),
    in_our_thread=st.booleans(),
    author=st.sampled_from([Author("U1"), BOT]),
)


@pytest.mark.parametrize("mode", MODES)
def test_whoever_names_us_is_answered(mode: str) -> None:
    assert judge(MENTION, Rules(mode)) == Respond("mention")  # type: ignore[arg-type]
    assert judge(replace(MENTION, mentions_others=True), Rules(mode)) == Respond("mention")  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_a_direct_message_needs_no_mention(mode: str) -> None:
    private = replace(PLAIN, key=replace(PLAIN.key, thread="private/U1/77"))
    alone = replace(PLAIN, audience=replace(PLAIN.audience, user="U1"))
    for message in (DIRECT, private, alone, replace(DIRECT, mentions_others=True)):
        assert judge(message, Rules(mode)) == Respond("private")  # type: ignore[arg-type]


def test_the_terminal_is_always_answered() -> None:
    message = replace(PLAIN, key=SessionKey("console", "local", "terminal", "1"), mentions_others=True)
    assert judge(message, Rules("mention")) == Respond("terminal")


def test_a_follow_up_in_our_thread_needs_no_mention_unless_the_channel_wants_one() -> None:
    assert judge(FOLLOW_UP, Rules()) == Respond("thread")
    assert judge(FOLLOW_UP, Rules("auto")) == Respond("thread")
    assert isinstance(judge(FOLLOW_UP, Rules("mention")), Ignore)


def test_a_channel_message_is_answered_only_in_auto_mode_and_quietly() -> None:
    assert isinstance(judge(PLAIN, Rules()), Ignore)
    assert isinstance(judge(PLAIN, Rules("mention")), Ignore)
    assert judge(PLAIN, Rules("auto")) == Respond("auto", quiet=True)


@pytest.mark.parametrize("mode", MODES)
def test_what_is_said_to_somebody_else_is_none_of_our_business(mode: str) -> None:
    for message in (PLAIN, FOLLOW_UP):
        assert isinstance(judge(replace(message, mentions_others=True), Rules(mode)), Ignore)  # type: ignore[arg-type]


def test_a_bare_mention_asks_for_help_and_an_image_in_a_thread_for_nothing() -> None:
    assert judge(replace(MENTION, text="  \n"), Rules()) == Respond("help")
    assert judge(replace(DIRECT, text=""), Rules()) == Respond("help")
    assert isinstance(judge(replace(FOLLOW_UP, text=""), Rules("auto")), Ignore)


def test_programs_are_answered_when_they_name_us_and_three_times_at_most() -> None:
    from_bot = replace(MENTION, author=BOT)
    assert [isinstance(judge(from_bot, Rules(), before), Respond) for before in range(5)] == [True] * 3 + [False] * 2
    for message in (PLAIN, FOLLOW_UP, DIRECT, replace(MENTION, text="")):
        assert isinstance(judge(replace(message, author=BOT), Rules("auto")), Ignore)


def test_a_person_is_answered_however_many_programs_spoke_before() -> None:
    assert judge(MENTION, Rules(), bots_before=99) == Respond("mention")


@given(MESSAGES, st.sampled_from(MODES), st.integers(0, 5))
def test_every_message_gets_a_decision_with_its_reason(message: Message, mode: str, before: int) -> None:
    decision = judge(message, Rules(mode), before)  # type: ignore[arg-type]
    reason = decision.why if isinstance(decision, Respond) else decision.reason
    assert reason


@given(MESSAGES, st.integers(0, 5))
def test_a_more_talkative_mode_never_answers_less(message: Message, before: int) -> None:
    answered = [isinstance(judge(message, Rules(mode), before), Respond) for mode in MODES]  # type: ignore[arg-type]
    assert answered == sorted(answered)
