"""Discord, put together: one client for asking, telling and hearing; replies, readers, commands and buttons."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapters.discord.altered import Altered
from adapters.discord.bookmark import Bookmark
from adapters.discord.calls import Calls
from adapters.discord.client import client, connected, logged_in, pointed
from adapters.discord.counter import DiscordCounter
from adapters.discord.direct import DiscordDirects
from adapters.discord.listening import DiscordDoor, DiscordHearing
from adapters.discord.menu import DiscordMenu
from adapters.discord.missed import Missed
from adapters.discord.pace import Pace
from adapters.discord.people import DiscordPeople
from adapters.discord.posts import DiscordPosts
from adapters.discord.pressing import DiscordButtons, pressing
from adapters.discord.reader import DiscordReader
from adapters.discord.replies import DiscordReplies
from adapters.discord.rooms import Rooms
from adapters.discord.spots import Spots
from adapters.discord.syncing import synced
from adapters.discord.visits import Visits
from adapters.discord.welcome import DiscordWelcome
from core.pulse import Pulse

if TYPE_CHECKING:
    import discord

    from bots.compose.base import Base
    from bots.compose.service import Service
    from bots.discord_settings import DiscordSettings

__all__ = ["connected", "pressing", "synced"]


@dataclass(frozen=True, slots=True)
class DiscordParts:
    """Discord, as far as a desk needs it."""

    client: discord.AutoShardedClient
    rooms: Rooms
    people: DiscordPeople
    replies: DiscordReplies
    posts: DiscordPosts
    reader: DiscordReader
    calls: Calls = field(default_factory=Calls)
    pulse: Pulse = field(default_factory=Pulse)

    @property
    def directs(self) -> DiscordDirects:
        """The way to one person alone."""
        return DiscordDirects(self.rooms, self.people)


@dataclass(frozen=True, slots=True)
class DiscordEars:
    """What is registered with the client."""

    hearing: DiscordHearing
    buttons: DiscordButtons
    menu: DiscordMenu
    missed: Missed
    bookmark: Bookmark
    welcome: DiscordWelcome
    pulse: Pulse


async def opened_discord(stack: AsyncExitStack, base: Base) -> DiscordParts:
    """Logged in until the stack is closed; nothing is heard yet. Raises ConfigError, UpstreamError."""
    settings = base.settings.discord
    pointed(settings.base_url, settings.gateway_url)
    calls, pace = Calls(), Pace()
    made = client(words=settings.message_content, calls=calls, pace=pace)
    await stack.enter_async_context(logged_in(made, settings.bot_token.get_secret_value()))
    return discord_over(base, made, calls, pace)


def discord_over(base: Base, made: discord.AutoShardedClient, calls: Calls, pace: Pace) -> DiscordParts:
    """Everything that speaks through this client, which counts its calls there and keeps that pace."""
    settings: DiscordSettings = base.settings.discord
    rooms, people = Rooms(made), DiscordPeople(made, frozenset(settings.guilds))
    replies = DiscordReplies(rooms, base.stores.record.retarget, pace, language=base.settings.language)
    return DiscordParts(made, rooms, people, replies, DiscordPosts(rooms), DiscordReader(made), calls)


def ears(parts: DiscordParts, service: Service) -> DiscordEars:
    """What listens for this desk."""
    from adapters.sql.bookmarks import SqlBookmarks
    from adapters.sql.latest import SqlLatestTurns

    base, spots = service.base, Spots(parts.client)
    words, language = base.settings.discord.message_content, base.settings.language
    door = DiscordDoor(service.desk, parts.client, parts.people, parts.posts, spots, words, language)
    counter = DiscordCounter(door, service.front, Visits(parts.people, spots, parts.rooms))
    bookmark = Bookmark(SqlBookmarks(base.database))
    hearing = DiscordHearing(door, bookmark)
    latest = SqlLatestTurns(base.database)
    altered = Altered(parts.client, latest, hearing.changed, hearing.gone)
    missed = Missed(parts.client, latest, bookmark, hearing.missed, altered)
    welcome = DiscordWelcome(parts.client)
    return DiscordEars(hearing, DiscordButtons(counter), DiscordMenu(counter), missed, bookmark, welcome, parts.pulse)
