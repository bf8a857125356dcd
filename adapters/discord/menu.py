"""Slash commands and the entry in a message's menu, as Discord is told of them. Each hands over at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord
from discord import app_commands

from adapters.discord.counter import DiscordCounter
from adapters.discord.hearing import words as said_in
from adapters.discord.listening import help_text
from adapters.discord.staff import StaffMenu
from adapters.discord.telling import AnyCommand, placed, slash, words
from core.desk.visitor import Visitor
from core.errors import InputError
from core.wording import say

LONGEST = 4000
"""Characters of a question that Discord lets one type."""


@dataclass(frozen=True, slots=True)
class DiscordMenu:
    """What can be called by name. Names are the same in all languages, since help and documents name them."""

    counter: DiscordCounter

    def commands(self) -> list[AnyCommand]:
        """All of them."""
        told = (
            ("help", "command.help", self._help),
            ("collections", "command.collections", self.counter.front.knowing.collections),
        )
        own = [self._ask(), *(self._told(*each) for each in told), self._quiet(), self._forget(), self._about()]
        return [*own, *StaffMenu(self.counter).commands()]

    def _ask(self) -> AnyCommand:
        @app_commands.describe(question=words("command.ask_question"), public=words("command.ask_public"))
        async def ask(
            itx: discord.Interaction, question: app_commands.Range[str, 1, LONGEST], public: bool = False
        ) -> None:
            await self.counter.ask(itx, question, public=public)

        return slash("ask", "command.ask", ask)

    def _about(self) -> AnyCommand:
        async def about(itx: discord.Interaction, message: discord.Message) -> None:
            text = said_in(message, self.counter.door.us)
            await (self.counter.ask(itx, text) if text else self.counter.done(itx, _no_words))

        return placed(app_commands.ContextMenu(name=words("command.about"), callback=about))

    def _told(self, name: str, about: str, work: Callable[[Visitor], Awaitable[str]]) -> AnyCommand:
        async def done(itx: discord.Interaction) -> None:
            await self.counter.done(itx, work)

        return slash(name, about, done)

    def _quiet(self) -> AnyCommand:
        @app_commands.describe(off=words("command.quiet_off"))
        async def quiet(itx: discord.Interaction, off: bool = False) -> None:
            async def work(visitor: Visitor) -> str:
                spot, threads = await self.counter.visits.spot(itx), self.counter.front.threads
                if spot.thread:
                    return await threads.quiet(spot.key(""), visitor, quiet=not off)
                return await threads.quiet_latest(visitor, quiet=not off)

            await self.counter.done(itx, work)

        return slash("quiet", "command.quiet", quiet)

    def _forget(self) -> AnyCommand:
        @app_commands.describe(everything=words("command.forget_everything"))
        async def forget(itx: discord.Interaction, everything: bool = False) -> None:
            threads = self.counter.front.threads
            await self.counter.done(itx, threads.forget_me if everything else threads.forget_latest)

        return slash("forget", "command.forget", forget)

    async def _help(self, visitor: Visitor) -> str:
        samples = await self.counter.front.knowing.samples(visitor, 3)
        shown = [say("direct.samples", visitor.language), *(f"- {each}" for each in samples)] if samples else []
        parts = [help_text(visitor.language, words=self.counter.door.words), say("discord.commands", visitor.language)]
        return "\n\n".join([*parts, *(["\n".join(shown)] if shown else [])])


async def _no_words(visitor: Visitor) -> str:
    raise InputError("error.no_words")
