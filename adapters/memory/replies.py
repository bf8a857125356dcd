"""Replies in memory: what a platform would have been told, in order, for every turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from core.answers import Answer
from core.errors import RefdeskError
from core.messages import ReplyTarget, Turn


@dataclass
class MemoryReply:
    """One reply as its platform would have seen it."""

    statuses: list[str] = field(default_factory=list)
    texts: list[tuple[str, bool]] = field(default_factory=list)
    outcomes: list[Answer | RefdeskError | Literal["withdrawn"]] = field(default_factory=list)
    whispers: list[RefdeskError] = field(default_factory=list)

    async def queued(self, status: str) -> None:
        """Keep it as a status line."""
        self.statuses.append(status)

    async def progress(self, status: str) -> None:
        """Keep the status line."""
        self.statuses.append(status)

    async def show(self, text: str, final: bool) -> None:
        """Keep the whole text so far."""
        self.texts.append((text, final))

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """Keep the end; a reply that ends twice shows it here."""
        self.outcomes.append(outcome)

    async def whisper(self, error: RefdeskError) -> None:
        """Keep what the asker alone was told."""
        self.whispers.append(error)


class MemoryReplies:
    """Opens replies and keeps them by turn id; a turn that is begun again goes on in the same reply."""

    def __init__(self) -> None:
        self.by_turn: dict[str, MemoryReply] = {}
        self.let_go_of: list[str] = []

    async def open(self, turn: Turn) -> MemoryReply:
        """The reply of the turn."""
        return self.by_turn.setdefault(turn.id, MemoryReply())

    def let_go(self, turn: Turn) -> None:
        """Keep which run is over here."""
        self.let_go_of.append(turn.run)


class MemoryPosts:
    """Messages that are no turn's reply, in order."""

    def __init__(self) -> None:
        self.posted: list[tuple[ReplyTarget, Answer | str, str]] = []
        self.taken_away: set[str] = set()

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Keep it; a target without a message gets a new one."""
        if not target.message_ids:
            target = target.with_message(f"post-{len(self.posted) + 1}")
        self.posted.append((target, content, turn_id))
        return target

    async def stands(self, target: ReplyTarget) -> bool:
        """Unless it is among those that were taken away."""
        return target.message_ids[0] not in self.taken_away
