"""What people think of answers, and what they know better, in a process's memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from adapters.memory.turns import MemoryRecord
from core.feedback import Correction, Feedback, Tally


class MemoryFeedback:
    """One for each person and turn."""

    def __init__(self, record: MemoryRecord) -> None:
        self._record = record
        self._given: dict[tuple[str, str], Feedback] = {}

    async def put(self, feedback: Feedback) -> None:
        """Keep it, in place of what the same person said before; nothing where the turn is gone."""
        if feedback.turn in self._record.turns:
            self._given[feedback.turn, feedback.by] = feedback

    async def of(self, turn_id: str) -> Sequence[Feedback]:
        """What was said of a turn, oldest first."""
        own = [each for each in self._kept() if each.turn == turn_id]
        return sorted(own, key=lambda each: (each.at, each.by))

    async def tally(self, moment: datetime) -> Tally:
        """How the answers were received since then."""
        thumbs = [each.thumb for each in self._kept() if each.at >= moment]
        return Tally(thumbs.count("up"), thumbs.count("down"))

    def _kept(self) -> list[Feedback]:
        return [each for each in self._given.values() if each.turn in self._record.turns]


class MemoryCorrections:
    """By id."""

    def __init__(self) -> None:
        self._kept: dict[str, Correction] = {}

    async def put(self, correction: Correction) -> None:
        """Keep it, in place of one with the same id."""
        self._kept[correction.id] = correction

    async def all(self) -> Sequence[Correction]:
        """Every one, oldest first."""
        return sorted(self._kept.values(), key=lambda each: (each.at, each.id))

    async def remove(self, id: str) -> bool:
        """Take one back; False when there is none."""
        return self._kept.pop(id, None) is not None
