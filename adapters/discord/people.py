"""Who somebody is on our servers: asked of Discord where an event does not tell it, kept for moments, and bounded.

Nobody is from outside on a server of ours but its guests; on a server that is none of ours, and in a direct message
from somebody who is on none, everybody is.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import discord

from adapters.discord.hearing import roles_of
from adapters.discord.rooms import DIRECT, PLATFORM
from adapters.discord.trouble import DiscordRefused, asked
from core.errors import RefdeskError
from core.messages import Audience, Turn

KEPT_FOR = 5.0
"""Seconds: choices are offered letter by letter. For an answer roles are asked for anew, also before it is posted."""

MOST_KEPT = 5000
MOST_GUILDS = 20
"""Servers on which somebody is looked for."""


@dataclass
class DiscordPeople:
    """The Directory and the Audiences of Discord. `homes` are the servers that are ours; none: all that we are on."""

    client: discord.Client
    homes: frozenset[str] = frozenset()
    now: Callable[[], float] = time.monotonic
    _roles: OrderedDict[str, tuple[float, frozenset[str]]] = field(default_factory=OrderedDict)

    def is_home(self, guild: int | str) -> bool:
        """Whether a server is ours."""
        return not self.homes or str(guild) in self.homes

    @property
    def ours(self) -> frozenset[str]:
        """The servers that are ours, as far as we are on them."""
        return frozenset(str(each.id) for each in self.client.guilds if self.is_home(each.id))

    async def of(self, turn: Turn) -> Audience:
        """Who reads the reply: of a direct message, somebody with their roles of this moment on all servers of ours."""
        audience = turn.audience
        if not audience.provisional or audience.user is None:
            return replace(audience, provisional=False)
        self._roles.pop(audience.user, None)
        return await self.direct(audience.channel, audience.user)

    async def direct(self, channel: str, user: str) -> Audience:
        """The one reader of a direct message. Raises UpstreamError when Discord can't be asked."""
        roles = await self.everywhere(user)
        return Audience(PLATFORM, DIRECT, channel, user, roles, external=not roles)

    async def everywhere(self, user: str) -> frozenset[str]:
        """Somebody's roles on all servers of ours, as ``discord/server/role``; everybody there has one, guests none."""
        until, roles = self._roles.get(user, (0.0, frozenset[str]()))
        if until > self.now():
            return roles
        guilds = [each for each in self.client.guilds if self.is_home(each.id)][:MOST_GUILDS]
        found = frozenset[str]().union(*await asyncio.gather(*(_roles_in(each, int(user)) for each in guilds)))
        self._roles[user] = (self.now() + KEPT_FOR, found)
        self._roles.move_to_end(user)
        while len(self._roles) > MOST_KEPT:
            self._roles.popitem(last=False)
        return found

    async def name(self, platform: str, workspace: str, id: str) -> str:
        """The name of a person or a channel, as people see it; empty for who can't be looked up."""
        channel = self.client.get_channel(int(id)) if id.isdecimal() else None
        if channel is not None:
            return str(getattr(channel, "name", ""))
        guild = self.client.get_guild(int(workspace)) if workspace.isdecimal() else None
        try:
            async with asked():
                found = await guild.fetch_member(int(id)) if guild else await self.client.fetch_user(int(id))
        except (RefdeskError, ValueError):
            return ""
        return found.display_name

    async def person(self, id: int) -> str:
        """What somebody is called everywhere; empty for who can't be looked up."""
        return await self.name(PLATFORM, DIRECT, str(id))

    def role(self, id: int) -> str:
        """What a role is called, and on which server of ours; empty for one that is on none."""
        found = (guild.get_role(id) for guild in self.client.guilds if self.is_home(guild.id))
        role = next((each for each in found if each is not None), None)
        return f"@{role.name} ({role.guild.name})" if role is not None else ""


async def _roles_in(guild: discord.Guild, user: int) -> frozenset[str]:
    try:
        async with asked():
            member = await guild.fetch_member(user)
    except DiscordRefused:  # not there
        return frozenset()
    if is_guest(member):
        return frozenset()
    return frozenset(f"{PLATFORM}/{guild.id}/{role}" for role in {*roles_of(member), str(guild.id)})


def is_guest(somebody: discord.abc.User) -> bool:
    """Whether they came with an invitation to one call, and are no member otherwise."""
    return isinstance(somebody, discord.Member) and somebody.flags.guest
