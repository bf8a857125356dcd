"""Where a message of Discord stands: its guild, the channel that decides who reads it, its thread.

In a thread that everybody sees who sees its parent, the parent decides; a private thread decides by itself.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import discord

from adapters.discord.rooms import DIRECT, PLATFORM
from adapters.discord.trouble import DiscordRefused, asked
from core.messages import SessionKey

MOST_KEPT = 1000
_OPEN_DOORS = (discord.VoiceChannel, discord.StageChannel)
"""Channels whose chat is also read by guests who came with an invitation to this one call, or with nothing at all."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place. `channel` decides who reads it, `room` is where one writes, `thread` the session's thread if it is one.

    `parent` holds the message that the thread stands on, `opens_threads` says that one can stand here. `outside`:
    people from outside the guild may read along.
    """

    workspace: str
    channel: str
    room: str
    thread: str = ""
    parent: str = ""
    name: str = ""
    is_forum: bool = False
    opens_threads: bool = False
    outside: bool = False

    @property
    def is_direct(self) -> bool:
        """Whether it is a conversation with us alone."""
        return self.workspace == DIRECT

    def key(self, message_id: str) -> SessionKey:
        """The session of a message that stands there."""
        return SessionKey(PLATFORM, self.workspace, self.channel, "dm" if self.is_direct else self.thread or message_id)


def spot_of(channel: object) -> Spot | None:
    """The place, as far as discord.py knows it; None where it has to be asked for, or where we don't talk."""
    if isinstance(channel, discord.DMChannel):
        return Spot(DIRECT, str(channel.id), str(channel.id))
    if isinstance(channel, discord.Thread):
        return _thread(channel)
    if isinstance(channel, discord.TextChannel | discord.VoiceChannel | discord.StageChannel):
        id = str(channel.id)
        spoken = isinstance(channel, _OPEN_DOORS)
        return Spot(str(channel.guild.id), id, id, name=channel.name, opens_threads=not spoken, outside=spoken)
    return None


def _thread(thread: discord.Thread) -> Spot:
    parent = str(thread.parent_id)
    reads = str(thread.id) if thread.is_private() else parent
    is_forum = isinstance(thread.parent, discord.ForumChannel)
    return Spot(str(thread.guild.id), reads, str(thread.id), str(thread.id), parent, thread.name, is_forum)


async def legible(client: discord.Client, id: int) -> discord.abc.Messageable | None:
    """The channel or thread, asked for where it is not known; None for one in which nothing is written."""
    channel = client.get_channel(id) or await client.fetch_channel(id)
    return channel if isinstance(channel, discord.abc.Messageable) else None


@dataclass
class Spots:
    """Places that discord.py does not know are asked for, and remembered."""

    client: discord.Client
    _kept: OrderedDict[int, Spot] = field(default_factory=OrderedDict)

    async def of(self, channel: object) -> Spot | None:
        """The place; None where nothing can be answered. Raises RefdeskError when Discord can't be asked just now."""
        known = spot_of(channel)
        if known is not None or not isinstance(channel, discord.PartialMessageable):
            return known
        if channel.id not in self._kept:
            try:
                async with asked():
                    found = spot_of(await self.client.fetch_channel(channel.id))
            except DiscordRefused:
                return None
            if found is None:
                return None
            self._kept[channel.id] = found
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[channel.id]
