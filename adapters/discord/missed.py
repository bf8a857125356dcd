"""What was said while we were away: read from the channels and threads we take part in, and heard like anything else.

Discord itself tells a connection that comes back what it missed; one that begins anew is told nothing. Where we were
never asked there is nothing to begin from. What was heard before is stored once, so hearing it again is harmless.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord

from adapters.discord.rooms import PLATFORM
from adapters.discord.trouble import told
from core.errors import RefdeskError
from core.messages import SessionKey
from core.ports import LatestTurns

log = logging.getLogger(__name__)

TAKES_PART = timedelta(days=7)
"""How long after its last question a thread is looked at."""

NOT_OLDER = timedelta(hours=6)
"""Questions that are older are not answered any more: nobody waits for them."""

MOST_PLACES, MOST_EACH = 60, 100

Hear = Callable[[discord.Message], Awaitable[None]]


@dataclass
class Missed:
    """Looks once at a time; use after connecting."""

    client: discord.Client
    latest: LatestTurns
    hear: Hear
    _task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Begin to, unless it is under way."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._looked(), name="missed on Discord")

    async def close(self) -> None:
        """End it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _looked(self) -> None:
        try:
            since = datetime.now(UTC) - TAKES_PART
            for place, last in _places(await self.latest.latest(PLATFORM, since, MOST_PLACES)).items():
                await self._read(place, last)
        except Exception:
            log.exception("what was missed on Discord could not be read")

    async def _read(self, place: int, last: int) -> None:
        """One place; one that is gone, or that we may not read any more, keeps none of the others back."""
        after = max(last, discord.utils.time_snowflake(datetime.now(UTC) - NOT_OLDER))
        try:
            with told():
                channel = self.client.get_channel(place) or await self.client.fetch_channel(place)
                if not isinstance(channel, discord.abc.Messageable):
                    return
                page = channel.history(after=discord.Object(after), limit=MOST_EACH, oldest_first=True)
                found = [message async for message in page]
        except RefdeskError as error:
            log.info("what was missed in %s can't be read: %s", place, error)
            return
        for message in found:
            await self.hear(message)


def _places(latest: list[tuple[SessionKey, str]]) -> dict[int, int]:
    """Where to look, and from which message on: each thread, and the channel that it is in."""
    found: dict[int, int] = {}
    for key, identity in latest:
        last = int(identity) if identity.isdecimal() else 0
        for place in (key.channel, key.thread):
            if place.isdecimal():
                found[int(place)] = max(last, found.get(int(place), 0))
    return found
