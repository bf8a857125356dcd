"""Messages of ours that are no turn's reply: shared answers, reports of jobs, notes to one person."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adapters.discord.looks import DiscordMessage, answered, boxless, noted
from adapters.discord.mail import ChannelMail
from adapters.discord.rooms import DIRECT, Rooms
from adapters.discord.trouble import GONE, DiscordRefused
from core.answers import Answer
from core.desk.speaking import question_language
from core.messages import ReplyTarget
from core.presenting import Looks


@dataclass(frozen=True, slots=True)
class DiscordPosts:
    """The Posts of Discord."""

    rooms: Rooms

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Post it (or put it in place of the message that the target has); the target with its messages."""
        if isinstance(content, Answer):
            looks = Looks(turn_id, question_language(content.text), direct=target.workspace == DIRECT)
            messages = answered(content, looks)
        else:
            messages = noted(content)
        mail = ChannelMail(self.rooms.client, target.thread or target.channel)
        posted = await _put(mail, target, messages)
        return await _put(mail, posted, boxless(messages)) if mail.bare else posted

    async def note(self, channel: str, text: str, reply_to: str = "") -> None:
        """A word where somebody wrote, under their message."""
        mail = ChannelMail(self.rooms.client, channel, reply_to)
        for message in noted(text):
            await mail.post(message, secrets.token_hex(10))


async def _put(mail: ChannelMail, target: ReplyTarget, messages: Sequence[DiscordMessage]) -> ReplyTarget:
    """Post or replace them, up to one that loses its sources there."""
    there = list(target.message_ids)
    for number, message in enumerate(messages):
        if number >= len(there) or not await _replaced(mail, there[number], message):
            gone = there[number] if number < len(there) else ""
            kept = replace(target, message_ids=tuple(id for id in target.message_ids if id != gone))
            target = kept.with_message(await mail.post(message, secrets.token_hex(10)))
        if message.sources and mail.bare:
            break
    return target


async def _replaced(mail: ChannelMail, id: str, message: DiscordMessage) -> bool:
    """Put it in the place of one of ours; False when that is gone."""
    try:
        await mail.edit(id, message)
    except DiscordRefused as error:
        if error.code not in GONE:
            raise
        return False
    return True
