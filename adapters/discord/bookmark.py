"""How far we have heard each server, so that who comes back hears what was missed, and nothing a second time.

What was heard need not have been stored: a wish for help or for quiet, a question that was forgotten since. Discord
numbers messages as they come, so one number for each server is enough. It is written down every few seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import discord

from adapters.discord.rooms import DIRECT, PLATFORM
from core.errors import RefdeskError
from core.ports import Bookmarks

log = logging.getLogger(__name__)

EVERY = 5.0
"""Seconds between two writings."""


@dataclass
class Bookmark:
    """One process's. It is `behind` from the beginning, and after each new connection, until what was missed is heard.

    Meanwhile nothing is written: a process that ends then leaves the mark where the next one has to begin.
    """

    store: Bookmarks
    every: float = EVERY
    behind: bool = True
    gap: int = 0
    _newest: dict[str, int] = field(default_factory=dict)
    _since: dict[str, int] = field(default_factory=dict)
    _first: dict[str, int] = field(default_factory=dict)
    _under_way: dict[str, set[int]] = field(default_factory=dict)
    _kept: dict[str, int] = field(default_factory=dict)
    _writer: asyncio.Task[None] | None = None

    def connected(self) -> None:
        """A connection begins anew: what was said before it and after what we heard is missing."""
        if not self.behind:
            self._since = dict(self._newest)
        self.behind, self.gap = True, self.gap + 1
        self._first.clear()

    @contextmanager
    def hearing(self, server: str, message: int) -> Iterator[None]:
        """Around the hearing of a message that just came in; one that is not heard to its end holds the mark back."""
        self._first.setdefault(server, message)
        under_way = self._under_way.setdefault(server, set())
        under_way.add(message)
        try:
            yield
        except Exception:
            under_way.discard(message)
            raise
        under_way.discard(message)
        self.heard(server, message)

    def heard(self, server: str, message: int) -> None:
        """It is done with."""
        self._newest[server] = max(message, self._newest.get(server, 0))
        self._soon()

    def is_missing(self, server: str, message: int) -> bool:
        """Whether it was said before anything that came in since we are connected."""
        return message < self._first.get(server, message + 1)

    async def since(self) -> Mapping[str, int]:
        """From where each server is to be read. Raises StoreError."""
        written = await self.store.read(PLATFORM)
        return {each: max(written.get(each, 0), self._since.get(each, 0)) for each in {*written, *self._since}}

    def caught_up(self, gap: int) -> None:
        """What was missing in this gap was heard."""
        self.behind = self.behind and gap != self.gap
        self._soon()

    async def close(self) -> None:
        """Write down where we are."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        await self._write()

    def _soon(self) -> None:
        if not self.behind and (self._writer is None or self._writer.done()):
            self._writer = asyncio.create_task(self._later(), name="bookmark on Discord")

    async def _later(self) -> None:
        await asyncio.sleep(self.every)
        await self._write()

    async def _write(self) -> None:
        if self.behind:
            return
        marks = {each: self._mark(each) for each in self._newest}
        moved = {each: mark for each, mark in marks.items() if mark > self._kept.get(each, 0)}
        try:
            await self.store.move(PLATFORM, moved)
        except RefdeskError as error:
            log.warning("how far we heard could not be written down: %s", error)
        else:
            self._kept |= moved

    def _mark(self, server: str) -> int:
        """Up to where all was heard."""
        return min([self._newest[server], *(each - 1 for each in self._under_way.get(server, ()))])


def server_of(message: discord.Message) -> str:
    """Where it was said; all direct messages are one place."""
    return str(message.guild.id) if message.guild else DIRECT
