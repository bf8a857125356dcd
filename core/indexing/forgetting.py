"""A collection that is configured no more: which there are, and deleting one. Knows only ports.

The record goes last: as long as it names the collection, a deletion that was interrupted is seen and repeated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from core.errors import InputError
from core.indexing.alone import Right, alone
from core.indexing.sync import CARDS, CARDS_WAIT
from core.ports import Forgetter, LexicalIndex, PassageArchive, Publisher, VectorIndex

_AT_ONCE = 500
_LEASE = timedelta(seconds=20)
_WAIT = timedelta(seconds=30)


class Copies(Protocol):
    """What sources keep on disk between syncs."""

    async def names(self) -> frozenset[str]:
        """The collections of which there is something."""
        ...

    async def remove(self, collection: str) -> int:
        """Delete it; how many folders that were. Raises StoreError."""
        ...


@dataclass(frozen=True, slots=True)
class Holders:
    """Where something of a collection is held. `archive` knows every version, also when the vectors are gone."""

    vectors: VectorIndex
    lexical: LexicalIndex
    archive: PassageArchive
    copies: Copies
    record: Forgetter
    publisher: Publisher


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted: published documents, versions of documents in the index, folders of the source."""

    collection: str
    documents: int
    versions: int
    copies: int


class Forgetting:
    """The use case; `configured` are the names that refdesk.toml has now."""

    def __init__(self, holders: Holders, configured: frozenset[str]) -> None:
        self._holders = holders
        self._configured = configured

    async def strays(self) -> tuple[str, ...]:
        """The collections that are held and not configured, by name."""
        held = {*await self._holders.record.names(), *await self._holders.copies.names()}
        return tuple(sorted(held - self._configured))

    async def forget(self, name: str) -> Forgotten:
        """Delete everything that is held of it. Raises InputError for one that is configured, or not there; Busy."""
        if name in self._configured:
            raise InputError("error.forget_configured", name=name)
        holders = self._holders
        if name not in await self.strays() and not await holders.archive.versions(name):
            raise InputError("error.forget_unknown", name=name, known=", ".join(await self.strays()) or "–")
        return await self._alone(name, lambda: self._forget(name))

    async def _forget(self, name: str) -> Forgotten:
        holders = self._holders
        versions = list(await holders.archive.versions(name))
        for start in range(0, len(versions), _AT_ONCE):
            some = versions[start : start + _AT_ONCE]
            await holders.vectors.remove(name, some)
            await holders.lexical.remove(name, some)
        copies = await holders.copies.remove(name)
        # A sync of another collection may be making all Cards anew, this one's too, and would write it again.
        right = Right(holders.publisher, CARDS, _LEASE, CARDS_WAIT)
        documents = await alone(right, lambda: holders.record.forget(name))
        return Forgotten(name, documents, len(versions), copies)

    async def _alone(self, name: str, work: Callable[[], Awaitable[Forgotten]]) -> Forgotten:
        """While nobody syncs it: a process with another configuration might."""
        return await alone(Right(self._holders.publisher, name, _LEASE, _WAIT), work)
