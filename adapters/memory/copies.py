"""Answers that are shown in a second place, in a process's memory."""

from __future__ import annotations

from dataclasses import replace

from adapters.memory.turns import MemoryRecord
from core.messages import Turn


class MemoryTurnCopies:
    """Turns that were reserved for them."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record

    async def settle(self, turn: Turn) -> None:
        """It is there: from now on a turn of the session of its key, with its target and its answer."""
        if turn.id in self._record.turns:
            self._record.turns[turn.id] = replace(turn, owner=None, lease_until=None)

    async def drop(self, turn_id: str) -> None:
        """It is not there: as if nobody had asked for it."""
        self._record.turns.pop(turn_id, None)
