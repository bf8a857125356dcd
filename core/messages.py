"""The values of a conversation: who said what, where, and where the reply goes.

Frozen, serialisable, and free of any platform: an adapter makes them, the desk reads them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from core.answers import Answer

Language = Literal["ko", "en"]
"""The languages in which Refdesk itself speaks; documents may be in any."""

Visibility = Literal["thread", "private"]
TurnStatus = Literal["waiting", "running", "answered", "failed", "withdrawn", "kept_quiet"]
"""`kept_quiet`: nobody had asked us, and the answer was not certain enough to be posted."""


@dataclass(frozen=True, slots=True)
class SessionKey:
    """One conversation: platform, workspace, channel and the root of its thread.

    A direct message without a thread uses ``dm`` as its thread, a private ask
    ``private/<user>/<interaction>``. Never user and channel: that mixes threads.
    """

    platform: str
    workspace: str
    channel: str
    thread: str

    @property
    def private(self) -> bool:
        """Whether only one person can read this session."""
        return self.thread == "dm" or self.thread.startswith("private/")


@dataclass(frozen=True, slots=True)
class Author:
    """The person (or program) who wrote a message."""

    id: str
    name: str = ""
    roles: frozenset[str] = frozenset()
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class Audience:
    """The readers of a reply; `user` and `roles` are set only where the reply is private to them.

    `channel` is where access is given: the parent of a thread that whoever reads the parent can read, a private
    thread itself. `roles` are ids of the workspace, or ``platform/workspace/id``. `external` says that somebody
    from outside the workspace reads it (a channel shared with another organisation, a guest); an adapter that
    can't tell says so too. `provisional`: the event alone did not tell who reads it; that is looked up when it matters.
    """

    platform: str
    workspace: str
    channel: str
    user: str | None = None
    roles: frozenset[str] = frozenset()
    external: bool = False
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class ReplyTarget:
    """Where a reply goes; stored on the turn, so any process can finish it in the same message."""

    platform: str
    workspace: str
    channel: str
    thread: str
    recipient: str = ""
    visibility: Visibility = "thread"
    message_ids: tuple[str, ...] = ()
    interaction: str | None = None
    interaction_expires: datetime | None = None

    def with_message(self, message_id: str) -> ReplyTarget:
        """The same target with one more message of ours in it."""
        return replace(self, message_ids=(*self.message_ids, message_id))


@dataclass(frozen=True, slots=True)
class Message:
    """One incoming message, as every platform adapter delivers it.

    `identity` is unique on its platform (for example channel and timestamp) and is what makes
    a redelivery harmless. `in_thread`: not at the root of its channel. `replies_to_us`: it is a reply to one of
    our messages, where the platform knows such a thing. `is_post`: it opens a post of a forum, title and all.
    `opening`: what a person began the thread with, looked up for who names us in it and says no more.
    """

    identity: str
    key: SessionKey
    author: Author
    text: str
    audience: Audience
    reply_to: ReplyTarget
    received_at: datetime
    mentions_us: bool = False
    mentions_others: bool = False
    in_our_thread: bool = False
    in_thread: bool = False
    replies_to_us: bool = False
    is_post: bool = False
    opening: str = ""


@dataclass(frozen=True, slots=True)
class ThreadMessage:
    """What somebody else said in the thread: context for one run, never stored beyond it.

    `unread` names files that stood with it and that nobody has read.
    """

    author: str
    text: str
    cursor: str
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A finished turn as history sees it: what was asked, as understood, and what was answered.

    `collections` are all that its answer may rest on, whether cited or not, `planned_with` all that its
    standalone question may.
    """

    question: str
    standalone: str
    answer: str
    route: str = "collections"
    titles: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    asked_at: datetime | None = None
    planned_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """One accepted question and its answer inside a session.

    `revision` rises with each edit; `turn/revision` names the run of the graph. `owner` and
    `lease_until` say which process is at work and until when nobody else may take over; of a turn
    that waits, which process heard it and may take it first. A `quiet` turn was not addressed to us:
    only a certain answer is posted.
    """

    id: str
    identity: str
    key: SessionKey
    author: Author
    audience: Audience
    question: str
    target: ReplyTarget
    created_at: datetime
    status: TurnStatus = "waiting"
    revision: int = 1
    owner: str | None = None
    lease_until: datetime | None = None
    answer: Answer | None = None
    error_id: str | None = None
    attempts: int = 0
    quiet: bool = False

    @property
    def run(self) -> str:
        """The name of this run of the graph: ``turn/revision``."""
        return f"{self.id}/{self.revision}"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many turns were forgotten, and as they were before those that had no end yet: signs of them stand."""

    count: int
    unended: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Respond:
    """Etiquette's yes: this message is for us. `quiet` answers post only what is certain."""

    why: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Ignore:
    """Etiquette's no, with its reason for the log."""

    reason: str


@dataclass(frozen=True, slots=True)
class Hush:
    """We were told to be quiet in this thread."""


@dataclass(frozen=True, slots=True)
class Halt:
    """We were told to end the answer that is being made in this thread."""


@dataclass(frozen=True, slots=True)
class Halted:
    """So many answers end with what they have."""

    count: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """A message that was stored as a turn (or already was: `duplicate`).

    `waits`: an earlier question of its session has no end yet, in whichever process.
    """

    turn: Turn
    duplicate: bool = False
    waits: bool = False
