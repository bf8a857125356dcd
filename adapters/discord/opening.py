"""What a post or a thread began with: asked for where somebody names us in it and says no more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import discord

from adapters.discord.hearing import titled, words
from adapters.discord.spots import Spot
from adapters.discord.trouble import DiscordRefused, asked
from core.asking import pleads
from core.messages import Message


@dataclass(frozen=True, slots=True)
class Opening:
    """The look-up; `us` is our id."""

    client: discord.Client
    us: int

    def of(self, spot: Spot, text: str) -> Callable[[Message], Awaitable[Message]] | None:
        """That of one message; None when it says what it wants, or stands in no thread."""
        if not spot.thread or not pleads(text):
            return None

        async def completed(message: Message) -> Message:
            return replace(message, opening=titled(spot.name, await self._first(spot)))

        return completed

    async def _first(self, spot: Spot) -> str:
        """Of a post its own text, else that of the message which the thread stands on, if a person wrote it."""
        place = self.client.get_partial_messageable(int(spot.thread if spot.is_forum else spot.parent))
        try:
            async with asked():
                found = await place.fetch_message(int(spot.thread))
        except DiscordRefused:
            return ""
        return "" if found.author.bot else words(found, self.us)
