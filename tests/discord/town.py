"""A running Refdesk in Discord, as `refdesk serve` composes it: the real client, desk, record and index, in a test.

Each town has a Discord of its own and a copy of an index that was made once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcord.backend.models import Message

from adapters.clock import SystemClock
from adapters.discord.calls import Calls
from adapters.discord.client import client, logged_in
from adapters.discord.pace import Pace
from bots.compose.base import opened_base
from bots.compose.discord import discord_over
from bots.compose.models import Models
from bots.compose.service import Service, service_over
from bots.discord_connection import connected
from bots.settings import Settings, validated
from core.messages import Turn
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer, pointed
from tests.discord_server.world import Guild
from tests.slack.town import Home, collections
from tests.slack.voices import PROFILE, speaking


@dataclass
class Watching:
    """The stand-in, and what tests see in it of a desk, wherever that runs."""

    discord: DiscordServer

    @property
    def us(self) -> str:
        """How people mention us."""
        return self.discord.world.bot.mention

    @property
    def me(self) -> int:
        """Our id."""
        return self.discord.world.bot.id

    def ours(self, place: int) -> list[Message]:
        """What we have said there."""
        kept = self.discord.backend.messages.get(place, {})
        said = sorted(kept.values(), key=lambda each: each.id)
        return [each for each in said if each.author_id == self.me and each.system_metadata is None]

    async def answered(self, place: int, count: int = 1, seconds: float = 15.0) -> list[Message]:
        """Wait until we have said so much there and none of it is under way any more."""

        def whole() -> bool:
            said = self.ours(place)
            return len(said) >= count and not any("stop" in str(each.components) for each in said)

        await self.discord.until(whole, seconds)
        return self.ours(place)


@dataclass
class Town(Watching):
    """The stand-in and the running service, and what tests ask of both."""

    service: Service
    models: Models
    acme: Guild
    general: Place
    ana: Person
    ben: Person

    def ask(self, text: str, place: Place | None = None, person: Person | None = None) -> Message:
        """Ana mentions us in the channel."""
        return (person or self.ana).says(place or self.general, f"{self.us} {text}")

    def thread(self, message: Message) -> Place:
        """The thread on a message."""
        return self.discord.world.place(message.id)

    async def turn_of(self, identity: object, workspace: object = None) -> Turn | None:
        """What was stored of a message."""
        from adapters.sql.turns import SqlTurnEdits

        edits = SqlTurnEdits(self.service.base.database)
        return await edits.identified("discord", str(workspace or self.acme.id), str(identity))

    async def ended(self, message: Message, seconds: float = 15.0) -> Turn:
        """What was stored of it, once that is more than a wish."""
        async with asyncio.timeout(seconds):
            while (turn := await self.turn_of(message.id)) is None or turn.status in ("waiting", "running"):
                await asyncio.sleep(0.05)
        return turn

    async def calm(self, seconds: float = 0.4) -> None:
        """So much time has passed."""
        await asyncio.sleep(seconds)


@asynccontextmanager
async def opened_town(
    home: Home, folder: Path, *, models: Models | None = None, content: bool = True, **more: Any
) -> AsyncIterator[Town]:
    """A town whose service is connected. `more` are settings; `discord` those of its section."""
    async with DiscordServer(content=content) as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            people = acme.text("general"), acme.person("Ana"), acme.person("Ben")
            models = models or speaking()
            async with served(home, folder, server, models=models, **more) as service:
                yield Town(server, service, models, acme, *people)


@asynccontextmanager
async def served(
    home: Home,
    folder: Path,
    server: DiscordServer,
    *,
    models: Models,
    fresh: bool = True,
    greeted: float = 0.05,
    **more: Any,
) -> AsyncIterator[Service]:
    """A process at a Discord; a second one goes on with the record of the first when it is not `fresh`.

    `greeted`: seconds without a further server after which the client holds that it knows them all.
    """
    section = {"base_url": server.url, "bot_token": server.token, **more.pop("discord", {})}
    place = home.copied(folder) if fresh else folder
    given = {"data_dir": place, "collections": collections(home.folder), "models": PROFILE, **more}
    settings: Settings = validated({**given, "discord": section}, "town")
    async with AsyncExitStack() as stack:
        base = await opened_base(stack, settings, home.embedders, SystemClock(), models)
        calls, pace = Calls(), Pace()
        made = client(words=settings.discord.message_content, calls=calls, pace=pace, guild_ready_timeout=greeted)
        await stack.enter_async_context(logged_in(made, server.token))
        service = await service_over(stack, base, discord=discord_over(base, made, calls, pace))
        await stack.enter_async_context(connected(service))
        yield service
