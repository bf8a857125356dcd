"""The messages of one turn: posted, replaced, taken away, and found again when nobody knows whether they were posted.

A message carries a nonce made of its turn and its number, so a lost answer or a new process does not post it twice; for
later, the ids of its buttons say whose it is.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

import discord

from adapters.discord.insisting import PAUSES, insisted
from adapters.discord.looks import SIGN, DiscordMessage
from adapters.discord.mail import ChannelMail, Mail
from adapters.discord.order import put_in_order
from adapters.discord.rooms import Rooms, is_root
from adapters.discord.trouble import (
    ARCHIVED,
    EXPIRED,
    GONE,
    LOCKED,
    NO_CHANNEL,
    NO_MESSAGE,
    NO_PERMISSION,
    DiscordRefused,
)
from core.errors import TurnTaken
from core.messages import ReplyTarget, Turn

T = TypeVar("T")

log = logging.getLogger(__name__)

Record = Callable[[Turn, ReplyTarget], Awaitable[bool]]
"""Told of each new message of ours before the next call; False: the turn is somebody else's now."""

_MARK = re.compile(rf"{SIGN}:(?P<deed>\w+):(?P<turn>\w+):\d+")


def marked(message: discord.Message) -> str:
    """The turn whose message it is, where its buttons tell; empty otherwise."""
    return next((found["turn"] for found in _marks(message)), "")


def is_growing(message: discord.Message) -> bool:
    """Whether it says that an answer is being made, which can be stopped."""
    return any(found["deed"] == "stop" for found in _marks(message))


def _marks(message: discord.Message) -> Iterator[re.Match[str]]:
    for row in message.components:
        for each in getattr(row, "children", ()):
            if found := _MARK.fullmatch(getattr(each, "custom_id", None) or ""):
                yield found


@dataclass
class OwnMessages:
    """The messages of a turn where its reply goes; `target` has their ids, in order."""

    rooms: Rooms
    turn: Turn
    record: Record
    target: ReplyTarget
    pauses: tuple[float, ...] = PAUSES
    _mail: Mail | None = None
    _recorded: ReplyTarget = field(init=False)
    _gone: int = 0
    _in_doubt: bool = False
    """Whether one may be there that we know nothing of."""

    def __post_init__(self) -> None:
        self._recorded = self.target

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

    @property
    def thread(self) -> str:
        """The thread that was opened for it, as far as is known; empty where something else stands there."""
        opened = bool(self.ids) or self._mail is not None
        return self.target.thread if opened and is_root(self.turn) and not self.target.interaction else ""

    async def bare(self) -> bool:
        """Whether embeds are dropped there."""
        return (await self.mail()).bare

    async def typing(self) -> None:
        """Show under them that more is being written."""
        if self._mail is not None:
            await self._mail.typing()

    async def post(self, message: DiscordMessage) -> str:
        """Post it, once; its id. Raises DiscordRefused, DiscordUnsure, TurnTaken."""
        return await self._insisted(lambda mail: self._posted(mail, message))

    async def replace(self, id: str, message: DiscordMessage) -> bool:
        """Replace one; False when it is gone or can't be changed any more. Raises DiscordRefused otherwise."""

        async def edited(mail: Mail) -> bool:
            if id not in self.ids:  # the way to them is another now
                return False
            await mail.edit(id, message)
            return True

        try:
            return await self._insisted(edited)
        except DiscordRefused as error:
            if error.code not in GONE:
                raise
            if error.code == NO_MESSAGE:
                self._drop(id)
            return False

    async def replace_all(self, messages: Sequence[DiscordMessage]) -> None:
        """These and nothing else are there: the first take the place of what is there already.

        Raises TurnTaken: then nothing is there that whoever is at the turn now does not find.
        """
        there = self.ids
        try:
            stand = await put_in_order(self, messages, there)
            await self._moved(replace(self.target, message_ids=tuple(id for id in stand if id in self.ids)))
        except TurnTaken:
            for id in self.ids[1:]:  # the first is theirs as well: it has the same nonce
                if id not in there:
                    await self.delete(id)
            raise

    async def delete(self, id: str) -> bool:
        """Take one away; False when Discord won't. Raises DiscordUnsure."""

        async def deleted(mail: Mail) -> None:
            if id in self.ids:
                await mail.delete(id)

        try:
            await self._insisted(deleted)
        except DiscordRefused as error:
            if error.code not in (NO_MESSAGE, NO_CHANNEL):
                return False
        self._drop(id)
        return True

    async def certain(self) -> None:
        """Know of every message of ours, as far as Discord tells."""
        if self._in_doubt:
            await self.look()

    async def look(self) -> None:
        """Take up what is there that we don't know of, where we may read. Raises DiscordUnsure, TurnTaken."""
        try:
            await self.recover()
        except DiscordRefused as error:
            log.info("whether a message of %s is there can't be read: %s", self.turn.run, error)

    async def recover(self) -> None:
        """Take up what a process that was killed has left: the turn's messages, and nobody's that follow on them."""
        last = self.ids[-1] if self.ids else self.turn.identity
        if not last.isdecimal() or self.target.interaction:
            return
        place, us = self.target.thread or self.target.channel, self.rooms.client.user
        follows = bool(self.ids)
        for message in await ChannelMail(self.rooms.client, place).after(last):
            if message.is_system():  # that we have named the thread anew
                continue
            by_us = us is not None and message.author.id == us.id
            follows = by_us and (marked(message) == self.turn.id or (follows and not marked(message)))
            if follows:
                await self._keep(str(message.id))
        self._in_doubt = False

    async def _insisted(self, call: Callable[[Mail], Awaitable[T]]) -> T:
        async def once() -> T:
            return await call(await self.mail())

        return await insisted(once, self._remedied, self.pauses)

    async def _posted(self, mail: Mail, message: DiscordMessage) -> str:
        before, self._in_doubt = self._in_doubt, True  # until Discord has told
        try:
            id = await mail.post(message, f"{self.turn.id[:20]}{len(self.ids) + self._gone:x}")
        except DiscordRefused as error:
            self._in_doubt = before
            if error.code != NO_MESSAGE:
                raise
            self._gone += 1  # what was posted under this nonce has been taken away
            return await self._posted(mail, message)
        self._in_doubt = False
        await self._keep(id)
        return id

    async def _keep(self, id: str) -> None:
        """Known from now on, in every process."""
        if id not in self.ids:
            await self._moved(self.target.with_message(id))

    async def _moved(self, target: ReplyTarget) -> None:
        """Raises TurnTaken."""
        self.target = target
        if target != self._recorded:
            self._recorded = target
            if not await self.record(self.turn, target):
                raise TurnTaken(detail=self.turn.run)

    def _drop(self, id: str) -> None:
        log.info("a message of %s is gone", self.turn.run)
        left = tuple(each for each in self.ids if each != id)
        self._gone += len(self.ids) - len(left)
        self.target = replace(self.target, message_ids=left)

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
        if error.code == NO_PERMISSION and self.target.thread and is_root(self.turn) and not self.ids:
            await self._beside()
            return True
        return False

    async def _beside(self) -> None:
        """In the channel, where nothing may be written in the thread on the question."""
        thread = self.target.thread
        await self._moved(replace(self.target, thread=""))
        self._mail = self.rooms.mail(self.target, self.turn)
        await self.rooms.away(thread)
