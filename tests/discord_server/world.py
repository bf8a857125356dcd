"""Guilds, channels and people of a test, in a few words each. Knows no connection: it changes simcord's backend."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime

import discord
from simcord.backend import Backend
from simcord.backend.models import Overwrite, Role
from simcord.enums import ChannelType, OverwriteType

from tests.discord_server.clock import WallClock
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.shaping import Guest


@dataclass(frozen=True, slots=True)
class Guild:
    """A server, as people call it."""

    backend: Backend
    id: int

    def text(self, name: str, *, hidden_from: Iterable[int] = ()) -> Place:
        """A text channel; those in `hidden_from` (a person's, a role's or the guild's own id) can't see it."""
        return self._channel(name, ChannelType.TEXT, hidden_from)

    def voice(self, name: str) -> Place:
        """A voice channel, with its chat."""
        return self._channel(name, ChannelType.VOICE, ())

    def forum(self, name: str, tags: Iterable[str] = (), *, hidden_from: Iterable[int] = ()) -> Place:
        """A forum with its tags."""
        place = self._channel(name, ChannelType.FORUM, hidden_from)
        place.model.available_tags = [
            {"id": str(self.backend.snowflake()), "name": tag, "moderated": False, "emoji_id": None, "emoji_name": None}
            for tag in tags
        ]
        return place

    def person(self, name: str, *, nick: str | None = None, roles: Iterable[Role] = (), bot: bool = False) -> Person:
        """A member; `name` is also the name that is shown, unless a nick is."""
        user = self.backend.make_user(name.lower().replace(" ", "_"), global_name=name, bot=bot)
        self.backend.add_member(self.id, user.id, roles=[role.id for role in roles], nick=nick)
        return Person(self.backend, user.id, self.id)

    def guest(self, name: str) -> Person:
        """Somebody who came with an invitation to one call."""
        person, members = self.person(name), self.backend.get_guild(self.id).members
        members[person.id] = Guest(**vars(members[person.id]))
        return person

    def role(self, name: str, *permissions: str) -> Role:
        """A role with these permissions."""
        value = discord.Permissions(**dict.fromkeys(permissions, True)).value
        return self.backend.create_role(self.id, name=name, permissions=value)

    def bot_may_not(self, *permissions: str) -> None:
        """Take permissions from our bot, and from everyone if everyone has them."""
        lost = discord.Permissions(**dict.fromkeys(permissions, True)).value
        guild = self.backend.get_guild(self.id)
        ours = guild.members[self.backend.bot_user.id].role_ids
        for role in guild.roles.values():
            if role.id in ours or role.id == guild.id:
                role.permissions &= ~lost

    def leave(self) -> None:
        """Our bot is no longer there."""
        self.backend.remove_guild(self.id)

    def _channel(self, name: str, kind: ChannelType, hidden_from: Iterable[int]) -> Place:
        view = discord.Permissions(view_channel=True).value
        members = self.backend.get_guild(self.id).members
        overwrites = [
            Overwrite(id_, OverwriteType.MEMBER if id_ in members else OverwriteType.ROLE, deny=view)
            for id_ in hidden_from
        ]
        if self.id in hidden_from and self.backend.bot_user.id not in hidden_from:
            overwrites.append(Overwrite(self.backend.bot_user.id, OverwriteType.MEMBER, allow=view))
        channel = self.backend.create_channel(self.id, name, type=kind, overwrites=overwrites)
        return Place(self.backend, channel.id)


@dataclass(frozen=True, slots=True)
class World:
    """All guilds, and people outside of them."""

    backend: Backend
    clock: WallClock

    @property
    def bot(self) -> Person:
        """Our bot."""
        return Person(self.backend, self.backend.bot_user.id, None)

    def guild(self, name: str, *, shard: tuple[int, int] | None = None) -> Guild:
        """A guild with our bot in it, which has every permission but that of an administrator.

        `shard`: its number, of how many.
        """
        number, count = shard or (None, 1)
        made = self.backend.create_guild(name, shard_id=number, shard_count=count)
        return Guild(self.backend, made.id)

    def stranger(self, name: str) -> Person:
        """Somebody who writes direct messages alone."""
        user = self.backend.make_user(name.lower().replace(" ", "_"), global_name=name)
        return Person(self.backend, user.id, None)

    def place(self, channel: int) -> Place:
        """A channel or thread by its id, such as one that the bot has made."""
        return Place(self.backend, self.backend.get_channel(channel).id)

    def at(self, moment: datetime) -> AbstractContextManager[None]:
        """What people do inside this block happened at that time."""
        return self.clock.at(moment)
