"""Slack's payloads as what happened: who wrote what and where, and what concerns nobody."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.slack.events import MESSAGE_LINK, Deleted, Edited, Skipped, Spoken, happened, is_ours
from adapters.slack.marks import mark
from adapters.slack.mrkdwn import Names

US = "U0BOT"


def body(event: dict[str, Any], **outer: Any) -> dict[str, Any]:
    """An event in its envelope, as Slack documents it."""
    given = {"type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1", "event_time": 1}
    authorizations = [{"enterprise_id": None, "team_id": "T1", "user_id": US, "is_bot": True}]
    return {**given, "authorizations": authorizations, "is_ext_shared_channel": False, "event": event, **outer}


def message(**more: Any) -> dict[str, Any]:
    """Somebody's message in a public channel."""
    given = {"type": "message", "channel": "C1", "channel_type": "channel", "user": "U1", "ts": "10.000100"}
    return {**given, "text": f"<@{US}> how long?", "team": "T1", "event_ts": "10.000100", **more}


def changed(now: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The event that tells of a change."""
    hidden = {"type": "message", "subtype": "message_changed", "hidden": True, "ts": "11.000000"}
    return body({**hidden, "channel": "C1", "channel_type": "channel", "message": now, "previous_message": before})


def spoken(event: dict[str, Any], **outer: Any) -> Spoken:
    """What was said; fails for anything else."""
    found = happened(body(event, **outer))
    assert isinstance(found, Spoken)
    return found


def test_a_mention_comes_out_alike_from_both_of_its_events() -> None:
    said = spoken(message())
    mention = {name: value for name, value in message(type="app_mention").items() if name != "channel_type"}
    named = spoken(mention)
    assert (said.ts, said.user, said.text, said.place.channel) == (named.ts, named.user, named.text, "C1")
    assert said.mentions(US)
    assert named.mentions(US)


@pytest.mark.parametrize("subtype", ["thread_broadcast", "file_share", "me_message"])
def test_subtypes_that_are_somebodys_words_are_heard(subtype: str) -> None:
    said = spoken(message(subtype=subtype, thread_ts="9.000100"))
    assert (said.thread_ts, said.is_bot) == ("9.000100", False)


@pytest.mark.parametrize(
    "subtype",
    ["channel_join", "channel_leave", "channel_topic", "pinned_item", "reminder_add", "message_replied", "tombstone"],
)
def test_what_nobody_said_is_skipped_with_its_reason(subtype: str) -> None:
    found = happened(body(message(subtype=subtype)))
    assert found == Skipped(f"message {subtype}")


def test_programs_are_told_from_people() -> None:
    assert spoken(message(bot_id="B1")).is_bot
    assert spoken(message(subtype="bot_message", bot_id="B1", user=None)).user == "B1"
    assert spoken(message(user="USLACKBOT")).is_bot
    assert not spoken(message()).is_bot


def test_an_edit_by_the_author_has_new_words() -> None:
    now = message(text="how short?", edited={"user": "U1", "ts": "11.000000"})
    found = happened(changed(now, message()))
    assert isinstance(found, Edited)
    assert (found.now.text, found.now.ts, found.now.place.channel) == ("how short?", "10.000100", "C1")


@pytest.mark.parametrize(
    "more",
    [
        {"attachments": [{"id": 1, "title": "A page", "from_url": "https://example.com"}]},
        {"metadata": {"event_type": "x", "event_payload": {}}},
        {"reactions": [{"name": "eyes", "users": ["U2"], "count": 1}]},
        {"reply_count": 3, "thread_ts": "10.000100"},
        {"blocks": [{"type": "rich_text", "elements": []}]},
    ],
)
def test_changes_without_new_words_are_no_edits(more: dict[str, Any]) -> None:
    assert happened(changed(message(**more), message())) == Skipped("edit of no words")


def test_an_edit_by_a_program_is_none() -> None:
    assert happened(changed(message(text="b", bot_id="B1"), message(text="a", bot_id="B1"))) == Skipped("edit by a bot")


def test_deletions_are_told_in_two_ways() -> None:
    gone = {"type": "message", "subtype": "message_deleted", "channel": "C1", "deleted_ts": "10.000100", "ts": "12.0"}
    found = happened(body(gone))
    assert isinstance(found, Deleted)
    assert found.ts == "10.000100"
    stone = happened(changed(message(subtype="tombstone", text="This message was deleted."), message()))
    assert isinstance(stone, Deleted)
    assert stone.ts == "10.000100"


def test_people_of_other_organisations_and_shared_channels_are_seen() -> None:
    said = spoken(message(user_team="T9", source_team="T9"), is_ext_shared_channel=True)
    assert said.user_team == "T9"
    assert said.place.shared
    assert said.place.team == "T1"


@pytest.mark.parametrize(("kind", "channel", "direct"), [("im", "D1", True), ("mpim", "G1", False), ("", "D1", True)])
def test_direct_messages_are_told_from_groups(kind: str, channel: str, direct: bool) -> None:
    assert spoken(message(channel_type=kind, channel=channel)).place.is_direct is direct


@pytest.mark.parametrize("event", [{"type": "reaction_added"}, {"type": "app_home_opened"}, {}, {"type": "message"}])
def test_other_events_and_broken_ones_are_skipped(event: dict[str, Any]) -> None:
    assert isinstance(happened(body(event)), Skipped)
    assert isinstance(happened({"type": "event_callback"}), Skipped)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"<@{US}> how long?", "how long?"),
        (f"how long, <@{US}>?", "how long,?"),
        (f"so <@{US}>, how long?", "so how long?"),
        (f"<@{US}|refdesk>: how long?", "how long?"),
        (f"<@{US}>야 얼마나 걸려?", "야 얼마나 걸려?"),
        (f"얼마나 걸리는지 <@{US}> 알려줘", "얼마나 걸리는지 알려줘"),
        (f"<@{US}> <@{US}> how long?", "how long?"),
        (f"<@{US}> ask <@U1> in <#C1>", "ask @Ana in #help"),
        (f"<@{US}>", ""),
    ],
)
def test_our_name_goes_wherever_it_stands_and_others_get_theirs(text: str, words: str) -> None:
    said = spoken(message(text=text))
    assert said.mentions(US)
    assert said.words(US, Names({"U1": "Ana"}, {"C1": "help"})) == words


def test_whom_a_text_names_besides_us() -> None:
    assert not spoken(message(text=f"<@{US}> how long?")).mentions_others(US)
    assert spoken(message(text=f"<@{US}> and <@U2|ben>?")).mentions_others(US)
    assert spoken(message(text="<!subteam^S1|@oncall> how long?")).mentions_others(US)
    assert not spoken(message(text="&lt;@U0BOT&gt; how long?")).mentions(US)


def test_what_stands_beside_the_words_is_noticed() -> None:
    link = "https://acme.slack.com/archives/C2/p1700000000000100"
    assert not spoken(message()).beside
    assert spoken(message(files=[{"id": "F1"}])).beside
    assert spoken(message(attachments=[{"is_share": True}])).beside
    assert spoken(message(text=f"<@{US}> see <{link}>")).beside


@pytest.mark.parametrize(
    ("more", "thread"),
    [
        ("", ""),
        ("?thread_ts=1699999999.000200&amp;cid=C2", "1699999999.000200"),
        ("?cid=C2&thread_ts=1699999999.000200", "1699999999.000200"),
        ("?cid=C2", ""),
        (" ?thread_ts=1699999999.000200", ""),
    ],
)
def test_a_link_tells_its_message_and_the_thread_it_stands_in(more: str, thread: str) -> None:
    (found,) = MESSAGE_LINK.findall(f"see <https://acme.slack.com/archives/C2/p1700000000000100{more}|this>")
    assert found == ("C2", "1700000000", "000100", thread)


def test_our_own_messages_are_known_by_mark_and_app() -> None:
    assert is_ours({"metadata": mark("t1")}, "A9")
    assert is_ours({"app_id": "A1"}, "A1")
    assert not is_ours({"app_id": "A2", "metadata": {"event_type": "other", "event_payload": {}}}, "A1")
    assert not is_ours({"text": "hi"}, "")
