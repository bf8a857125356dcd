"""People write, edit, delete and open threads. What they do is done at once; the bot hears of it by the gateway."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from simcord.backend import Backend
from simcord.backend.models import Message
from simcord.enums import ChannelType

from tests.discord_server import invoking
from tests.discord_server.clock import WallClock
from tests.discord_server.invoking import Invocation
from tests.discord_server.places import Place, begun_on


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a guild, or (without one) somebody in direct messages."""

    backend: Backend
    id: int
    guild: int | None

    @property
    def mention(self) -> str:
        """How a message calls them."""
        return f"<@{self.id}>"

    @property
    def dm(self) -> Place:
        """Their direct messages with our bot."""
        return Place(self.backend, self.backend.get_dm_channel(self.id).id)

    def says(
        self, place: Place, text: str, *, reply_to: Message | None = None, files: Iterable[tuple[str, bytes]] = ()
    ) -> Message:
        """Write a message; in a closed thread, that opens it again."""
        self._tick()
        meta = place.model.thread_metadata
        if meta is not None and meta.archived:
            place.reopen()
        reference = None
        if reply_to is not None:
            reference = {"channel_id": str(place.id), "message_id": str(reply_to.id)}
        kept = self.backend.store_attachments(place.id, list(files))
        return self.backend.create_message(place.id, self.id, text, reference=reference, attachments=kept)

    def writes_to_bot(self, text: str) -> Message:
        """A direct message to our bot."""
        return self.says(self.dm, text)

    def edits(self, message: Message, text: str) -> None:
        """Change one's own message."""
        self._tick()
        self.backend.edit_message(message.channel_id, message.id, {"content": text})

    def deletes(self, message: Message) -> None:
        """Take one's message away."""
        self.backend.delete_message(message.channel_id, message.id)

    def opens(self, message: Message, name: str) -> Place:
        """A thread on a message: the starter stays where it is, the thread begins with a note that points at it."""
        self._tick()
        thread = self.backend.create_thread(message.channel_id, name, self.id, message_id=message.id)
        begun_on(self.backend, thread.id, message)
        return Place(self.backend, thread.id)

    def opens_alone(self, place: Place, name: str, *, private: bool = False) -> Place:
        """A thread without a message to begin with."""
        self._tick()
        kind = ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD
        return Place(self.backend, self.backend.create_thread(place.id, name, self.id, type=kind).id)

    def posts(self, forum: Place, title: str, text: str, tags: Iterable[str] = ()) -> Place:
        """A post in a forum: a thread whose first message has the thread's own id."""
        self._tick()
        wanted = set(tags)
        chosen = [int(tag["id"]) for tag in forum.model.available_tags if tag["name"] in wanted]
        thread = self.backend.create_thread(forum.id, title, self.id, applied_tags=chosen, broadcast=False)
        message = self.backend.prepare_message(thread.id, self.id, text)
        message.id = thread.id
        self.backend.commit_message(message, broadcast=False)
        forum.model.last_message_id = thread.id
        self.backend.announce_thread_create(thread)
        self.backend.announce_message_create(message)
        return Place(self.backend, thread.id)

    def slash(self, place: Place, command: str, /, **options: Any) -> Invocation:
        """Call a slash command; `command` may name a subcommand: "docs ask"."""
        return invoking.slash(self, place, command, options)

    def completes(self, place: Place, command: str, option: str, typed: str, **filled: Any) -> Invocation:
        """Type into an option that completes itself; the answer is in `choices`."""
        return invoking.completes(self, place, command, {**filled, option: typed}, option)

    def chooses(self, message: Message, command: str) -> Invocation:
        """Call a command of a message's menu."""
        return invoking.chooses(self, message, command)

    def clicks(self, message: Message, custom_id: str) -> Invocation:
        """Press a button."""
        return invoking.clicks(self, message, custom_id)

    def submits(self, shown: Invocation, **values: str) -> Invocation:
        """Send off the form that an invocation has shown; values by the custom ids of its fields."""
        return invoking.submits(self, shown, values)

    def _tick(self) -> None:
        if isinstance(self.backend.clock, WallClock):
            self.backend.clock.tick()
