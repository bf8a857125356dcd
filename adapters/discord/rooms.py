"""Where replies stand: threads opened on questions, opened again when they were closed, and direct messages."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, replace
from typing import Any, Literal

import discord

from adapters.discord import limits, outgoing
from adapters.discord.mail import ChannelMail, InteractionMail, Mail
from adapters.discord.trouble import HAS_THREAD, NO_CHANNEL, NO_MESSAGE, DiscordRefused, asked
from core.desk.speaking import question_language
from core.errors import RefdeskError
from core.messages import Language, ReplyTarget, Turn
from core.wording import say

log = logging.getLogger(__name__)

PLATFORM, DIRECT = "discord", "dm"
CLOSES_AFTER: Literal[1440] = 1440
"""Minutes of silence after which Discord archives a thread of ours."""
RENAMING = 5.0
"""Seconds that a thread may take to get another name."""


@dataclass(frozen=True, slots=True)
class Rooms:
    """Finds the place of a reply. A target's `thread` is the message of its channel that a thread is to stand on."""

    client: discord.Client

    def mail(self, target: ReplyTarget, turn: Turn) -> Mail:
        """The way there."""
        if target.interaction:
            return InteractionMail(self.client, target.interaction, thinking=not target.message_ids)
        under = turn.identity if is_root(turn) and not target.thread and turn.identity.isdecimal() else ""
        return ChannelMail(self.client, target.thread or target.channel, under)

    async def opened(self, turn: Turn, target: ReplyTarget) -> ReplyTarget:
        """The place, ready to be written in; where no thread can be opened, the channel itself."""
        if not target.thread or target.interaction:
            return target
        if is_root(turn) and not self._may_write_in_threads(target.channel):
            return replace(target, thread="")
        try:
            await self.thread(target, turn.question)
        except DiscordRefused as error:
            if error.code in (NO_CHANNEL, NO_MESSAGE):
                raise
            log.warning("no thread in %s (%s): the answer stands in the channel", target.channel, error.code)
            return replace(target, thread="")
        return target

    def _may_write_in_threads(self, channel: str) -> bool:
        """As far as discord.py knows: a thread that stays empty is not opened first."""
        found = self.client.get_channel(int(channel))
        if not isinstance(found, discord.abc.GuildChannel):
            return True
        me: Any = found.guild.me  # discord.py says that there is one; it may not be told yet
        return me is None or found.permissions_for(me).send_messages_in_threads

    async def away(self, thread: str) -> bool:
        """Whether a thread of ours in which nothing stands is gone; others stay. Deleting it needs Manage Threads."""
        try:
            async with asked():
                found = await self._ours(thread)
                if found is None or found.get("message_count"):
                    return False
                await self.client.http.delete_channel(int(thread))
        except RefdeskError as error:
            log.info("the thread %s stays: %s", thread, error)
            return False
        return True

    async def wordless(self, thread: str, language: Language) -> None:
        """Say no more of the question: a thread of ours goes when nothing else stands in it, else it loses its name."""
        if not await self.away(thread):
            await self.named(thread, say("discord.thread", language))

    async def named(self, thread: str, name: str) -> None:
        """Give a thread of ours another name. Discord allows that twice in ten minutes; nobody waits for it."""
        try:
            async with asked(), asyncio.timeout(RENAMING):
                found = await self._ours(thread)
                if found is None or found.get("name") == name:
                    return
                changed: dict[str, Any] = {"name": name}
                if found.get("thread_metadata", {}).get("archived"):
                    changed["archived"] = False
                await self.client.http.edit_channel(int(thread), **changed)
        except RefdeskError as error:
            log.info("the thread %s keeps its name: %s", thread, error)

    async def _ours(self, thread: str) -> dict[str, Any] | None:
        """What Discord knows of a thread, if it is one that we have opened."""
        found: Any = await self.client.http.get_channel(int(thread))
        us = self.client.user
        return found if us is not None and str(found.get("owner_id")) == str(us.id) else None

    async def thread(self, target: ReplyTarget, question: str) -> None:
        """Open the thread on its message, unless it is there. Raises DiscordRefused."""
        called = titled(question)
        channel, message = int(target.channel), int(target.thread)
        try:
            async with asked():
                await self.client.http.start_thread_with_message(
                    channel, message, name=called, auto_archive_duration=CLOSES_AFTER
                )
        except DiscordRefused as error:
            if error.code != HAS_THREAD:
                raise

    async def reopened(self, target: ReplyTarget) -> bool:
        """Whether a thread that was closed is open again; one that moderators locked is opened only by who may."""
        place = int(target.thread or target.channel)
        try:
            async with asked():
                await self.client.http.edit_channel(place, archived=False)
        except RefdeskError as error:
            log.info("%s stays closed: %s", place, error)
            return False
        return True

    async def direct(self, target: ReplyTarget) -> ReplyTarget:
        """The direct messages of who asked. Raises DiscordRefused."""
        async with asked():
            opened = await self.client.http.start_private_message(int(target.recipient))
        channel = str(opened["id"])
        return replace(target, channel=channel, thread="", message_ids=(), interaction=None, interaction_expires=None)


def titled(question: str) -> str:
    """A thread's name: its question."""
    return outgoing.name(question, limits.NAME) or say("discord.thread", question_language(question))


def is_root(turn: Turn) -> bool:
    """Whether it began its session: a thread stands on its message."""
    return turn.key.thread == turn.identity
