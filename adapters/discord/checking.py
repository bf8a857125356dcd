"""Asking Discord what the bot's token is good for, and what the bot may do in which channels. Changes nothing there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adapters.discord.permissions import ADMINISTRATOR, GETS_WORDS, VIEW, overwritten
from adapters.discord.source.rest import Refused, Rest, Unanswered
from core.errors import RefdeskError, SourceError

_EVERYTHING = -1
_THREADS = (10, 11, 12)

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Room:
    """What the bot may do in a channel, in Discord's numbers: nothing where it can't see the channel."""

    id: str
    name: str = ""
    held: int = 0


@dataclass(frozen=True, slots=True)
class Findings:
    """What Discord says of a token. `words`: messages come with what is written in them.

    `away` are the servers of those asked for on which the bot is not. Where `wrong` is given, the rest is unknown.
    """

    application: str = ""
    name: str = ""
    words: bool = False
    away: tuple[str, ...] = ()
    rooms: tuple[Room, ...] = ()
    wrong: RefdeskError | None = None


async def examined(rest: Rest, guilds: Sequence[str], channels: Sequence[str]) -> Findings:
    """Try the token, and look at these servers and channels."""
    found = Findings()
    try:
        about = await rest.get("/applications/@me")
        me = await rest.get("/users/@me")
        words = bool(int(about.get("flags") or 0) & GETS_WORDS)
        found = Findings(str(about["id"]), str(me["username"]), words)
        looks = _Looks(rest, str(me["id"]), {})
        away = [each for each in guilds if await looks.guild(each) is None]
        rooms = [await looks.room(each) for each in channels]
    except SourceError as error:
        return replace(found, wrong=error)
    except (Refused, Unanswered, KeyError, TypeError, ValueError) as error:
        return replace(found, wrong=SourceError("error.discord_failed", what=str(error)[:200]))
    return replace(found, away=tuple(away), rooms=tuple(rooms))


async def application(rest: Rest) -> str:
    """The id of the token's application. Raises SourceError."""
    found = await examined(rest, (), ())
    if found.wrong is not None:
        raise found.wrong
    return found.application


@dataclass(frozen=True, slots=True)
class _Looks:
    """One look at each server."""

    rest: Rest
    me: str
    guilds: dict[str, tuple[Payload, Payload] | None]

    async def guild(self, id: str) -> tuple[Payload, Payload] | None:
        """A server and our membership there; None where there is none."""
        if id not in self.guilds:
            guild = await self._there(f"/guilds/{id}")
            member = await self._there(f"/guilds/{id}/members/{self.me}") if guild else None
            self.guilds[id] = (guild, member) if guild and member else None
        return self.guilds[id]

    async def room(self, id: str) -> Room:
        """A channel; a thread has the rights of its parent."""
        channel = await self._there(f"/channels/{id}")
        if channel is None:
            return Room(id)
        name = str(channel.get("name") or "")
        ruling = channel
        if channel.get("type") in _THREADS:
            ruling = await self._there(f"/channels/{channel['parent_id']}") or channel
        there = await self.guild(str(channel.get("guild_id") or ""))
        return Room(id, name, held(*there, ruling) if there else 0)

    async def _there(self, path: str) -> Payload | None:
        try:
            found = await self.rest.get(path)
        except Refused as refused:
            if refused.status in (403, 404):
                return None
            raise
        return found if isinstance(found, dict) else None


def held(guild: Payload, member: Payload, channel: Payload) -> int:
    """What a member may do in a channel: their roles, then what the channel gives and takes, as Discord counts it."""
    roles = {str(guild["id"]), *(str(each) for each in member.get("roles") or ())}
    base = 0
    for role in guild.get("roles") or ():
        if str(role["id"]) in roles:
            base |= int(role["permissions"])
    me = str(member["user"]["id"])
    if base & ADMINISTRATOR or str(guild.get("owner_id")) == me:
        return _EVERYTHING
    overwrites = {str(each["id"]): each for each in channel.get("permission_overwrites") or ()}
    for ids in ((str(guild["id"]),), roles - {str(guild["id"])}, (me,)):
        base = overwritten(base, [overwrites[each] for each in ids if each in overwrites])
    return base if base & VIEW else 0
