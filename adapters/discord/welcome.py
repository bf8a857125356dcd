"""A word to whoever put us on a server: what this is, how to ask, what comes next. Once, and in no channel."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import discord

from adapters.discord import outgoing
from adapters.discord.looks import noted
from adapters.discord.mail import ChannelMail
from adapters.discord.trouble import asked
from core.errors import RefdeskError
from core.messages import Language
from core.wording import say

log = logging.getLogger(__name__)

PAUSES = (2.0, 5.0)
"""Seconds between looks into the audit log: its entry may come after us."""

NEW = timedelta(minutes=10)
"""Since when at most we are on a server that we are told of as new: one that was out of order comes again."""

LOOKED_AT = 50
"""Of our latest messages to somebody, those among which an earlier welcome is looked for."""


@dataclass(frozen=True, slots=True)
class DiscordWelcome:
    """Says it by direct message."""

    client: discord.Client

    async def joined(self, guild: discord.Guild) -> None:
        """We were put on a server. Nobody has to take our word: a refused message is none."""
        since = guild.me.joined_at
        if since is not None and datetime.now(UTC) - since > NEW:
            return
        try:
            await self._welcomed(guild, await _inviter(guild) or guild.owner_id)
        except RefdeskError as error:
            log.info("nobody was welcomed on %s: %s", guild.id, error)

    async def _welcomed(self, guild: discord.Guild, person: int | None) -> None:
        if person is None or self.client.user is None:
            return
        async with asked():
            opened = await self.client.http.start_private_message(person)
        channel = str(opened["id"])
        named = {"guild": outgoing.words(guild.name), "us": f"@{outgoing.words(self.client.user.display_name)}"}
        words = say("discord.welcome", _language(guild), id=guild.id, **named)
        messages = noted(words)
        if await self._said(channel, messages[0].content):
            return
        mail = ChannelMail(self.client, channel)
        for number, message in enumerate(messages):
            await mail.post(message, f"w{guild.id}{number}")

    async def _said(self, channel: str, content: str) -> bool:
        """Whether they had it: somebody who takes us off and on again, another process."""
        async with asked():
            kept = self.client.get_partial_messageable(int(channel)).history(limit=LOOKED_AT)
            return any([message.content == content async for message in kept])


async def _inviter(guild: discord.Guild) -> int | None:
    """Who it was, where we may see that."""
    for pause in (*PAUSES, None):
        try:
            async with asked():
                async for entry in guild.audit_logs(action=discord.AuditLogAction.bot_add, limit=20):
                    if entry.target is not None and entry.target.id == guild.me.id:
                        return entry.user_id
        except RefdeskError as error:
            log.info("who put us on %s is not known: %s", guild.id, error)
            return None
        if pause is not None:
            await asyncio.sleep(pause)
    return None


def _language(guild: discord.Guild) -> Language:
    return "ko" if guild.preferred_locale is discord.Locale.korean else "en"
