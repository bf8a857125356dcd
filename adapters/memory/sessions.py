"""Conversations in a process's memory, by the rules of the SQL record. Knows no database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from adapters.memory.turns import MemoryRecord
from core.etiquette import LOOKED_AT, Attendance, attendance_of
from core.history import exchange
from core.messages import Exchange, SessionKey, Turn


class MemorySessions:
    """Conversations as wholes."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def history(self, key: SessionKey, before: Turn, limit: int) -> Sequence[Exchange]:
        """The latest answered exchanges before this turn, oldest first."""
        turns = self._record.of(key)
        places = [place for place, turn in enumerate(turns) if turn.id == before.id]
        past = [exchange(turn) for turn in turns[: places[0] if places else None]]
        answered = [known for known in past if known is not None]
        return answered[max(0, len(answered) - limit) :]

    async def forget(self, key: SessionKey) -> int:
        """Delete the session with all its turns."""
        gone = self._record.of(key)
        for turn in gone:
            del self._record.turns[turn.id]
        return len(gone)


class MemoryAttendances:
    """Who asked us in a thread, and whether we are wanted there."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def attendance(self, key: SessionKey) -> Attendance:
        """What the record knows of the thread."""
        asked = [turn.author for turn in self._record.of(key) if not turn.quiet]
        return attendance_of(asked[::-1][:LOOKED_AT], quiet=key in self._record.quiet)

    async def programs(self, key: SessionKey, since: datetime) -> int:
        """The latest questions in the session's channel since then that programs asked, without a person's between."""
        there = (key.platform, key.workspace, key.channel)
        asked = [
            turn.author
            for turn in self._record.turns.values()
            if (turn.key.platform, turn.key.workspace, turn.key.channel) == there
            and turn.created_at >= since
            and not turn.quiet
        ]
        return attendance_of(asked[::-1][:LOOKED_AT], quiet=False).bots

    async def hush(self, key: SessionKey, quiet: bool) -> None:
        """Answer here only when named, or again as the channel's rules say."""
        (self._record.quiet.add if quiet else self._record.quiet.discard)(key)
