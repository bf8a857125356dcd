"""What `refdesk check` and `refdesk discord invite` ask of Discord, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from adapters.discord.checking import Findings, Room, application, examined
from adapters.discord.source.rest import Door, Pace, Rest

__all__ = ["Bot", "Findings", "Room", "application_of", "findings"]

_PATIENCE = 10.0
"""Seconds that somebody who waits at a terminal is kept waiting for a rate limit."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot's token, where it is set, and where Discord's API is."""

    name: str
    token: str = field(repr=False)
    base: str


async def findings(bot: Bot, guilds: Sequence[str], channels: Sequence[str]) -> Findings:
    """What the token is good for, on these servers and in these channels."""
    async with _asked(bot) as rest:
        return await examined(rest, guilds, channels)


async def application_of(bot: Bot) -> str:
    """The id of the bot's application. Raises SourceError."""
    async with _asked(bot) as rest:
        return await application(rest)


def _asked(bot: Bot) -> Rest:
    return Rest(Door(bot.token, bot.base, bot.name), Pace(patience=_PATIENCE), seconds=10.0)
