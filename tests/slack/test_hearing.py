"""An event as a core message: its identity, its session, its readers, before anything is looked up."""

from __future__ import annotations

import pytest

from adapters.slack.events import Place, Spoken
from adapters.slack.hearing import REMEMBERED, Plain, bare, identity, said_at

US = "U0BOT"


def said(**more: object) -> Spoken:
    """Somebody's words in a channel."""
    place = more.pop("place", Place("T1", "C1", "channel"))
    given = {"ts": "10.000100", "thread_ts": "", "user": "U1", "text": f"<@{US}> how long?", **more}
    return Spoken(place, **given)  # type: ignore[arg-type]


DIRECT = Place("T1", "D1", "im")


@pytest.mark.parametrize(
    ("spoken", "thread", "target", "in_thread"),
    [
        (said(), "10.000100", "10.000100", False),
        (said(thread_ts="9.000100"), "9.000100", "9.000100", True),
        (said(thread_ts="10.000100"), "10.000100", "10.000100", False),
        (said(place=DIRECT), "dm", "", False),
        (said(place=DIRECT, thread_ts="9.000100"), "9.000100", "9.000100", True),
        (said(place=Place("T1", "G1", "mpim")), "10.000100", "10.000100", False),
    ],
)
def test_the_session_is_the_thread_and_never_the_person(
    spoken: Spoken, thread: str, target: str, in_thread: bool
) -> None:
    message = bare(spoken, US)
    assert message.key.thread == thread
    assert message.reply_to.thread == target
    assert message.in_thread is in_thread
    assert message.reply_to.recipient == "U1"
    assert "U1" not in (message.key.channel, message.key.thread)


def test_both_events_of_a_mention_have_one_identity() -> None:
    message, mention = bare(said(), US), bare(said(place=Place("T1", "C1")), US)
    assert message.identity == mention.identity == "C1:10.000100"
    assert message.key == mention.key


def test_who_reads_along_is_open_until_it_is_looked_up_and_counts_as_outside() -> None:
    audience = bare(said(), US).audience
    assert (audience.external, audience.provisional, audience.user) == (True, True, None)
    assert bare(said(place=DIRECT), US).audience.user == "U1"


@pytest.mark.parametrize(
    "spoken", [said(place=Place("T1", "C1", "channel", shared=True)), said(user_team="T9"), said(user_team="E9")]
)
def test_whoever_the_event_shows_to_be_from_outside_stays_that(spoken: Spoken) -> None:
    audience = bare(spoken, US).audience
    assert (audience.external, audience.provisional) == (True, False)


def test_a_member_whose_team_the_event_names_is_no_stranger() -> None:
    assert bare(said(user_team="T1"), US).audience.provisional


def test_mentions_are_seen() -> None:
    message = bare(said(text=f"<@{US}> and <@U2>, how long?"), US)
    assert (message.mentions_us, message.mentions_others) == (True, True)
    assert message.text == "and @someone, how long?"


@pytest.mark.parametrize(("named", "ts"), [("C1:10.000100", "10.000100"), ("private/U1/7", ""), ("", ""), ("C1:x", "")])
def test_a_timestamp_is_read_out_of_an_identity(named: str, ts: str) -> None:
    assert said_at(named) == ts


def test_plain_messages_are_remembered_as_they_stand_now() -> None:
    plain, named = Plain(), identity("C1", "10.000100")
    plain.note(said())
    assert plain.has("T1", named)
    assert not plain.has("T2", named)
    plain.note(said(beside=True))  # edited: it quotes something now
    assert not plain.has("T1", named)


def test_no_more_is_remembered_than_there_is_room_for() -> None:
    plain = Plain()
    for number in range(REMEMBERED + 10):
        plain.note(said(ts=f"{number}.000100"))
    assert not plain.has("T1", identity("C1", "5.000100"))
    assert plain.has("T1", identity("C1", f"{REMEMBERED}.000100"))
