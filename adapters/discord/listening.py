"""Discord's events on their way to the desk: hearing is the first thing that is awaited. Only translates.

Discord sends an event once: one that could not be stored is tried again here. How far we have heard is remembered
(`bookmark.py`); what was said while we were away is read from the places we take part in (`missed.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from adapters.discord.bookmark import Bookmark, server_of
from adapters.discord.hearing import heard, is_for_us, is_spoken, words
from adapters.discord.opening import Opening
from adapters.discord.people import DiscordPeople
from adapters.discord.posts import DiscordPosts
from adapters.discord.rooms import DIRECT, PLATFORM
from adapters.discord.spots import Spots
from adapters.discord.trouble import NOWHERE, DiscordRefused
from core.desk.desk import Desk
from core.desk.hear import Complete, Heard
from core.desk.speaking import question_language
from core.errors import InputError, RefdeskError
from core.messages import Hush, Ignore, Language, Message, Respond
from core.wording import say

log = logging.getLogger(__name__)

Hear = Callable[[Message, Complete | None], Awaitable[Heard]]

PAUSES = (0.5, 2.0, 8.0)
"""Seconds between tries to store what was heard."""


@dataclass(frozen=True, slots=True)
class DiscordDoor:
    """What the translation of Discord's events works with. `words`: we get those of messages that don't name us.

    `language` is that of the desk.
    """

    desk: Desk
    client: discord.Client
    people: DiscordPeople
    posts: DiscordPosts
    spots: Spots
    words: bool = True
    language: Language = "en"

    @property
    def us(self) -> int:
        """Our id."""
        return self.client.user.id if self.client.user else 0


@dataclass(frozen=True, slots=True)
class DiscordHearing:
    """From an event to the desk."""

    door: DiscordDoor
    bookmark: Bookmark

    async def said(self, message: discord.Message) -> None:
        """Somebody wrote."""
        if is_spoken(message, self.door.us):
            with self.bookmark.hearing(server_of(message), message.id):
                await self.missed(message)

    async def missed(self, message: discord.Message) -> None:
        """Somebody wrote while we were away."""
        await self._heard(message, self.door.desk.hear)

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        """Somebody changed what they wrote; previews and pins come the same way, and change no words."""
        if event.message.edited_at is not None and not event.message.author.bot:
            await self.changed(event.message)

    async def changed(self, message: discord.Message) -> None:
        """A message says something else now. Words that Discord does not give us are not known, rather than none."""
        if self.door.words or message.content or is_for_us(message, self.door.us):
            await self._heard(message, self.door.desk.revise)

    async def deleted(self, event: discord.RawMessageDeleteEvent) -> None:
        """A message was taken away."""
        await self.gone(str(event.guild_id or DIRECT), event.message_id)

    async def purged(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        """Many were."""
        for id in sorted(event.message_ids):
            await self.gone(str(event.guild_id or DIRECT), id)

    async def gone(self, workspace: str, message: int) -> None:
        """A message is not there any more."""

        async def withdrawn() -> None:
            await self.door.desk.withdraw(PLATFORM, workspace, str(message))

        await _insisted(withdrawn)

    async def left(self, guild: discord.Guild) -> None:
        """We were thrown out of a server: what was still to be answered there ends without a word."""

        async def left() -> None:
            open_turns = await self.door.desk.leave(PLATFORM, str(guild.id))
            log.warning("thrown out of server %s: %d open questions end without an answer", guild.id, open_turns)

        await _insisted(left)

    async def _heard(self, message: discord.Message, hear: Hear) -> None:
        if not is_spoken(message, self.door.us):
            return
        try:
            became = await _insisted(lambda: self._stored(message, hear))
        except InputError as error:
            await self._told(message, error.user_message(self._language(message)), error.reason)
            return
        await self._answered(message, became)

    async def _stored(self, message: discord.Message, hear: Hear) -> Heard:
        spot = await self.door.spots.of(message.channel)
        if spot is None:
            return Ignore("a place where nothing can be answered")
        outside = not spot.is_direct and not self.door.people.is_home(spot.workspace)
        told = heard(message, spot, self.door.us, outside=outside)
        return await hear(told, Opening(self.door.client, self.door.us).of(spot, told.text))

    async def _answered(self, message: discord.Message, became: Heard | None) -> None:
        """What is said at once: help, or that we are quiet now; what failed is told to who spoke to us."""
        language = self._language(message)
        if isinstance(became, Hush):
            await self._told(message, say("thread.quiet", language), "quiet")
        elif isinstance(became, Respond):
            await self._told(message, help_text(language, words=self.door.words), "help")
        elif became is None and is_for_us(message, self.door.us):
            error = RefdeskError()
            log.error("%s: message %s was not heard", error.id, message.id)
            await self._told(message, error.user_message(language), error.reason)

    def _language(self, message: discord.Message) -> Language:
        return question_language(words(message, self.door.us), self.door.language)

    async def _told(self, message: discord.Message, text: str, about: str) -> None:
        if message.author.bot:  # two programs that tell each other their errors don't stop
            return
        try:
            await self._noted(message, text, about)
        except RefdeskError as error:
            log.warning("nobody could be told in %s: %s", message.channel.id, error)
        except Exception:
            log.exception("a note in %s could not be shown", message.channel.id)

    async def _noted(self, message: discord.Message, text: str, about: str) -> None:
        """Under their message; where we may not write, they hear directly why not."""
        try:
            await self.door.posts.note(str(message.channel.id), text, str(message.id), about)
        except DiscordRefused as error:
            if error.code not in NOWHERE:
                raise
            language = self._language(message)
            why = say("reply.elsewhere", language, why=error.user_message(language))
            await self.door.posts.whisper(str(message.author.id), why, str(message.id))


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
