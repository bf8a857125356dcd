"""A desk that stays: every platform that is configured, jobs and schedules, over one base."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.compose import based, clock_of
from bots.compose.desk import desk_over
from core.desk.desk import Desk
from core.desk.platforms import PlatformPosts, PlatformReaders, PlatformReplies
from core.documents import Readable
from core.errors import ConfigError

if TYPE_CHECKING:
    from bots.compose.base import Base
    from bots.compose.slack import SlackParts
    from bots.settings import Settings
    from core.ports import Posts, ReplyFactory, ThreadReader


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that `refdesk serve` runs."""

    base: Base
    desk: Desk
    posts: PlatformPosts
    slack: SlackParts | None = None

    @property
    def readable(self) -> Readable:
        """All collections: what the process itself may work on."""
        return Readable(frozenset(self.base.targets))


@asynccontextmanager
async def opened_service(settings: Settings) -> AsyncIterator[Service]:
    """A running service; closes everything again. Raises ConfigError when no platform is configured."""
    async with AsyncExitStack() as stack:
        if not settings.slack.on:
            raise ConfigError("error.no_platform")
        base = await based(stack, settings, clock_of(settings))
        replies: dict[str, ReplyFactory] = {}
        posts: dict[str, Posts] = {}
        readers: dict[str, ThreadReader] = {}
        from bots.compose.slack import opened_slack

        slack = await opened_slack(stack, base)
        replies["slack"], posts["slack"], readers["slack"] = slack.replies, slack.posts, slack.reader
        desk = desk_over(
            base, PlatformReplies(replies), frozenset(replies), reader=PlatformReaders(readers), greets=True
        )
        await stack.enter_async_context(desk)
        yield Service(base, desk, PlatformPosts(posts), slack)
