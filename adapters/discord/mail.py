"""Sending, changing and taking away messages: in a channel, or to one person through their interaction.

Nothing sent here calls anybody, whatever it says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import discord
from discord import ui

from adapters.discord.looks import Button, DiscordMessage
from adapters.discord.trouble import NO_HISTORY, DiscordRefused, asked

SILENT = discord.AllowedMentions.none()
LOOKED_AT = 50
"""Messages after a question among which ours are looked for."""


class Mail(Protocol):
    """A way to show messages to their readers. Raises DiscordRefused, DiscordUnsure, Busy, AccessDenied."""

    @property
    def bare(self) -> bool:
        """Whether embeds are dropped there, as far as is known: what should be read has to be text (`boxless`)."""
        ...

    async def post(self, message: DiscordMessage, nonce: str) -> str:
        """Post it; its id. Under one nonce there is one message, for some minutes: in the end, this."""
        ...

    async def edit(self, id: str, message: DiscordMessage) -> None:
        """Put it in the place of one of ours."""
        ...

    async def delete(self, id: str) -> None:
        """Take one of ours away."""
        ...

    async def typing(self) -> None:
        """Show that something is being written, for some seconds."""
        ...

    async def after(self, id: str) -> list[discord.Message]:
        """What was written after a message, oldest first."""
        ...


@dataclass(slots=True)
class ChannelMail:
    """In a channel, a thread or a direct message. `reply_to` is the question that it stands under."""

    client: discord.Client
    channel: str
    reply_to: str = ""
    bare: bool = False

    async def post(self, message: DiscordMessage, nonce: str) -> str:
        """As a message of our own."""
        try:
            return await self._posted(message, nonce)
        except DiscordRefused as error:
            if error.code != NO_HISTORY or not self.reply_to:
                raise
        self.reply_to = ""
        return await self._posted(message, nonce)

    async def _posted(self, message: DiscordMessage, nonce: str) -> str:
        about = shown(message)
        if self.reply_to:
            about["reference"] = discord.MessageReference(
                message_id=int(self.reply_to), channel_id=int(self.channel), fail_if_not_exists=False
            )
        async with asked():
            sent = await self._place.send(nonce=nonce, **about)
            if sent.content != message.content.strip():  # an earlier one, whose call was not heard of again
                sent = await sent.edit(**changed(message))
        self._learn(message, sent)
        return str(sent.id)

    async def edit(self, id: str, message: DiscordMessage) -> None:
        """In place."""
        async with asked():
            sent = await self._place.get_partial_message(int(id)).edit(**changed(message))
        self._learn(message, sent)

    async def delete(self, id: str) -> None:
        """For everybody."""
        async with asked():
            await self._place.get_partial_message(int(id)).delete()

    async def typing(self) -> None:
        """Under the messages."""
        async with asked():
            await self.client.http.send_typing(int(self.channel))

    async def after(self, id: str) -> list[discord.Message]:
        """A page of them."""
        async with asked():
            found = self._place.history(after=discord.Object(int(id)), limit=LOOKED_AT, oldest_first=True)
            return [message async for message in found]

    def _learn(self, message: DiscordMessage, sent: discord.Message) -> None:
        """Where we may not embed Discord drops what was to be, without a word."""
        self.bare = self.bare or bool(message.sources and not sent.embeds)

    @property
    def _place(self) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(int(self.channel))


@dataclass(slots=True)
class InteractionMail:
    """To the one person whose command it was; good for a quarter of an hour.

    `thinking`: they see that we think, and nothing else yet. What takes the place of that may be posted twice.
    """

    client: discord.Client
    token: str
    thinking: bool = False

    @property
    def bare(self) -> bool:
        """Never: an answer to an interaction may have embeds everywhere."""
        return False

    async def post(self, message: DiscordMessage, nonce: str) -> str:
        """Seen by them alone."""
        try:
            async with asked():
                if self.thinking:
                    sent = await self._hook.edit_message("@original", **changed(message))
                else:
                    sent = await self._hook.send(ephemeral=True, wait=True, **shown(message))
        except DiscordRefused:
            self.thinking = False
            raise
        self.thinking = False
        return str(sent.id)

    async def edit(self, id: str, message: DiscordMessage) -> None:
        """In place."""
        async with asked():
            await self._hook.edit_message(int(id), **changed(message))

    async def delete(self, id: str) -> None:
        """For them."""
        async with asked():
            await self._hook.delete_message(int(id))

    async def is_thinking(self) -> bool:
        """Whether that we think is all there is."""
        async with asked():
            return bool((await self._hook.fetch_message("@original")).flags.loading)

    async def typing(self) -> None:
        """Nothing: Discord shows that we think."""

    async def after(self, id: str) -> list[discord.Message]:
        """Nothing can be read there."""
        return []

    @property
    def _hook(self) -> Any:
        # What discord.py makes for an interaction it still has; ours may be taken up by another process.
        about: Any = {"id": self.client.application_id, "type": 3, "token": self.token}
        return discord.Webhook.from_state(about, state=self.client._connection)  # noqa: SLF001


def shown(message: DiscordMessage) -> dict[str, Any]:
    """What a new message is made of."""
    about: dict[str, Any] = {"allowed_mentions": SILENT}
    if message.content:
        about["content"] = message.content
    if message.sources:
        about["embeds"] = [embed(message)]
    if message.buttons:
        about["view"] = view(message.buttons)
    return about


def changed(message: DiscordMessage) -> dict[str, Any]:
    """What a message is changed to: what it had and has no more is taken away."""
    return {
        "content": message.content or None,
        "embeds": [embed(message)] if message.sources else [],
        "view": view(message.buttons) if message.buttons else None,
        "allowed_mentions": SILENT,
    }


def embed(message: DiscordMessage) -> discord.Embed:
    """The sources of a message."""
    assert message.sources is not None
    made = discord.Embed(description=message.sources.text or None, colour=discord.Colour.blurple())
    return made.set_footer(text=message.sources.foot) if message.sources.foot else made


def view(buttons: Sequence[Button]) -> ui.View:
    """The buttons. What they do is known by their ids (`pressing.py`), so the view itself need not be remembered."""
    made = ui.View(timeout=None)
    for each in buttons:
        made.add_item(
            ui.Button(label=each.label or None, emoji=each.emoji or None, custom_id=each.custom_id, row=each.row)
        )
    made.stop()  # discord.py keeps views that go on listening, for ever
    return made
