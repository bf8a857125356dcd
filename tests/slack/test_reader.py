"""What is read around a question: its thread, what it quotes and links to, and never more than its readers may see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapters.slack import reader as module
from adapters.slack.events import Place, Spoken
from adapters.slack.people import SlackPeople
from adapters.slack.reader import SlackReader
from core.messages import Audience, SessionKey, ThreadMessage, Turn
from tests.slack.ground import Ground, opened
from tests.slack_server import Channel, Message, Status

FORWARDED = {
    "is_share": True,
    "is_msg_unfurl": True,
    "author_name": "Ben",
    "text": "It moved.",
    "ts": "1700000000.0001",
}


def turn_of(ground: Ground, asked: Message, **more: Any) -> Turn:
    """The question as a stored turn."""
    team = ground.asker.workspace
    key = SessionKey("slack", team, asked.channel, asked.root)
    target = replace(ground.turn().target, channel=asked.channel, thread=asked.root)
    return ground.turn(identity=f"{asked.channel}:{asked.ts}", key=key, target=target, **more)


def reader_of(ground: Ground) -> SlackReader:
    """A reader that knows nothing yet."""
    return SlackReader(ground.web, SlackPeople(ground.web))


def link_to(message: Message) -> str:
    """As people copy it."""
    return f"https://acme.slack.com/archives/{message.channel}/p{message.ts.replace('.', '')}"


async def around(ground: Ground, asked: Message, cursor: str | None = None) -> list[ThreadMessage]:
    return list(await reader_of(ground).around(turn_of(ground, asked), cursor))


async def beside(ground: Ground, asked: Message, **more: Any) -> list[ThreadMessage]:
    return list(await reader_of(ground).beside(turn_of(ground, asked, **more)))


async def test_a_thread_of_several_pages_is_read_whole_with_names() -> None:
    async with opened() as ground:
        slack, channel, ben = ground.slack, ground.channel, ground.slack.user("Ben")
        root = slack.say(channel, ben, "The depot moves.")
        for number in range(2 * module.PAGE + 5):
            slack.say(channel, ben, f"Lorry {number} for <@{ground.asker.id}>", thread_ts=root)
        asked = slack.say(channel, ground.asker, "how long?", thread_ts=root)
        slack.say(channel, ben, "after the question", thread_ts=root)
        found = await around(ground, asked)
        assert [each.text for each in found[:2]] == ["The depot moves.", "Lorry 0 for @Ana"]
        assert found[-1].text == f"Lorry {2 * module.PAGE + 4} for @Ana"
        assert len(found) == 2 * module.PAGE + 6
        assert {each.author for each in found} == {"Ben"}
        assert len(ground.slack.called("conversations.replies")) == 3


async def test_only_what_was_said_since_the_last_answer_is_read() -> None:
    async with opened() as ground:
        slack, channel = ground.slack, ground.channel
        before = slack.say(channel, ground.asker, "first", thread_ts=ground.question)
        slack.say(channel, ground.asker, "between", thread_ts=ground.question)
        asked = slack.say(channel, ground.asker, "how long?", thread_ts=ground.question)
        found = await around(ground, asked, f"{channel.id}:{before.ts}")
        assert [each.text for each in found] == ["between"]


async def test_programs_we_ourselves_joins_and_deleted_messages_are_left_out() -> None:
    async with opened() as ground:
        slack, channel = ground.slack, ground.channel
        robot = slack.user("Robot", bot=True)
        root = slack.say(channel, ground.asker, "The depot moves.")
        slack.say(channel, robot, "Build failed.", thread_ts=root)
        slack.say(channel, slack.bot_of(), "I answered.", thread_ts=root)
        slack.say(channel, ground.asker, "joined", thread_ts=root, subtype="channel_join")
        slack.delete(slack.say(channel, ground.asker, "oops", thread_ts=root))
        slack.say(channel, ground.asker, "see this", thread_ts=root, files=[{"id": "F1", "title": "plan.png"}])
        asked = slack.say(channel, ground.asker, "how long?", thread_ts=root)
        assert [each.text for each in await around(ground, asked)] == ["The depot moves.", "see this\n(plan.png)"]


async def test_a_question_at_the_root_has_nothing_before_it_and_costs_no_call() -> None:
    async with opened() as ground:
        assert await around(ground, ground.question) == []
        direct = replace(turn_of(ground, ground.question).key, thread="dm")
        assert await reader_of(ground).around(ground.turn(key=direct), None) == []
        assert not ground.slack.called("conversations.replies")


async def test_forwarded_messages_are_read_and_previews_of_pages_are_not() -> None:
    async with opened() as ground:
        page = {"title": "A page", "text": "advertising", "from_url": "https://example.com"}
        asked = ground.slack.say(ground.channel, ground.asker, "how long?", attachments=[FORWARDED, page])
        assert await beside(ground, asked) == [ThreadMessage("Ben", "It moved.", "1700000000.0001")]


@pytest.mark.parametrize(
    ("kind", "external", "read"),
    [
        ("same", False, True),
        ("same", True, True),
        ("public", False, True),
        ("public", True, False),
        ("private", False, False),
        ("private", True, False),
        ("shared", False, False),
        ("direct", False, False),
    ],
)
async def test_linked_messages_are_read_where_all_readers_can_look_themselves(
    kind: str, external: bool, read: bool
) -> None:
    async with opened() as ground:
        slack = ground.slack
        rooms: dict[str, Channel] = {
            "same": ground.channel,
            "public": slack.channel("open"),
            "private": slack.channel("closed", "private"),
            "shared": slack.channel("shared"),
            "direct": slack.dm(slack.user("Ben")),
        }
        slack.share(rooms["shared"], slack.add_workspace("Other", None))
        there = slack.say(rooms[kind], slack.user("Carl"), "It moved.")
        asked = slack.say(ground.channel, ground.asker, f"how long? <{link_to(there)}>")
        audience = Audience("slack", ground.asker.workspace, ground.channel.id, external=external)
        found = await beside(ground, asked, audience=audience)
        assert [each.text for each in found] == (["It moved."] if read else [])


async def test_files_are_named_in_one_line() -> None:
    async with opened() as ground:
        files = [{"id": "F1", "title": "plan.png"}, {"id": "F2", "name": "notes.docx"}]
        asked = ground.slack.say(ground.channel, ground.asker, "how long?", files=files)
        (found,) = await beside(ground, asked)
        assert found.unread == ("plan.png", "notes.docx")


async def test_a_question_in_a_thread_is_found_there() -> None:
    async with opened() as ground:
        slack = ground.slack
        asked = slack.say(ground.channel, ground.asker, "how long?", thread_ts=ground.question, attachments=[FORWARDED])
        assert [each.text for each in await beside(ground, asked)] == ["It moved."]


async def test_a_link_to_a_reply_in_a_thread_is_read() -> None:
    async with opened() as ground:
        slack, there = ground.slack, ground.slack.channel("open")
        root = slack.say(there, slack.user("Carl"), "Where is the depot?")
        reply = slack.say(there, slack.user("Ben"), "It moved.", thread_ts=root)
        link = f"{link_to(reply)}?thread_ts={root.ts}&amp;cid={there.id}"
        asked = slack.say(ground.channel, ground.asker, f"how long? <{link}>")
        assert [each.text for each in await beside(ground, asked)] == ["It moved."]
        closed = slack.channel("closed", "private")
        hidden = slack.say(closed, slack.user("Ben"), "secret", thread_ts=slack.say(closed, slack.user("Ben"), "root"))
        asked = slack.say(ground.channel, ground.asker, f"<{link_to(hidden)}?thread_ts={hidden.root}&amp;cid=C1>")
        assert await beside(ground, asked) == []


def private(ground: Ground, question: str, about: Message | None = None) -> Turn:
    """A question that only its asker sees the answer of."""
    key = replace(ground.turn().key, thread="private/U1/1")
    target = replace(ground.turn().target, thread=about.root if about else "", visibility="private")
    named = f"private/1:{about.ts}" if about else "private/1"
    return ground.turn(identity=named, key=key, target=target, question=question)


async def test_links_in_a_private_question_are_read_too() -> None:
    async with opened() as ground:
        slack = ground.slack
        there = slack.say(slack.channel("open"), slack.user("Carl"), "It moved.")
        hidden = slack.say(slack.channel("closed", "private"), slack.user("Carl"), "secret")
        turn = private(ground, f"how long? {link_to(there)} [this]({link_to(hidden)})")
        assert [each.text for each in await reader_of(ground).beside(turn)] == ["It moved."]
        assert await reader_of(ground).around(turn, None) == []


async def test_a_private_question_about_a_message_has_its_thread_up_to_there_and_what_it_quotes() -> None:
    async with opened() as ground:
        slack, channel, ben = ground.slack, ground.channel, ground.slack.user("Ben")
        root = slack.say(channel, ben, "The depot moves.")
        said = slack.say(channel, ben, "How long?", thread_ts=root, attachments=[FORWARDED])
        slack.say(channel, ben, "Later.", thread_ts=root)
        reader = reader_of(ground)
        other = private(ground, "What does Ben mean?", said)
        assert [each.text for each in await reader.around(other, None)] == ["The depot moves.", "How long?"]
        assert [each.text for each in await reader.beside(other)] == ["It moved."]
        same = private(ground, "How long?", said)
        assert [each.text for each in await reader.around(same, None)] == ["The depot moves."]
        first = private(ground, "What is that?", root)
        assert [each.text for each in await reader.around(first, None)] == ["The depot moves."]


async def test_what_can_not_be_read_is_left_out() -> None:
    async with opened(pause=0.01) as ground:
        asked = ground.slack.say(ground.channel, ground.asker, "how long?", attachments=[FORWARDED])
        ground.slack.faults.add("conversations.history", Status(500), times=None)
        assert await beside(ground, asked) == []


async def test_a_message_whose_event_told_everything_is_not_read_again() -> None:
    async with opened() as ground:
        reader, asked = reader_of(ground), ground.question
        spoken = Spoken(Place(ground.asker.workspace, asked.channel), asked.ts, "", asked.user, asked.text)
        reader.plain.note(spoken)
        assert await reader.beside(turn_of(ground, asked)) == []
        assert not ground.slack.calls
