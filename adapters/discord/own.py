"""The messages of one turn: posted, replaced, taken away, and found again when nobody knows whether they were posted.

A message carries a nonce made of its turn and its number, so a lost answer or a new process does not post it twice; for
later, the ids of its buttons say whose it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import discord

from adapters.discord.looks import SIGN, DiscordMessage, boxless
from adapters.discord.mail import ChannelMail, Mail
from adapters.discord.rooms import Rooms
from adapters.discord.trouble import ARCHIVED, EXPIRED, GONE, LOCKED, DiscordRefused, DiscordUnsure
from core.messages import ReplyTarget, Turn

log = logging.getLogger(__name__)

Record = Callable[[Turn, ReplyTarget], Awaitable[bool]]
"""Told of each new message of ours before the next call."""

_MARK = re.compile(rf"{SIGN}:\w+:(?P<turn>\w+):\d+")
_PAUSES = (0.5, 2.0, 5.0)


def marked(message: discord.Message) -> str:
    """The turn whose message it is, where its buttons tell; empty otherwise."""
    for row in message.components:
        for each in getattr(row, "children", ()):
            found = _MARK.fullmatch(getattr(each, "custom_id", None) or "")
            if found:
                return found["turn"]
    return ""


@dataclass
class OwnMessages:
    """The messages of a turn where its reply goes; `target` has their ids, in order."""

    rooms: Rooms
    turn: Turn
    record: Record
    target: ReplyTarget
    _mail: Mail | None = None
    _gone: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        """Theirs."""
        return self.target.message_ids

    async def mail(self) -> Mail:
        """The way to their readers; a thread is opened, and what a person alone sees goes to them directly in time."""
        if self._expired():
            await self._directly()
        if self._mail is None:
            place = self.target if self.ids else await self.rooms.opened(self.turn, self.target)
            await self._moved(place)
            self._mail = self.rooms.mail(place, self.turn)
        return self._mail

    async def post(self, message: DiscordMessage) -> None:
        """Post it, once. Raises DiscordRefused, DiscordUnsure."""
        nonce = f"{self.turn.id[:20]}{len(self.ids) + self._gone:x}"
        for pause in (*_PAUSES, None):
            try:
                await self._keep(await (await self.mail()).post(message, nonce))
                return
            except DiscordUnsure:
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            except DiscordRefused as error:
                if pause is None or not await self._remedied(error):
                    raise

    async def replace(self, id: str, message: DiscordMessage) -> bool:
        """Replace one; False when it is gone or can't be changed any more. Raises DiscordRefused otherwise."""
        for pause in (*_PAUSES, None):
            try:
                await (await self.mail()).edit(id, message)
                return True
            except DiscordUnsure:
                if pause is None:
                    raise
                await asyncio.sleep(pause)
            except DiscordRefused as error:
                if error.code in GONE:
                    self._drop(id)
                    return False
                if pause is None or not await self._remedied(error):
                    raise
            if id not in self.ids:  # the way to them is another now
                return False
        return False

    async def replace_all(self, messages: Sequence[DiscordMessage]) -> None:
        """These and nothing else are there: the first take the place of what is there already.

        Where embeds are dropped their sources are text, in as many messages as that needs.
        """
        if not await self._put(messages):
            messages = boxless(messages)
            await self._put(messages)
        for id in self.ids[len(messages) :]:
            await self.delete(id)

    async def _put(self, messages: Sequence[DiscordMessage]) -> bool:
        """Show them; False as soon as one has lost its sources."""
        there = list(self.ids)
        for number, message in enumerate(messages):
            if number >= len(there) or not await self.replace(there[number], message):
                await self.post(message)
            if message.sources and (await self.mail()).bare:
                return False
        return True

    async def delete(self, id: str) -> bool:
        """Take one away; False when Discord won't."""
        try:
            await (await self.mail()).delete(id)
        except DiscordRefused as error:
            return error.code in GONE
        return True

    async def recover(self) -> None:
        """Take up what a process that was killed has left: the turn's messages, and nobody's that follow on them."""
        last = self.ids[-1] if self.ids else self.turn.identity
        if not last.isdecimal() or self.target.interaction:
            return
        place, us = self.target.thread or self.target.channel, self.rooms.client.user
        follows = bool(self.ids)
        for message in await ChannelMail(self.rooms.client, place).after(last):
            by_us = us is not None and message.author.id == us.id
            follows = by_us and (marked(message) == self.turn.id or (follows and not marked(message)))
            if follows:
                await self._keep(str(message.id))

    async def _keep(self, id: str) -> None:
        """Known from now on, in every process."""
        if id not in self.ids:
            await self._moved(self.target.with_message(id))

    async def _moved(self, target: ReplyTarget) -> None:
        if target != self.target:
            self.target = target
            await self.record(self.turn, target)

    def _drop(self, id: str) -> None:
        log.info("a message of %s is gone", self.turn.run)
        self.target = replace(self.target, message_ids=tuple(each for each in self.ids if each != id))
        self._gone += 1

    def _expired(self) -> bool:
        place, now = self.target, datetime.now(UTC)
        return bool(place.interaction and place.interaction_expires and place.interaction_expires <= now)

    async def _directly(self) -> None:
        """As a direct message, when the interaction has run out."""
        self._gone += len(self.ids)
        await self._moved(await self.rooms.direct(self.target))
        self._mail = None

    async def _remedied(self, error: DiscordRefused) -> bool:
        """Whether it is worth another try."""
        if error.code in EXPIRED and self.target.interaction:
            await self._directly()
            return True
        if error.code in (ARCHIVED, LOCKED):
            return await self.rooms.reopened(self.target)
        return False
