"""What people said around a question: how its thread began, what was said there, what it replies to and passes on.

Bots' own words and ours are left out, but for one of ours that the question replies to from outside its thread.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import discord

from adapters.discord.hearing import is_spoken, words
from adapters.discord.spots import Spot, spot_of
from adapters.discord.trouble import asked
from core.errors import RefdeskError
from core.messages import ThreadMessage, Turn

log = logging.getLogger(__name__)

MOST = 1000
"""Messages of a thread that are read before a question, the latest."""

QUOTED = 4000


@dataclass(frozen=True, slots=True)
class DiscordReader:
    """The ThreadReader of Discord."""

    client: discord.Client

    async def around(self, turn: Turn, cursor: str | None) -> Sequence[ThreadMessage]:
        """People's messages in the thread after the cursor (an identity; None: from its root), up to the question."""
        if turn.key.private or not turn.identity.isdecimal() or turn.target.thread == turn.identity:
            return []
        thread = await self._channel(turn.target.channel)
        spot = spot_of(thread)
        if not isinstance(thread, discord.Thread) or spot is None:
            return []
        after = int(cursor) if cursor and cursor.isdecimal() else 0
        found: list[discord.Message] = []
        async with asked():
            async for message in thread.history(before=discord.Object(int(turn.identity)), limit=MOST):
                if message.id <= after:  # the latest come first: the pages before it are not asked for
                    break
                found.append(message)
        earlier = [self._told(each) for each in reversed(found) if self._is_human(each)]
        return earlier if after else [*await self._beginning(spot), *earlier]

    async def beside(self, turn: Turn) -> Sequence[ThreadMessage]:
        """What the question replies to and passes on; and the files with it, which are not read."""
        if not turn.identity.isdecimal() or turn.key.thread.startswith("private/"):
            return []
        message = await self._message(turn.target.channel, turn.identity)
        if message is None:
            return []
        found = [each for each in (self._replied(message), *self._passed_on(message)) if each is not None]
        files = tuple(each.filename for each in message.attachments)
        return [*found, ThreadMessage("", "", turn.identity, unread=files)] if files else found

    async def _beginning(self, spot: Spot) -> list[ThreadMessage]:
        """The thread's name, with the message of the parent that it stands on; a post's own is in the thread."""
        starter = None if spot.is_forum else await self._message(spot.parent, spot.thread)
        if starter is not None and self._is_human(starter):
            said = self._told(starter)
            return [ThreadMessage(said.author, f"{spot.name}\n{said.text}", said.cursor)]
        return [ThreadMessage("", spot.name, spot.thread)] if spot.name else []

    async def _channel(self, id: str) -> object:
        known = self.client.get_channel(int(id))
        if known is not None:
            return known
        async with asked():
            return await self.client.fetch_channel(int(id))

    async def _message(self, channel: str, id: str) -> discord.Message | None:
        """As it was heard, with what was made of it since, or else as Discord has it: each call counts under load."""
        heard = next((each for each in reversed(self.client.cached_messages) if each.id == int(id)), None)
        if heard is not None:
            return heard
        try:
            async with asked():
                return await self.client.get_partial_messageable(int(channel)).fetch_message(int(id))
        except RefdeskError as error:
            log.info("message %s of %s can't be read: %s", id, channel, error)
            return None

    def _replied(self, message: discord.Message) -> ThreadMessage | None:
        answered = message.reference.resolved if message.reference else None
        return self._told(answered) if isinstance(answered, discord.Message) and answered.content else None

    def _passed_on(self, message: discord.Message) -> list[ThreadMessage]:
        return [
            ThreadMessage("", each.content[:QUOTED], str(message.id))
            for each in message.message_snapshots
            if each.content
        ]

    def _told(self, message: discord.Message) -> ThreadMessage:
        files = [f"({each.filename})" for each in message.attachments]
        text = "\n".join([words(message, self._us)[:QUOTED], *files]).strip()
        return ThreadMessage(message.author.display_name, text, str(message.id))

    def _is_human(self, message: discord.Message) -> bool:
        return is_spoken(message, self._us) and not message.author.bot and bool(message.content or message.attachments)

    @property
    def _us(self) -> int:
        return self.client.user.id if self.client.user else 0
