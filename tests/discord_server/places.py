"""A channel or a thread: what is written in it, and what moderators do to it."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from simcord.backend import Backend, serializers
from simcord.backend.models import Channel, Message, Overwrite, SystemMessageMetadata
from simcord.enums import MessageType, OverwriteType


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or thread by its id."""

    backend: Backend
    id: int

    @property
    def model(self) -> Channel:
        """What simcord keeps of it."""
        return self.backend.get_channel(self.id)

    @property
    def name(self) -> str:
        """Its name."""
        return self.model.name or ""

    @property
    def mention(self) -> str:
        """How a message names it."""
        return f"<#{self.id}>"

    @property
    def messages(self) -> list[Message]:
        """What is written in it, oldest first."""
        return sorted(self.backend.messages[self.id].values(), key=lambda message: message.id)

    @property
    def texts(self) -> list[str]:
        """The words of what people and bots have written in it."""
        return [message.content for message in self.messages if message.system_metadata is None]

    @property
    def threads(self) -> list[Place]:
        """Its threads, oldest first."""
        found = sorted(c.id for c in self.backend.channels.values() if c.is_thread and c.parent_id == self.id)
        return [Place(self.backend, id_) for id_ in found]

    @property
    def link(self) -> str:
        """Its address, as the client copies it."""
        return f"https://discord.com/channels/{self.model.guild_id or '@me'}/{self.id}"

    def archive(self, *, locked: bool = False) -> None:
        """Close the thread; a locked one is opened by moderators alone."""
        metadata = {"archived": True, "locked": locked, "archive_timestamp": self.backend.now_iso()}
        self.backend.edit_channel(self.id, {}, thread_metadata=metadata)

    def reopen(self) -> None:
        """Open the thread again."""
        metadata = {"archived": False, "locked": False, "archive_timestamp": self.backend.now_iso()}
        self.backend.edit_channel(self.id, {}, thread_metadata=metadata)

    def rename(self, name: str) -> None:
        """Give it another name."""
        self.backend.edit_channel(self.id, {"name": name})

    def deny(self, target: int, *permissions: str) -> None:
        """Take permissions in this channel from a person, a role or (by the guild's id) everyone."""
        guild = self.model.guild_id
        members = self.backend.get_guild(guild).members if guild is not None else {}
        kind = OverwriteType.MEMBER if target in members else OverwriteType.ROLE
        value = discord.Permissions(**dict.fromkeys(permissions, True)).value
        self.backend.set_overwrite(self.id, Overwrite(target, kind, deny=value))

    def delete(self) -> None:
        """Remove it with all that is written in it."""
        for thread in self.threads:
            thread.delete()
        self.backend.delete_channel(self.id)

    def payload(self) -> dict[str, object]:
        """As simcord writes it."""
        return dict(serializers.channel_payload(self.backend, self.model))


def begun_on(backend: Backend, thread: int, starter: Message) -> None:
    """The note at the beginning of a thread on a message: it points at the message, which stays where it is."""
    pointing = SystemMessageMetadata(referenced_channel_id=starter.channel_id, referenced_message_id=starter.id)
    kind = MessageType.THREAD_STARTER_MESSAGE
    note = backend.prepare_message(thread, starter.author_id, "-", message_type=kind, system_metadata=pointing)
    note.content = ""
    backend.commit_message(note, broadcast=False)
