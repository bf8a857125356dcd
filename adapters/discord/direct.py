"""The way to one person alone in Discord."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.discord.people import DiscordPeople
from adapters.discord.rooms import DIRECT, PLATFORM, Rooms
from core.messages import Audience, ReplyTarget


@dataclass(frozen=True, slots=True)
class DiscordDirects:
    """The Directs of Discord, where somebody has one id everywhere."""

    rooms: Rooms
    people: DiscordPeople

    async def open(self, workspace: str, user: str) -> tuple[ReplyTarget, Audience]:
        """Their direct messages with us."""
        target = await self.rooms.direct(ReplyTarget(PLATFORM, DIRECT, "", "", recipient=user))
        return target, await self.people.direct(target.channel, user)
