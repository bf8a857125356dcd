"""A desk that stays: every platform that is configured, jobs and schedules, over one base."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.compose import based, clock_of
from bots.compose.desk import desk_over
from bots.compose.front import Platforms, opened_front
from bots.patience import patiently
from core.desk.desk import Desk
from core.desk.platforms import PlatformAudiences, PlatformPosts, PlatformReaders, PlatformReplies
from core.documents import Readable
from core.errors import ConfigError

if TYPE_CHECKING:
    from bots.compose.base import Base
    from bots.compose.discord import DiscordParts
    from bots.compose.slack import SlackParts
    from bots.settings import Settings
    from core.desk.front import Front
    from core.ports import Audiences, Directory, Directs, Posts, ReplyFactory, ThreadReader
    from core.pulse import Pulse


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that `refdesk serve` runs."""

    base: Base
    desk: Desk
    posts: PlatformPosts
    front: Front
    slack: SlackParts | None = None
    discord: DiscordParts | None = None

    @property
    def pulses(self) -> Mapping[str, Pulse]:
        """How each platform's connection is doing."""
        on = {"slack": self.slack, "discord": self.discord}
        return {name: part.pulse for name, part in on.items() if part is not None}

    @property
    def calls(self) -> Mapping[str, Mapping[tuple[str, str], int]]:
        """The calls of each platform's API that were made here, by method and outcome."""
        made: dict[str, Mapping[tuple[str, str], int]] = {}
        if self.slack is not None:
            made["slack"] = self.slack.web.calls
        if self.discord is not None:
            made["discord"] = self.discord.calls.made
        return made

    @property
    def readable(self) -> Readable:
        """All collections: what the process itself may work on."""
        return Readable(frozenset(self.base.targets))


@asynccontextmanager
async def opened_service(settings: Settings) -> AsyncIterator[Service]:
    """A running service; closes everything again. Raises ConfigError when no platform is configured."""
    async with AsyncExitStack() as stack:
        if not settings.slack.on and not settings.discord.on:
            raise ConfigError("error.no_platform")
        base = await based(stack, settings, clock_of(settings))
        slack = discord = None
        if settings.slack.on:
            from bots.compose.slack import opened_slack

            slack = await opened_slack(stack, base)
        if settings.discord.on:
            from bots.compose.discord import opened_discord

            discord = await patiently("Discord", lambda: opened_discord(stack, base))
        yield await service_over(stack, base, slack, discord)


async def service_over(
    stack: AsyncExitStack, base: Base, slack: SlackParts | None = None, discord: DiscordParts | None = None
) -> Service:
    """The platforms over a base, answering until the stack is closed."""
    parts: dict[str, SlackParts | DiscordParts | None] = {"slack": slack, "discord": discord}
    on = {name: part for name, part in parts.items() if part is not None}
    replies: dict[str, ReplyFactory] = {name: part.replies for name, part in on.items()}
    posts: dict[str, Posts] = {name: part.posts for name, part in on.items()}
    readers: dict[str, ThreadReader] = {name: part.reader for name, part in on.items()}
    audiences: dict[str, Audiences] = {name: part.people for name, part in on.items()}
    names: dict[str, Directory] = {name: part.people for name, part in on.items()}
    if discord is not None:
        stack.push_async_callback(discord.replies.close)
    desk = desk_over(
        base,
        PlatformReplies(replies),
        frozenset(replies),
        reader=PlatformReaders(readers),
        audiences=PlatformAudiences(audiences),
        greets=True,
    )
    await stack.enter_async_context(desk)
    everywhere = PlatformPosts(posts)
    pulses = {name: part.pulse for name, part in on.items()}
    directs: dict[str, Directs] = {name: part.directs for name, part in on.items()}
    front = await opened_front(stack, base, desk, Platforms(everywhere, names, pulses, directs))
    return Service(base, desk, everywhere, front, slack, discord)
