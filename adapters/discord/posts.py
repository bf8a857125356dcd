"""Messages of ours that are no turn's reply: shared answers, reports of jobs, notes to one person."""

from __future__ import annotations

import secrets
import zlib
from dataclasses import dataclass, replace

from adapters.discord.looks import DiscordMessage, answered, failed, noted
from adapters.discord.mail import ChannelMail
from adapters.discord.order import put_in_order
from adapters.discord.rooms import DIRECT, PLATFORM, Rooms
from adapters.discord.trouble import GONE, NO_CHANNEL, NO_MESSAGE, DiscordRefused, asked
from core.answers import Answer
from core.desk.speaking import question_language
from core.errors import RefdeskError
from core.messages import ReplyTarget
from core.presenting import Looks


@dataclass(frozen=True, slots=True)
class DiscordPosts:
    """The Posts of Discord."""

    rooms: Rooms

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Post it (or put it in place of the messages that the target has); the target with its messages."""
        if isinstance(content, Answer):
            looks = Looks(turn_id, question_language(content.text), direct=target.workspace == DIRECT)
            messages = answered(content, looks)
        else:
            messages = noted(content)
        posted = _Posted(ChannelMail(self.rooms.client, target.thread or target.channel))
        return replace(target, message_ids=tuple(await put_in_order(posted, messages, target.message_ids)))

    async def stands(self, target: ReplyTarget) -> bool:
        """A thread on it has its number."""
        first = target.message_ids[0]
        place = target.channel if first == target.thread else target.thread or target.channel
        try:
            async with asked():
                await self.rooms.client.get_partial_messageable(int(place)).fetch_message(int(first))
        except RefdeskError as error:
            return not (isinstance(error, DiscordRefused) and error.code in (NO_MESSAGE, NO_CHANNEL))
        return True

    async def note(self, channel: str, text: str, reply_to: str, about: str) -> None:
        """A word where somebody wrote, under their message; once, whichever processes say it `about` the same thing."""
        mail, sign = ChannelMail(self.rooms.client, channel, reply_to), zlib.crc32(about.encode()) & 0xFFFF
        for number, message in enumerate(noted(text)):
            await mail.post(message, f"{reply_to}{sign:04x}{number}")

    async def whisper(self, user: str, text: str, about: str) -> None:
        """A sentence in somebody's direct messages; once, whichever processes say it `about` the same thing."""
        place = await self.rooms.direct(ReplyTarget(PLATFORM, DIRECT, "", "", recipient=user))
        await ChannelMail(self.rooms.client, place.channel).post(failed(text), f"{about}-dm")


@dataclass(frozen=True, slots=True)
class _Posted:
    """Where they stand."""

    mail: ChannelMail

    async def replace(self, id: str, message: DiscordMessage) -> bool:
        """False when it is gone or too old."""
        try:
            await self.mail.edit(id, message)
        except DiscordRefused as error:
            if error.code not in GONE:
                raise
            return False
        return True

    async def post(self, message: DiscordMessage) -> str:
        """Under a nonce of its own."""
        return await self.mail.post(message, secrets.token_hex(10))

    async def delete(self, id: str) -> bool:
        """One that is gone already can't be."""
        try:
            await self.mail.delete(id)
        except DiscordRefused:
            return False
        return True

    async def bare(self) -> bool:
        """As far as is known."""
        return self.mail.bare
