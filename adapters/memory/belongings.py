"""What a process's memory holds of one person, by the rules of the SQL record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adapters.memory.turns import MemoryRecord
from core.messages import Author, Forgotten, SessionKey, Turn

UNENDED = ("waiting", "running")


class MemoryBelongings:
    """By platform, workspace and the person's id there."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def recent(self, platform: str, workspace: str, user: str, limit: int, channel: str = "") -> Sequence[Turn]:
        """Their latest turns, newest first, those under way among them."""
        own = [turn for turn in self._theirs(platform, workspace, user) if _is_shown(turn)]
        return [turn for turn in reversed(own) if channel in ("", turn.key.channel)][:limit]

    async def forget(self, platform: str, workspace: str, user: str) -> Forgotten:
        """Everything of theirs."""
        own = self._theirs(platform, workspace, user)
        for key in {turn.key for turn in own}:
            await self.forget_in(key, user)
        return _forgotten(own)

    async def forget_in(self, key: SessionKey, user: str) -> Forgotten:
        """The session, or their words in it where others spoke too."""
        everybody = self._record.of(key)
        own = [turn for turn in everybody if turn.author.id == user]
        for turn in own:
            if len(own) == len(everybody):
                del self._record.turns[turn.id]
            else:
                bare = replace(turn, author=Author(""), question="", answer=None, status="withdrawn", error_id=None)
                self._record.turns[turn.id] = replace(bare, revision=turn.revision + 1, owner=None, lease_until=None)
            if turn.status not in UNENDED:
                self._record.staying.add(turn.id)
        return _forgotten(own)

    def _theirs(self, platform: str, workspace: str, user: str) -> list[Turn]:
        wanted = (platform, workspace, user)
        turns = self._record.turns.values()
        return [turn for turn in turns if (turn.key.platform, turn.key.workspace, turn.author.id) == wanted]


def _is_shown(turn: Turn) -> bool:
    return turn.status in ("answered", "failed") or (turn.status in UNENDED and not turn.quiet)


def _forgotten(own: list[Turn]) -> Forgotten:
    return Forgotten(len(own), tuple(turn for turn in own if turn.status in UNENDED))
