"""What people do: they write, edit, delete, react, join, share links. Each act tells the app what Slack tells it."""

from __future__ import annotations

import re
import uuid
from datetime import datetime
from typing import Any

from tests.slack_server import events
from tests.slack_server.rules import SCOPES
from tests.slack_server.shapes import rich_text
from tests.slack_server.stage import Stage
from tests.slack_server.values import Channel, Kind, Message, User, Workspace
from tests.slack_server.world import Who, id_of

_LINK = re.compile(r"https?://([^\s<>|/]+)[^\s<>|]*")


class People(Stage):
    """The people's side of a SlackServer."""

    def add_workspace(self, name: str, scopes: frozenset[str] | None = SCOPES) -> Workspace:
        """Another workspace; None for the scopes: the app is not installed there."""
        made = self.world.add_workspace(name)
        if scopes is not None:
            self.world.install(made.id, self.app.id, scopes)
        return made

    def bot_of(self, workspace: Workspace | str | None = None) -> User:
        """Our app's own user in a workspace."""
        install = self.world.installed(id_of(workspace or self.workspace))
        assert install is not None, "the app is not installed there"
        return self.world.users[install.user]

    def token_of(self, workspace: Workspace | str) -> str:
        install = self.world.installed(id_of(workspace))
        assert install is not None, "the app is not installed there"
        return install.token

    def user(self, name: str, workspace: Workspace | str | None = None, **more: Any) -> User:
        """A person; `guest=1|2`, `admin=True`, `bot=True` (another app's bot)."""
        return self.world.add_user(id_of(workspace or self.workspace), name, **more)

    def channel(
        self, name: str, kind: Kind = "public", workspace: Workspace | str | None = None, *, joined: bool = True
    ) -> Channel:
        """A channel; our bot is in it unless `joined` is False."""
        where = id_of(workspace or self.workspace)
        return self.world.add_channel(where, name, kind, {self.bot_of(where).id} if joined else set())

    def dm(self, user: User) -> Channel:
        """The person's direct conversation with our bot."""
        return self.world.dm(user.workspace, self.bot_of(user.workspace).id, user.id)

    def share(self, channel: Channel, workspace: Workspace) -> None:
        """Make it a Slack Connect channel."""
        channel.shared_with.add(workspace.id)

    def say(
        self,
        channel: Channel | str,
        user: Who,
        text: str,
        *,
        thread_ts: str | Message | None = None,
        at: datetime | None = None,
        **more: Any,
    ) -> Message:
        """Somebody writes. `more`: `files`, `attachments`, `subtype`, … as Slack's message JSON has them."""
        where, by = self.world.channels[id_of(channel)], self.world.users[id_of(user)]
        where.members.add(by.id)
        root = thread_ts.root if isinstance(thread_ts, Message) else thread_ts
        message = Message(where.id, self.world.stamp(at), by.id, text, root, team=by.workspace, written=self.now)
        message.subtype = more.pop("subtype", "file_share" if more.get("files") else "")
        message.attachments = more.pop("attachments", [])
        if by.is_bot:
            message.bot_id, message.app_id = by.bot_id, by.app_id or f"A{by.bot_id}"
        else:
            message.client_msg_id, message.blocks = str(uuid.uuid4()), rich_text(text)
        message.more = more
        where.messages[message.ts] = message
        self.tell_new(message)
        self._share_links(message)
        self.changed()
        return message

    def edit(self, message: Message, text: str) -> Message:
        """The author changes the words."""
        before = self.shape(message)
        message.text, message.blocks = text, rich_text(text)
        message.edited = (message.user, self.world.stamp())
        self.tell_changed(message, before)
        return message

    def delete(self, message: Message) -> None:
        """The author takes it back; a root with replies leaves a tombstone."""
        channel, before = self.world.channels[message.channel], self.shape(message)
        if len(channel.thread(message.ts)) > 1:
            message.subtype, message.text, message.user = "tombstone", "This message was deleted.", "USLACKBOT"
            message.blocks, message.attachments, message.client_msg_id = [], [], ""
            message.more = {"hidden": True}
            self.tell_changed(message, before)
        else:
            del channel.messages[message.ts]
            self.emit(events.deleted_event(before, channel, self.world.stamp()), channel)
        self.changed()

    def unfurl(self, message: Message, title: str = "A page") -> None:
        """Slack shows a preview below a message: a change that nobody made."""
        before = self.shape(message)
        message.attachments = [{"id": 1, "title": title, "fallback": title, "from_url": "https://example.com/"}]
        self.tell_changed(message, before)

    def react(self, message: Message, name: str, user: Who) -> None:
        """Somebody reacts with an emoji."""
        by = id_of(user)
        message.reactions.setdefault(name, []).append(by)
        item = {"type": "message", "channel": message.channel, "ts": message.ts}
        event = {"type": "reaction_added", "user": by, "reaction": name, "item": item, "item_user": message.user}
        self.emit({**event, "event_ts": self.world.stamp()}, self.world.channels[message.channel])

    def join(self, channel: Channel, user: User) -> None:
        """Somebody joins: a message of its own subtype, and an event."""
        channel.members.add(user.id)
        self.say(channel, user, f"{user} has joined the channel", subtype="channel_join")
        self._moved("member_joined_channel", channel, user)

    def leave(self, channel: Channel, user: User) -> None:
        """Somebody leaves."""
        channel.members.discard(user.id)
        self._moved("member_left_channel", channel, user)

    def uninstall(self, workspace: Workspace | str) -> None:
        """An admin throws the app out."""
        install = self.world.installed(id_of(workspace))
        assert install is not None
        revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [install.user]}}
        self.emit(revoked, None, install.workspace)
        self.emit({"type": "app_uninstalled"}, None, install.workspace)
        install.revoked = True

    def _moved(self, what: str, channel: Channel, user: User) -> None:
        event = {"type": what, "user": user.id, "channel": channel.id, "team": user.workspace}
        self.emit({**event, "channel_type": "C", "event_ts": self.world.stamp()}, channel)

    def _share_links(self, message: Message) -> None:
        """Reports links of the app's domains, and shows previews of any."""
        found = list(_LINK.finditer(message.text))
        channel = self.world.channels[message.channel]
        ours = [{"domain": each[1], "url": each[0]} for each in found if each[1] in self.app.domains]
        if ours:
            self.emit(events.link_event(message, channel, ours), channel)
        if found and self.rules.unfurls and message.unfurls and not message.attachments:
            self.unfurl(message, found[0][1])
