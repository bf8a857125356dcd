"""What admins set from chat, in a process's memory, by the rules of the SQL record. Knows no database."""

from __future__ import annotations

from collections.abc import Sequence

from core.channels import Setting, Told, told


class MemorySettings:
    """Reading what holds, adding to it, and who said what."""

    def __init__(self) -> None:
        self._said: list[Setting] = []

    async def version(self) -> int:
        """How much was said."""
        return len(self._said)

    async def said(self) -> Told:
        """Everything that holds now."""
        return told(len(self._said), self._said)

    async def put(self, setting: Setting) -> None:
        """Add one."""
        self._said.append(setting)

    async def changes(self, channel: str, limit: int) -> Sequence[Setting]:
        """The latest, newest first."""
        return [each for each in reversed(self._said) if channel in ("", each.channel)][:limit]
