"""Which warnings somebody was told, in a process's memory."""

from __future__ import annotations

from collections.abc import Sequence


class MemoryWarningsTold:
    """By person."""

    def __init__(self) -> None:
        self._known: dict[str, set[str]] = {}

    async def claim(self, person: str, standing: Sequence[str]) -> frozenset[str]:
        """What is new to them."""
        before = self._known.get(person, set())
        self._known[person] = set(standing)
        return frozenset(standing) - before

    async def release(self, person: str, signs: Sequence[str]) -> None:
        """They are new again."""
        self._known.get(person, set()).difference_update(signs)
