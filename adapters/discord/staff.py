"""Slash commands of owners and admins: what is read anew, how that goes, what holds in a channel. Only translates."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from adapters.discord import choices
from adapters.discord.counter import DiscordCounter
from adapters.discord.telling import AnyCommand, slash, words
from core.desk.channel_talk import ChannelWish, What
from core.desk.visitor import Visitor
from core.errors import InputError, RefdeskError
from core.wording import say

CHANGES: dict[What, str] = {
    "mode": "command.change_mode",
    "default": "command.change_default",
    "show": "command.change_show",
    "hide": "command.change_hide",
    "unset": "command.change_unset",
    "hint": "command.change_hint",
}
"""What can be changed in a channel, and what that is called."""

LISTED = "`/jobs`"
"""How one asks for the latest jobs."""

Offered = list[app_commands.Choice[str]]
Offering = Callable[[Visitor, str], Awaitable[Offered]]
Completing = Callable[[discord.Interaction, str], Coroutine[Any, Any, Offered]]


@dataclass(frozen=True, slots=True)
class StaffMenu:
    """What Discord shows to those who manage the server; who may is checked again when it is called."""

    counter: DiscordCounter

    def commands(self) -> list[AnyCommand]:
        """All of them."""
        front = self.counter.front
        told = (("status", "command.status", front.overview.told), ("router", "command.router", front.router.told))
        return [*(self._told(*each) for each in told), self._jobs(), self._reindex(), self._channel()]

    def _told(self, name: str, about: str, work: Callable[[Visitor], Awaitable[str]]) -> AnyCommand:
        async def done(itx: discord.Interaction) -> None:
            await self.counter.done(itx, work)

        return slash(name, about, done, staff=True)

    def _jobs(self) -> AnyCommand:
        errands = self.counter.front.errands

        @app_commands.describe(id=words("command.jobs_id"), cancel=words("command.jobs_cancel"))
        async def jobs(itx: discord.Interaction, id: str = "", cancel: str = "") -> None:
            shown, stopped = id.strip().casefold(), cancel.strip().casefold()

            async def work(visitor: Visitor) -> str:
                if stopped:
                    return await errands.cancel(visitor, stopped, LISTED)
                return await (errands.show(visitor, shown, LISTED) if shown else errands.jobs(visitor))

            await self.counter.done(itx, work)

        async def all_of_them(visitor: Visitor, typed: str) -> Offered:
            return choices.jobs(await errands.recent(visitor), typed)

        async def to_cancel(visitor: Visitor, typed: str) -> Offered:
            return choices.jobs(await errands.recent(visitor, to_cancel=True), typed)

        command = slash("jobs", "command.jobs", jobs, staff=True)
        command.autocomplete("id")(self._completing(all_of_them))
        command.autocomplete("cancel")(self._completing(to_cancel))
        return command

    def _reindex(self) -> AnyCommand:
        errands, visits = self.counter.front.errands, self.counter.visits

        @app_commands.describe(collection=words("command.reindex_collection"))
        async def reindex(itx: discord.Interaction, collection: str = "") -> None:
            async def work(visitor: Visitor) -> str:
                here = await visits.here(itx, visitor)
                names = choices.names_in(collection)
                begun = await errands.reindex(visitor, names, here, lambda: visits.alone(visitor))
                key = "reindex.here" if begun.told_at.channel == here.target.channel else "reindex.direct"
                return "\n\n".join(part for part in (say(key, visitor.language), begun.text) if part)

            await self.counter.done(itx, work)

        async def known(visitor: Visitor, typed: str) -> Offered:
            return choices.collections(await errands.choices(visitor), typed, visitor.language)

        command = slash("reindex", "command.reindex", reindex, staff=True)
        command.autocomplete("collection")(self._completing(known))
        return command

    def _channel(self) -> AnyCommand:
        @app_commands.describe(change=words("command.channel_change"), value=words("command.channel_value"))
        @app_commands.choices(
            change=[app_commands.Choice(name=words(key), value=each) for each, key in CHANGES.items()]
        )
        async def channel(itx: discord.Interaction, change: str = "view", value: str = "") -> None:
            async def work(visitor: Visitor) -> str:
                channels, people = self.counter.front.channels, self.counter.door.people
                outside = visitor.audience.external
                return await channels.done(visitor, wish(change, value), people, outside=outside)

            await self.counter.done(itx, work)

        return slash("channel", "command.channel", channel, staff=True)

    def _completing(self, offering: Offering) -> Completing:
        """What is offered while somebody types, of what they may see; what fails offers nothing."""

        async def offered(itx: discord.Interaction, typed: str) -> Offered:
            try:
                return await offering(await self.counter.visits.of(itx), typed)
            except RefdeskError:
                return []

        return offered


def wish(change: str, value: str) -> ChannelWish:
    """What is to be changed in a channel. Pure; raises InputError for half of a wish."""
    if change in CHANGES and not value.strip():
        raise InputError("error.channel_value", change=change)
    if change not in CHANGES and value.strip():
        raise InputError("error.channel_change", value=value.strip()[:40], known=", ".join(CHANGES))
    names = tuple(dict.fromkeys(value.casefold().replace(",", " ").split()))
    match change:
        case "mode":
            return ChannelWish("mode", text=value.strip().casefold())
        case "hint":
            name, _, text = value.partition(":" if ":" in value else " ")
            return ChannelWish("hint", (name.strip().casefold(),), text.strip())
        case "default" | "show" | "hide" | "unset":
            return ChannelWish(change, names)
        case _:
            return ChannelWish()
