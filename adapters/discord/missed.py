"""What was said while we were away: read from the channels and threads we take part in, and heard like anything else.

Discord itself tells a connection that comes back what it missed; one that begins anew is told nothing. It is read from
the bookmark on, or (where there is none yet) from the last question.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord

from adapters.discord.altered import Altered
from adapters.discord.bookmark import Bookmark, server_of
from adapters.discord.rooms import PLATFORM
from adapters.discord.spots import legible
from adapters.discord.trouble import DiscordRefused, asked
from core.errors import RefdeskError
from core.messages import SessionKey
from core.ports import LatestTurns

log = logging.getLogger(__name__)

TAKES_PART = timedelta(days=7)
"""How long after its last question a thread is looked at."""

NOT_OLDER = timedelta(hours=6)
"""Questions that are older are not answered any more: nobody waits for them."""

MOST_PLACES, MOST_EACH = 60, 100

PAUSES = (1.0, 10.0, 60.0)
"""Seconds between looks at places that could not be read just then."""

Hear = Callable[[discord.Message], Awaitable[None]]


@dataclass
class Missed:
    """Looks once at a time; use after connecting."""

    client: discord.Client
    latest: LatestTurns
    bookmark: Bookmark
    hear: Hear
    altered: Altered
    _task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Begin to, if something is missing and unless it is under way."""
        if self.bookmark.behind and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._looked(), name="missed on Discord")

    async def close(self) -> None:
        """End it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _looked(self) -> None:
        while self.bookmark.behind:  # also for a connection that began anew meanwhile
            gap = self.bookmark.gap
            try:
                await self._all_read()
                await self.altered.look(await self.bookmark.since())
            except Exception:
                log.exception("what was missed on Discord could not be read")
            self.bookmark.caught_up(gap)

    async def _all_read(self) -> None:
        left: dict[int, int] | None = None
        for pause in (*PAUSES, None):
            try:
                left = await self._places() if left is None else left
                left = {place: after for place, after in left.items() if not await self._read(place, after)}
            except RefdeskError as error:
                log.warning("where to look for what was missed on Discord is not known yet: %s", error)
            if left == {} or pause is None:
                break
            await asyncio.sleep(pause)
        if left != {}:
            log.error("what was missed on Discord was not read in %s", "any place" if left is None else sorted(left))

    async def _places(self) -> dict[int, int]:
        since = datetime.now(UTC) - TAKES_PART
        return _places(await self.latest.latest(PLATFORM, since, MOST_PLACES), await self.bookmark.since())

    async def _read(self, place: int, last: int) -> bool:
        """One place; False to look again. One that is gone, or that we may not read any more, is done with."""
        after = max(last, discord.utils.time_snowflake(datetime.now(UTC) - NOT_OLDER))
        try:
            async with asked():
                channel = await legible(self.client, place)
                if channel is None:
                    return True
                page = channel.history(after=discord.Object(after), limit=MOST_EACH, oldest_first=True)
                found = [message async for message in page]
        except RefdeskError as error:
            log.info("what was missed in %s can't be read: %s", place, error)
            return isinstance(error, DiscordRefused)
        for message in found:
            server = server_of(message)
            if self.bookmark.is_missing(server, message.id):
                await self.hear(message)
                self.bookmark.heard(server, message.id)
        return True


def _places(latest: list[tuple[SessionKey, str]], since: Mapping[str, int]) -> dict[int, int]:
    """Where to look, and from which message on: each thread, and the channel that it is in."""
    found: dict[int, int] = {}
    for key, identity in latest:
        last = int(identity) if identity.isdecimal() else 0
        for place in (key.channel, key.thread):
            if place.isdecimal():
                found[int(place)] = since.get(key.workspace) or max(last, found.get(int(place), 0))
    return found
