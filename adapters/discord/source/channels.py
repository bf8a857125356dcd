"""Which of the chosen channels may be read: those that everybody on their server may, and those allowed by name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from adapters.discord.source.guilds import WITH_THREADS, Guild, Payload, guild_of
from adapters.discord.source.outcome import Outcome
from adapters.discord.source.rest import Refused, Rest, Unanswered

_MISSING = 10003
_GUILDS = 20
"""In so many of our guilds a channel that we can't see is looked for."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The channels, and which of them are read although not everybody on their server may."""

    channels: Sequence[str]
    closed: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel with threads, and its guild."""

    payload: Payload
    guild: Guild

    @property
    def id(self) -> str:
        """Discord's."""
        return str(self.payload["id"])

    @property
    def name(self) -> str:
        """As people write it."""
        return f"#{self.payload.get('name') or self.id}"


@dataclass
class Channels:
    """Looks at each of the channels once."""

    rest: Rest
    wanted: Wanted
    outcome: Outcome
    _guilds: dict[str, Guild] = field(default_factory=dict)
    _known: dict[str, Channel] = field(default_factory=dict)

    async def readable(self) -> dict[str, Channel]:
        """Those that may be read; one that can't be keeps none of the others back."""
        found = {}
        for id_ in self.wanted.channels:
            try:
                channel = await self._channel(id_)
            except Unanswered as error:
                self.outcome.cut(id_, "parse.discord_failed", str(error))
            else:
                found.update({id_: channel} if channel else {})
        return found

    async def _channel(self, id_: str) -> Channel | None:
        try:
            payload: Payload = await self.rest.get(f"/channels/{id_}")
            guild = await self._guild(str(payload.get("guild_id") or ""))
        except Refused as refused:
            await self._refused(id_, refused)
            return None
        if guild is None or payload["type"] not in WITH_THREADS:
            self.outcome.drop(id_, "parse.discord_kind", f"#{payload.get('name') or id_}")
            return None
        channel = Channel(payload, guild)
        if not self._may_read(channel):
            self.outcome.drop(id_, "parse.discord_closed", channel.name)
            return None
        return channel

    async def _refused(self, id_: str, refused: Refused) -> None:
        """Why a channel is not given: it is deleted, or closed – to everybody, or to us alone?"""
        if refused.code == _MISSING:
            self.outcome.drop(id_, "parse.discord_gone")
            return
        self.outcome.unseen += 1
        hidden = await self._among_the_hidden(id_)
        if hidden is not None and not self._may_read(hidden):
            self.outcome.drop(id_, "parse.discord_closed", hidden.name)
        else:
            self.outcome.cut(hidden.name if hidden else id_, "parse.discord_unseen")

    async def _among_the_hidden(self, id_: str) -> Channel | None:
        """A channel that we can't see, as its guild lists it."""
        with suppress(Refused):
            for guild in (await self.rest.get("/users/@me/guilds"))[:_GUILDS]:
                await self._guild(str(guild["id"]))
                if id_ in self._known:
                    break
        return self._known.get(id_)

    def _may_read(self, channel: Channel) -> bool:
        return channel.id in self.wanted.closed or channel.guild.open_to_all(channel.payload)

    async def _guild(self, id_: str) -> Guild | None:
        if id_ and id_ not in self._guilds:
            channels = await self.rest.get(f"/guilds/{id_}/channels")
            guild = self._guilds[id_] = guild_of(await self.rest.get(f"/guilds/{id_}"), channels)
            self._known.update((str(channel["id"]), Channel(channel, guild)) for channel in channels)
        return self._guilds.get(id_)
