"""Somebody in Discord as a visitor of the front desk: who they are, what they alone may read, in which language."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from adapters.discord.direct import DiscordDirects
from adapters.discord.hearing import roles_of
from adapters.discord.people import DiscordPeople, is_guest
from adapters.discord.rooms import DIRECT, PLATFORM, Rooms
from adapters.discord.spots import Spot, Spots
from core.access_commands import Person
from core.desk.errands import Place
from core.desk.visitor import Visitor
from core.errors import InputError
from core.messages import Audience, Language, ReplyTarget


@dataclass(frozen=True, slots=True)
class Visits:
    """Looks up who somebody is."""

    people: DiscordPeople
    spots: Spots
    rooms: Rooms

    async def spot(self, itx: discord.Interaction) -> Spot:
        """Where they are. Raises InputError where nothing can be answered."""
        channel = itx.channel
        if itx.guild_id is None and channel is not None:
            return Spot(DIRECT, str(channel.id), str(channel.id))
        found = await self.spots.of(channel)
        if found is None:
            raise InputError("error.discord_place")
        return found

    async def of(self, itx: discord.Interaction) -> Visitor:
        """The visitor."""
        spot, user, language = await self.spot(itx), str(itx.user.id), spoken(itx)
        if spot.is_direct:
            audience = await self.people.direct(spot.channel, user)
            return Visitor(Person(PLATFORM, DIRECT, user, audience.roles, itx.user.bot), audience, language)
        roles, home = roles_of(itx.user), self.people.is_home(spot.workspace)
        outside = not home or spot.outside or is_guest(itx.user)
        audience = Audience(PLATFORM, spot.workspace, spot.channel, user, roles, external=outside)
        is_admin = home and itx.permissions.administrator
        return Visitor(Person(PLATFORM, spot.workspace, user, roles, itx.user.bot, is_admin), audience, language)

    async def here(self, itx: discord.Interaction, visitor: Visitor) -> Place:
        """Where they are, and everybody who reads there."""
        spot = await self.spot(itx)
        target = ReplyTarget(PLATFORM, spot.workspace, spot.room, "", recipient=visitor.person.id)
        if spot.is_direct:
            return Place(target, visitor.audience)
        return Place(target, Audience(PLATFORM, spot.workspace, spot.channel, external=visitor.audience.external))

    async def alone(self, visitor: Visitor) -> Place:
        """Their direct messages with us."""
        return Place(*await DiscordDirects(self.rooms, self.people).open(DIRECT, visitor.person.id))


def spoken(itx: discord.Interaction) -> Language:
    """The language in which they use Discord."""
    return "ko" if itx.locale is discord.Locale.korean else "en"
