"""A reply at the stand-in: a question in a channel, and the factories of processes that open its reply."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import discord
from simcord.backend.models import Message

from adapters.discord.client import client, logged_in
from adapters.discord.pace import Pace
from adapters.discord.patience import Patience
from adapters.discord.replies import DiscordReplies
from adapters.discord.rooms import Rooms
from core.answers import Answer
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer
from tests.discord_server.world import Guild

ID, OTHER = "0123456789abcdef", "fedcba9876543210"
ANSWER = Answer("It takes 45 minutes.", "supported")
LONG = Answer("\n\n".join(f"Paragraph {number} {'word ' * 60}" for number in range(20)), "supported")
PAUSES = (0.01, 0.02, 0.03)
POSTS, EDITS = "/channels/*/messages", "/channels/*/messages/*"


@dataclass
class Ground:
    """A question in a channel. `taken_after` so many messages the turn is another process's."""

    server: DiscordServer
    client: discord.Client
    pace: Pace
    acme: Guild
    general: Place
    ana: Person
    question: Message
    recorded: list[ReplyTarget] = field(default_factory=list)
    taken_after: int = 99
    processes: list[DiscordReplies] = field(default_factory=list)

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
            if len(target.message_ids) > self.taken_after:
                return False
            self.recorded.append(target)
            return True

        self.processes.append(DiscordReplies(Rooms(self.client), record, self.pace, PAUSES))
        return self.processes[-1]

    def ours(self) -> list[Message]:
        """What the bot has said in the thread."""
        kept = self.server.backend.messages.get(self.question.id, {}).values()
        us = self.server.world.bot.id
        return sorted((each for each in kept if each.author_id == us and not each.system_metadata), key=lambda m: m.id)

    def words(self) -> list[str]:
        """The same as words."""
        return [each.content for each in self.ours()]


@asynccontextmanager
async def opened(server: DiscordServer, patience: Patience | None = None) -> AsyncIterator[Ground]:
    """One question, and the client that a process has."""
    acme, pace = server.world.guild("Acme"), Pace()
    general, ana = acme.text("general"), acme.person("Ana")
    question = ana.says(general, "How long does it take?")
    made = client(words=True, pace=pace, patience=patience)
    async with logged_in(made, server.token):
        ground = Ground(server, made, pace, acme, general, ana, question)
        yield ground
        for each in ground.processes:
            await each.close()
