"""A turn that another process began: what it left is found, and nothing of anybody else's is touched."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from simcord.backend.models import Message

from adapters.discord.looks import working
from adapters.discord.mail import ChannelMail
from adapters.discord.replies import DiscordReplies
from adapters.discord.rooms import Rooms
from core.answers import Answer
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from core.presenting import Looks
from tests.discord.clients import Client, running
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer

ID, OTHER = "0123456789abcdef", "fedcba9876543210"
ANSWER = Answer("It takes 45 minutes.", "supported")
LONG = Answer("\n\n".join(f"Paragraph {number} {'word ' * 60}" for number in range(20)), "supported")


@dataclass
class Ground:
    """A question in a channel, and the factories of two processes."""

    server: DiscordServer
    client: Client
    general: Place
    ana: Person
    question: Message
    recorded: list[ReplyTarget] = field(default_factory=list)

    def turn(self, **changes: Any) -> Turn:
        """The question as a turn."""
        id, guild = str(self.question.id), str(self.ana.guild)
        given: dict[str, Any] = {
            "id": ID,
            "identity": id,
            "key": SessionKey("discord", guild, str(self.general.id), id),
            "author": Author(str(self.ana.id)),
            "audience": Audience("discord", guild, str(self.general.id)),
            "question": "How long does it take?",
            "target": ReplyTarget("discord", guild, str(self.general.id), id, recipient=str(self.ana.id)),
            "created_at": datetime.now(UTC),
        }
        return Turn(**{**given, **changes})

    def process(self) -> DiscordReplies:
        """The factory of a process."""

        async def record(turn: Turn, target: ReplyTarget) -> bool:
            self.recorded.append(target)
            return True

        return DiscordReplies(Rooms(self.client), record)

    def ours(self) -> list[Message]:
        """What the bot has said in the thread."""
        kept = self.server.backend.messages.get(self.question.id, {}).values()
        us = self.server.world.bot.id
        return sorted((each for each in kept if each.author_id == us and not each.system_metadata), key=lambda m: m.id)


@pytest.fixture
async def ground(server: DiscordServer) -> AsyncIterator[Ground]:
    """One question."""
    acme = server.world.guild("Acme")
    general, ana = acme.text("general"), acme.person("Ana")
    question = ana.says(general, "How long does it take?")
    async with running(server, Client()) as client:
        yield Ground(server, client, general, ana, question)


async def test_a_status_that_was_posted_and_not_recorded_becomes_the_answer(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).progress("On it…")
    (status,) = ground.ours()
    ground.server.rest.nonces.clear()  # it was some minutes ago
    await (await ground.process().open(ground.turn(attempts=2))).finish(ANSWER)
    (answer,) = ground.ours()
    assert answer.id == status.id
    assert "45 minutes" in answer.content


async def test_a_part_that_was_posted_and_not_recorded_is_not_there_twice(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).finish(LONG)
    whole = [each.content for each in ground.ours()]
    assert len(whole) > 2
    before = ground.recorded[1]  # of the last parts nobody knows
    ground.server.rest.nonces.clear()
    await (await ground.process().open(ground.turn(attempts=2, target=before))).finish(LONG)
    assert [each.content for each in ground.ours()] == whole


async def test_another_turn_s_message_is_left_alone(ground: Ground) -> None:
    await (await ground.process().open(ground.turn())).progress("On it…")
    mail = ChannelMail(ground.client, str(ground.question.id))
    await mail.post(working("Writing…", Looks(OTHER, "en")), "other")
    ground.server.rest.nonces.clear()
    await (await ground.process().open(ground.turn(attempts=2))).finish(ANSWER)
    first, second = ground.ours()
    assert "45 minutes" in first.content
    assert "Writing" in second.content


async def test_two_processes_at_once_post_one_message(ground: Ground) -> None:
    for process in (ground.process(), ground.process()):
        await (await process.open(ground.turn())).finish(ANSWER)
    assert len(ground.ours()) == 1


async def test_a_growing_message_is_edited_at_most_once_a_second_and_ends_whole(ground: Ground) -> None:
    reply = await ground.process().open(ground.turn())
    await reply.progress("On it…")
    for number in range(200):
        await reply.show("word " * number, final=False)
    await reply.finish(ANSWER)
    await reply.progress("Late")
    await reply.show("late", final=False)
    edits = ground.server.called("PATCH", "/channels/*/messages/*")
    assert len(edits) <= 2
    assert ground.ours()[0].content == "It takes 45 minutes."
