"""Slash commands and the entry in a message's menu, as Discord is told of them. Each hands over at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from adapters.discord.counter import DiscordCounter
from adapters.discord.hearing import words
from adapters.discord.listening import help_text
from core.access import suggestions
from core.desk.channel_talk import ChannelWish
from core.desk.visitor import Visitor
from core.documents import Readable
from core.errors import AccessDenied, RefdeskError
from core.wording import say

LONGEST = 4000
"""Characters of a question that Discord lets one type."""

CHOICES = 25
CHANGES = ("mode", "default", "show", "hide", "unset", "hint")
AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


@dataclass(frozen=True, slots=True)
class DiscordMenu:
    """What can be called by name."""

    counter: DiscordCounter

    def commands(self) -> list[AnyCommand]:
        """All of them; what needs rights is shown to those who manage the server, and checked again when called."""
        front = self.counter.front
        simple: list[tuple[str, str, Callable[[Visitor], Awaitable[str]], bool]] = [
            ("help", "How to ask, and what else I do", self._help, False),
            ("collections", "Which documents I know of here", front.knowing.collections, False),
            ("status", "How things stand", front.overview.told, True),
            ("jobs", "The latest syncs of documents", front.errands.jobs, True),
            ("router", "What decides where I look", front.router.told, True),
        ]
        made: list[AnyCommand] = [self._simple(*each) for each in simple]
        return [self._ask(), *made, self._reindex(), self._quiet(), self._forget(), self._channel(), self._about()]

    def _ask(self) -> AnyCommand:
        @app_commands.describe(question="What you would like to know", public="Let everybody here see it")
        async def ask(
            itx: discord.Interaction, question: app_commands.Range[str, 1, LONGEST], public: bool = False
        ) -> None:
            await self.counter.ask(itx, question, public=public)

        return _named(app_commands.Command(name="ask", description="Ask the documents", callback=ask))

    def _about(self) -> AnyCommand:
        async def about(itx: discord.Interaction, message: discord.Message) -> None:
            await self.counter.ask(itx, words(message, self.counter.door.us))

        return _named(app_commands.ContextMenu(name="Ask Refdesk about this", callback=about))

    def _simple(
        self, name: str, description: str, work: Callable[[Visitor], Awaitable[str]], staff: bool
    ) -> AnyCommand:
        async def done(itx: discord.Interaction) -> None:
            await self.counter.done(itx, work)

        return _named(app_commands.Command(name=name, description=description, callback=done), staff=staff)

    def _reindex(self) -> AnyCommand:
        async def reindex(itx: discord.Interaction, collection: str = "") -> None:
            async def work(visitor: Visitor) -> str:
                visits, names = self.counter.visits, (collection.strip(),) if collection.strip() else ()
                here = await visits.here(itx, visitor)
                begun = await self.counter.front.errands.reindex(visitor, names, here, lambda: visits.alone(visitor))
                key = "reindex.here" if begun.told_at.channel == here.target.channel else "reindex.direct"
                return "\n\n".join(part for part in (say(key, visitor.language), begun.text) if part)

            await self.counter.done(itx, work)

        async def choices(itx: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return await self._choices(itx, typed)

        described = app_commands.describe(collection="Which one (default: all that you may)")(reindex)
        command: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name="reindex", description="Read documents anew", callback=described
        )
        command.autocomplete("collection")(choices)
        return _named(command, staff=True)

    async def _choices(self, itx: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Only what they may have read anew; what fails offers nothing."""
        try:
            visitor = await self.counter.visits.of(itx)
            names = await self.counter.front.errands.choices(visitor)
        except (AccessDenied, RefdeskError):
            return []
        found = suggestions(Readable(frozenset(names)), typed, CHOICES)
        return [app_commands.Choice(name=each, value=each) for each in found]

    def _quiet(self) -> AnyCommand:
        @app_commands.describe(off="Answer here again without being named")
        async def quiet(itx: discord.Interaction, off: bool = False) -> None:
            async def work(visitor: Visitor) -> str:
                spot, threads = await self.counter.visits.spot(itx), self.counter.front.threads
                if spot.thread:
                    return await threads.quiet(spot.key(""), visitor, quiet=not off)
                return await threads.quiet_latest(visitor, quiet=not off)

            await self.counter.done(itx, work)

        return _named(app_commands.Command(name="quiet", description="Be quiet in this thread", callback=quiet))

    def _forget(self) -> AnyCommand:
        @app_commands.describe(everything="All that you asked on this server, not only in the last thread here")
        async def forget(itx: discord.Interaction, everything: bool = False) -> None:
            threads = self.counter.front.threads
            await self.counter.done(itx, threads.forget_me if everything else threads.forget_latest)

        return _named(app_commands.Command(name="forget", description="Forget what you asked", callback=forget))

    def _channel(self) -> AnyCommand:
        @app_commands.describe(change="What to change", value="The mode, collections, or `collection: hint`")
        @app_commands.choices(
            change=[
                app_commands.Choice(name=each, value=each)
                for each in ("mode", "default", "show", "hide", "unset", "hint")
            ]
        )
        async def channel(itx: discord.Interaction, change: str = "view", value: str = "") -> None:
            async def work(visitor: Visitor) -> str:
                return await self.counter.front.channels.done(visitor, wish(change, value), self.counter.door.people)

            await self.counter.done(itx, work)

        command: AnyCommand = app_commands.Command(
            name="channel", description="What holds in this channel", callback=channel
        )
        return _named(command, staff=True)

    async def _help(self, visitor: Visitor) -> str:
        samples = await self.counter.front.knowing.samples(visitor, 3)
        shown = [say("direct.samples", visitor.language), *(f"- {each}" for each in samples)] if samples else []
        parts = [help_text(visitor.language, words=self.counter.door.words), say("discord.commands", visitor.language)]
        return "\n\n".join([*parts, *(["\n".join(shown)] if shown else [])])


def wish(change: str, value: str) -> ChannelWish:
    """What is to be changed in a channel. Pure."""
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


def _named(command: AnyCommand, *, staff: bool = False) -> AnyCommand:
    """On servers and in direct messages with us; never in other people's conversations."""
    command.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
    command.allowed_installs = app_commands.AppInstallationType(guild=True, user=False)
    if staff:
        command.default_permissions = discord.Permissions(manage_guild=True)
    return command
