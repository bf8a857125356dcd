"""Who is answered, on every platform alike."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.etiquette import Attendance, Rules, judge
from core.messages import Audience, Author, Halt, Hush, Ignore, Message, ReplyTarget, Respond, SessionKey

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
FOLLOW_UP = replace(PLAIN, in_our_thread=True, in_thread=True)
ASKED = Attendance(frozenset({"U1"}))
ATTENDANCES = st.builds(Attendance, st.frozensets(st.sampled_from(["U1", "U2"])), st.booleans(), st.integers(0, 5))
DIRECT = replace(PLAIN, key=replace(PLAIN.key, thread="dm"))
BOT = Author("B1", is_bot=True)
MESSAGES = st.builds(
    replace,
    st.sampled_from([PLAIN, DIRECT]),
    text=st.sampled_from(["", " \n", "was?", "quiet", "stop", "thanks", "Kim, can you?"]),
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
    assert judge(FOLLOW_UP, Rules(), ASKED) == Respond("thread")
    assert judge(FOLLOW_UP, Rules("auto"), ASKED) == Respond("thread")
    assert isinstance(judge(FOLLOW_UP, Rules("mention"), ASKED), Ignore)


def test_a_channel_message_is_answered_only_in_auto_mode_and_quietly() -> None:
    assert isinstance(judge(PLAIN, Rules()), Ignore)
    assert isinstance(judge(PLAIN, Rules("mention")), Ignore)
    assert judge(PLAIN, Rules("auto")) == Respond("auto", quiet=True)


def test_a_new_post_needs_no_question_mark_where_posts_are_answered() -> None:
    post = replace(PLAIN, text="Deploy fails on GKE\nSee the picture.", is_post=True)
    assert judge(post, Rules("auto")) == Respond("auto", quiet=True)
    assert isinstance(judge(post, Rules()), Ignore)
    assert isinstance(judge(replace(post, is_post=False), Rules("auto")), Ignore)


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
    decisions = [judge(from_bot, Rules(), Attendance(bots=before)) for before in range(5)]
    assert [isinstance(each, Respond) for each in decisions] == [True] * 3 + [False] * 2
    for message in (PLAIN, FOLLOW_UP, DIRECT, replace(MENTION, text="")):
        assert isinstance(judge(replace(message, author=BOT), Rules("auto"), ASKED), Ignore)


def test_a_person_is_answered_however_many_programs_spoke_before() -> None:
    assert judge(MENTION, Rules(), Attendance(bots=99)) == Respond("mention")


def test_only_who_asked_us_in_a_thread_or_replies_to_us_need_not_name_us() -> None:
    stranger = replace(FOLLOW_UP, author=Author("U2"))
    assert isinstance(judge(stranger, Rules(), ASKED), Ignore)
    assert isinstance(judge(stranger, Rules("auto"), ASKED), Ignore)
    assert judge(replace(stranger, replies_to_us=True), Rules(), ASKED) == Respond("thread")
    assert judge(replace(stranger, mentions_us=True), Rules(), ASKED) == Respond("mention")


@pytest.mark.parametrize("text", ["thanks!", "고마워요", "I'll try that tomorrow.", "네 해볼게요", "👍", "그러니까요"])
def test_what_asks_nothing_is_left_alone_in_a_thread(text: str) -> None:
    assert isinstance(judge(replace(FOLLOW_UP, text=text), Rules(), ASKED), Ignore)


@pytest.mark.parametrize("text", ["Kim, can you check this?", "지민님, 이거 확인 가능해요?", "hey Bob, what now?"])
def test_what_is_put_to_a_person_by_name_is_left_to_them(text: str) -> None:
    assert isinstance(judge(replace(FOLLOW_UP, text=text), Rules(), ASKED), Ignore)
    assert judge(replace(FOLLOW_UP, text=text, mentions_us=True), Rules(), ASKED) == Respond("mention")


@pytest.mark.parametrize("text", ["quiet", "Quiet!", "조용히 해줘", "그만", "please be quiet"])
def test_quiet_in_our_thread_or_said_to_us_hushes_us_and_elsewhere_means_nothing(text: str) -> None:
    assert judge(replace(FOLLOW_UP, text=text), Rules(), ASKED) == Hush()
    assert judge(replace(MENTION, text=text, in_thread=True), Rules()) == Hush()
    assert isinstance(judge(replace(PLAIN, text=text), Rules("auto")), Ignore)


@pytest.mark.parametrize("text", ["quiet", "그만", "stop answering"])
def test_quiet_where_no_thread_is_ends_what_is_under_way(text: str) -> None:
    for message in (MENTION, DIRECT, replace(MENTION, replies_to_us=True), replace(DIRECT, in_thread=True)):
        assert judge(replace(message, text=text), Rules()) == Halt()


@pytest.mark.parametrize("text", ["stop", "Stop!", "never mind", "중지", "멈춰 줘"])
def test_stop_said_to_us_or_in_our_thread_ends_the_answer_and_elsewhere_means_nothing(text: str) -> None:
    for message in (FOLLOW_UP, MENTION, DIRECT):
        assert judge(replace(message, text=text), Rules(), ASKED) == Halt()
    assert isinstance(judge(replace(PLAIN, text=text), Rules("auto")), Ignore)
    assert isinstance(judge(replace(FOLLOW_UP, text=f"{text} the release now"), Rules(), ASKED), Ignore)
    terminal = replace(PLAIN, key=SessionKey("console", "local", "terminal", "1"), text=text)
    assert judge(terminal, Rules()) == Respond("terminal")


def test_a_hushed_thread_is_answered_only_when_we_are_named() -> None:
    hushed = replace(ASKED, quiet=True)
    assert isinstance(judge(FOLLOW_UP, Rules(), hushed), Ignore)
    assert judge(replace(FOLLOW_UP, mentions_us=True), Rules(), hushed) == Respond("mention")


def test_auto_mode_looks_at_the_root_of_a_channel_and_not_into_peoples_threads() -> None:
    assert isinstance(judge(replace(PLAIN, in_thread=True), Rules("auto")), Ignore)


@given(MESSAGES, st.sampled_from(MODES), ATTENDANCES)
def test_every_message_gets_a_decision_with_its_reason(message: Message, mode: str, seen: Attendance) -> None:
    decision = judge(message, Rules(mode), seen)  # type: ignore[arg-type]
    assert isinstance(decision, Hush | Halt) or (decision.why if isinstance(decision, Respond) else decision.reason)


@given(MESSAGES, ATTENDANCES)
def test_a_more_talkative_mode_never_answers_less(message: Message, seen: Attendance) -> None:
    answered = [isinstance(judge(message, Rules(mode), seen), Respond) for mode in MODES]  # type: ignore[arg-type]
    assert answered == sorted(answered)


@given(MESSAGES, st.sampled_from(MODES), ATTENDANCES)
def test_only_what_nobody_addressed_to_us_is_answered_quietly(message: Message, mode: str, seen: Attendance) -> None:
    decision = judge(message, Rules(mode), seen)  # type: ignore[arg-type]
    if isinstance(decision, Respond) and decision.quiet:
        assert mode == "auto"
        assert not message.mentions_us
        assert not message.in_our_thread
        assert not message.in_thread
