"""Calling people on purpose: the one message of ours that mentions somebody. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import discord

from adapters.discord import limits, outgoing
from adapters.discord.looks import DiscordMessage
from adapters.discord.rooms import PLATFORM
from core.access_commands import Named
from core.errors import InputError
from core.messages import Language
from core.wording import say

MOST = 20


@dataclass(frozen=True, slots=True)
class Called:
    """Those to call, by Discord's bare ids."""

    users: tuple[int, ...]
    roles: tuple[int, ...]

    @property
    def mentions(self) -> str:
        """As they stand in a message on their server."""
        return " ".join([*(f"<@&{id}>" for id in self.roles), *(f"<@{id}>" for id in self.users)])

    @property
    def allowed(self) -> discord.AllowedMentions:
        """They alone are woken by it."""
        users, roles = ([discord.Object(id) for id in ids] for ids in (self.users, self.roles))
        return discord.AllowedMentions(everyone=False, users=users, roles=roles, replied_user=False)


def called(named: Named, guilds: Collection[str]) -> Called:
    """The people and roles that are named for these servers, or bare; raises InputError when there is none."""
    users, roles = sorted(_here(named.users, guilds)), sorted(_here(named.groups, guilds))
    if not users and not roles:
        raise InputError("error.nobody_to_ask")
    return Called(tuple(users[: MOST - min(len(roles), MOST)]), tuple(roles[:MOST]))


def summons(who: str, key: str, language: Language) -> DiscordMessage:
    """The sentence `key` with whom in it as they stand."""
    before, _, after = say(key, language, who="\0").partition("\0")
    words = outgoing.markdown(before) + who + outgoing.markdown(after)
    return DiscordMessage(outgoing.clipped(words, limits.CONTENT))


def _here(ids: Collection[str], guilds: Collection[str]) -> Iterator[int]:
    places = {"", *(f"{PLATFORM}/{guild}" for guild in guilds)}
    for id in ids:
        place, _, bare = id.rpartition("/")
        if place in places and bare.isdecimal():
            yield int(bare)
