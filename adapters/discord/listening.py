"""Discord's events on their way to the desk: hearing is the first thing that is awaited. Only translates.

Discord sends an event once: one that could not be stored is tried again here, and what was said while we were away is
read from the channels and threads we take part in (`missed.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from adapters.discord.hearing import heard, is_spoken
from adapters.discord.people import DiscordPeople
from adapters.discord.posts import DiscordPosts
from adapters.discord.rooms import DIRECT, PLATFORM
from adapters.discord.spots import Spots
from core.desk.desk import Desk
from core.desk.hear import Heard
from core.desk.speaking import question_language
from core.errors import InputError, RefdeskError
from core.messages import Hush, Language, Message, Respond
from core.wording import say

log = logging.getLogger(__name__)

PAUSES = (0.5, 2.0, 8.0)
"""Seconds between tries to store what was heard."""


@dataclass(frozen=True, slots=True)
class DiscordDoor:
    """What the translation of Discord's events works with. `words`: we get those of messages that don't name us."""

    desk: Desk
    client: discord.Client
    people: DiscordPeople
    posts: DiscordPosts
    spots: Spots
    words: bool = True

    @property
    def us(self) -> int:
        """Our id."""
        return self.client.user.id if self.client.user else 0


@dataclass(frozen=True, slots=True)
class DiscordHearing:
    """From an event to the desk."""

    door: DiscordDoor

    async def said(self, message: discord.Message) -> None:
        """Somebody wrote."""
        await self._heard(message, self.door.desk.hear)

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        """Somebody changed what they wrote; previews and pins come the same way, and change no words."""
        if event.message.edited_at is not None and not event.message.author.bot:
            await self._heard(event.message, self.door.desk.revise)

    async def deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        """A message was taken away."""
        await self._withdrawn(event.guild_id, event.message_id)

    async def purged(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Many were."""
        for id in sorted(event.message_ids):
            await self._withdrawn(event.guild_id, id)

    async def _withdrawn(self, guild: int | None, message: int) -> None:
        workspace = str(guild) if guild else DIRECT

        async def withdrawn() -> None:
            await self.door.desk.withdraw(PLATFORM, workspace, str(message))

        await _insisted(withdrawn)

    async def _heard(self, message: discord.Message, hear: Callable[[Message], Awaitable[Heard]]) -> None:
        if not is_spoken(message, self.door.us):
            return
        spot = await self.door.spots.of(message.channel)
        if spot is None:
            return
        outside = not spot.is_direct and not self.door.people.is_home(spot.workspace)
        said = heard(message, spot, self.door.us, outside=outside)
        try:
            became = await _insisted(lambda: hear(said))
        except InputError as error:
            await self._told(message, error.user_message(question_language(said.text)))
            return
        await self._answered(message, said, became)

    async def _answered(self, message: discord.Message, said: Message, became: Heard | None) -> None:
        """What is said at once: help, or that we are quiet now."""
        language = question_language(said.text)
        if isinstance(became, Hush):
            await self._told(message, say("thread.quiet", language))
        elif isinstance(became, Respond):
            await self._told(message, help_text(language, words=self.door.words))
        elif became is None:
            await self._told(message, RefdeskError().user_message(language))

    async def _told(self, message: discord.Message, text: str) -> None:
        if message.author.bot:  # two programs that tell each other their errors don't stop
            return
        try:
            await self.door.posts.note(str(message.channel.id), text, str(message.id))
        except Exception:
            log.exception("a note in %s could not be shown", message.channel.id)


def help_text(language: Language, *, words: bool) -> str:
    """How to ask."""
    how = say("discord.help", language)
    return how if words else "\n\n".join((how, say("discord.help_named", language)))


async def _insisted(work: Callable[[], Awaitable[Heard | None]]) -> Heard | None:
    """Try again what failed for reasons that pass; None when they don't. Raises InputError."""
    for pause in (*PAUSES, None):
        try:
            return await work()
        except InputError:
            raise
        except RefdeskError as error:
            if pause is None:
                log.exception("an event could not be heard (%s)", error.id)
                return None
        await asyncio.sleep(pause)
    return None
