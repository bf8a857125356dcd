"""A desk that stays: every platform that is configured, jobs and schedules, over one base."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bots.compose import based, clock_of
from bots.compose.desk import desk_over
from bots.compose.front import opened_front
from core.desk.desk import Desk
from core.desk.platforms import PlatformAudiences, PlatformPosts, PlatformReaders, PlatformReplies
from core.documents import Readable
from core.errors import ConfigError

if TYPE_CHECKING:
    from bots.compose.base import Base
    from bots.compose.slack import SlackParts
    from bots.settings import Settings
    from core.desk.front import Front
    from core.ports import Audiences, Posts, ReplyFactory, ThreadReader


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that `refdesk serve` runs."""

    base: Base
    desk: Desk
    posts: PlatformPosts
    front: Front
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
        from bots.compose.slack import opened_slack

        yield await service_over(stack, base, await opened_slack(stack, base))


async def service_over(stack: AsyncExitStack, base: Base, slack: SlackParts) -> Service:
    """The platforms over a base, answering until the stack is closed."""
    replies: dict[str, ReplyFactory] = {"slack": slack.replies}
    posts: dict[str, Posts] = {"slack": slack.posts}
    readers: dict[str, ThreadReader] = {"slack": slack.reader}
    audiences: dict[str, Audiences] = {"slack": slack.people}
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
    front = await opened_front(stack, base, desk, everywhere, {"slack": slack.people})
    return Service(base, desk, everywhere, front, slack)
