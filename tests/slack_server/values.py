"""What there is in the stand-in's Slack: workspaces, users, channels, messages. Plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["public", "private", "im", "mpim"]
CHANNEL_TYPE = {"public": "channel", "private": "group", "im": "im", "mpim": "mpim"}


@dataclass
class User:
    """A person, a guest or a bot. `guest` 1: of several channels, 2: of a single one."""

    id: str
    name: str
    workspace: str
    real_name: str = ""
    bot_id: str = ""
    app_id: str = ""
    guest: int = 0
    admin: bool = False
    deleted: bool = False

    @property
    def is_bot(self) -> bool:
        return bool(self.bot_id)

    def __str__(self) -> str:
        """As others mention them."""
        return f"<@{self.id}>"


@dataclass
class Stream:
    """A message that is being streamed. `mode` is decided by the first words; `began` is the loop's time."""

    began: float
    mode: Literal["", "markdown_text", "chunks"] = ""
    state: Literal["in_progress", "completed", "expired", "stopped"] = "in_progress"


@dataclass
class Message:
    """A message. `written` and `versions` carry the loop's time, for measuring; `more` is whatever else Slack sends."""

    channel: str
    ts: str
    user: str
    text: str = ""
    thread_ts: str | None = None
    subtype: str = ""
    team: str = ""
    bot_id: str = ""
    app_id: str = ""
    client_msg_id: str = ""
    blocks: list[dict[str, Any]] = field(default_factory=list)
    attachments: list[dict[str, Any]] = field(default_factory=list)
    metadata: dict[str, Any] | None = None
    edited: tuple[str, str] | None = None
    reactions: dict[str, list[str]] = field(default_factory=dict)
    stream: Stream | None = None
    unfurls: bool = True
    more: dict[str, Any] = field(default_factory=dict)
    written: float = 0.0
    versions: list[tuple[float, str]] = field(default_factory=list)

    @property
    def is_root(self) -> bool:
        """Whether it stands in the channel itself."""
        return self.thread_ts in (None, self.ts)

    @property
    def root(self) -> str:
        """The thread it is in, or the one that begins with it."""
        return self.thread_ts or self.ts

    @property
    def is_streaming(self) -> bool:
        return self.stream is not None and self.stream.state == "in_progress"

    @property
    def words(self) -> str:
        """Everything a reader sees of it: its blocks where it has any, else its text."""
        return "\n".join(_words(self.blocks)) if self.blocks else self.text


@dataclass
class Channel:
    """A conversation. `shared_with` names other workspaces (Slack Connect)."""

    id: str
    name: str
    workspace: str
    kind: Kind = "public"
    members: set[str] = field(default_factory=set)
    archived: bool = False
    shared_with: set[str] = field(default_factory=set)
    topic: str = ""
    purpose: str = ""
    messages: dict[str, Message] = field(default_factory=dict)

    @property
    def type(self) -> str:
        """As events name its kind."""
        return CHANNEL_TYPE[self.kind]

    def thread(self, ts: str) -> list[Message]:
        """Root and replies, oldest first."""
        found = [each for each in self.messages.values() if ts in (each.ts, each.thread_ts)]
        return sorted(found, key=lambda each: each.ts)

    def __str__(self) -> str:
        """As others refer to it."""
        return f"<#{self.id}|{self.name}>"


@dataclass
class Ephemeral:
    """What one person alone sees in a channel."""

    user: str
    channel: str
    message: Message


@dataclass
class View:
    """A modal or a Home tab as it stands."""

    id: str
    user: str
    workspace: str
    body: dict[str, Any]
    hash: str = "1.0"


@dataclass
class Install:
    """The app in one workspace."""

    workspace: str
    user: str
    bot_id: str
    token: str
    scopes: set[str]
    revoked: bool = False


@dataclass
class Workspace:
    id: str
    name: str
    domain: str
    groups: dict[str, list[str]] = field(default_factory=dict)


def _words(blocks: Any) -> list[str]:
    """The texts in a tree of blocks, in reading order."""
    if isinstance(blocks, list):
        return [word for each in blocks for word in _words(each)]
    if not isinstance(blocks, dict):
        return []
    own = [blocks["text"]] if isinstance(blocks.get("text"), str) else []
    keys = ("text", "fields", "elements", "rows", "title", "accessory", "positive_button", "negative_button")
    return own + [word for key in keys if not isinstance(blocks.get(key), str) for word in _words(blocks.get(key))]
