"""Questions that were edited or deleted while we were away: looked at once more where they were asked.

Only the latest of the last hours, and in each place what one page shows; older ones stand as they were answered.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord

from adapters.discord.rooms import PLATFORM
from adapters.discord.spots import legible
from adapters.discord.trouble import NO_MESSAGE, DiscordRefused, asked
from core.errors import RefdeskError
from core.ports import LatestTurns

log = logging.getLogger(__name__)

NOT_OLDER = timedelta(hours=6)
MOST, PAGE = 50, 100


@dataclass(frozen=True, slots=True)
class Altered:
    """Tells what became of them: `edited` by the message, `deleted` by its server and number."""

    client: discord.Client
    latest: LatestTurns
    edited: Callable[[discord.Message], Awaitable[None]]
    deleted: Callable[[str, int], Awaitable[None]]

    async def look(self, since: Mapping[str, int]) -> None:
        """At all of them; `since` is the last message of each server that was heard before. Raises StoreError."""
        latest = await self.latest.asked(PLATFORM, datetime.now(UTC) - NOT_OLDER, MOST)
        for (server, room), questions in _by_room(latest).items():
            heard = discord.utils.snowflake_time(since.get(server, 0))
            try:
                async with asked():
                    await self._compared(server, room, questions, heard)
            except RefdeskError as error:
                log.info("what became of the questions in %s can't be read: %s", room, error)

    async def _compared(self, server: str, room: int, questions: list[int], heard: datetime) -> None:
        place = await legible(self.client, room)
        if place is None:
            return
        page = place.history(after=discord.Object(min(questions) - 1), limit=PAGE, oldest_first=True)
        found = {message.id: message async for message in page}
        for id in questions:
            message = found.get(id)
            if message is not None:
                if message.edited_at is not None and message.edited_at > heard:
                    await self.edited(message)
            elif (len(found) < PAGE or id < max(found)) and await _is_gone(place, id):
                await self.deleted(server, id)


async def _is_gone(place: discord.abc.Messageable, id: int) -> bool:
    """Asked for by itself: who may not read what was said before gets an empty page."""
    try:
        async with asked():
            await place.fetch_message(id)
    except DiscordRefused as error:
        return error.code == NO_MESSAGE
    return False


def _by_room(asked: Iterable[tuple[str, str, str]]) -> dict[tuple[str, int], list[int]]:
    """The numbers of the questions by server and room; those of commands have no message of their own."""
    found: dict[tuple[str, int], list[int]] = defaultdict(list)
    for server, room, identity in asked:
        if room.isdecimal() and identity.isdecimal():
            found[server, int(room)].append(int(identity))
    return found
