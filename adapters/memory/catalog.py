"""Published collections in a process's memory, by the rules of the SQL record. Knows no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.catalog.tested import KEPT, SelfTest
from core.documents import Card, Digest, DocumentRecord, Problem, Readable, Scope
from core.errors import Busy
from core.ports import Clock, Publication


@dataclass
class MemoryCollections:
    """What the stores of one process share: the latest publication of each collection, Cards, locks."""

    clock: Clock
    published: dict[str, Publication] = field(default_factory=dict)
    cards: dict[str, Card] = field(default_factory=dict)
    locks: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    before: dict[str, Card] = field(default_factory=dict)
    tests: list[tuple[str, SelfTest]] = field(default_factory=list)


class MemoryCatalog:
    """What is published, for those who may read it."""

    def __init__(self, stored: MemoryCollections) -> None:
        self._stored = stored

    async def pin(self, readable: Readable) -> Scope:
        """The current generation of each readable collection, by name."""
        names = sorted(readable.collections & self._stored.published.keys())
        generations = (self._stored.published[name].generation for name in names)
        cards = self._stored.cards
        return Scope(
            tuple(
                replace(g, card_version=cards[g.collection].version) if g.collection in cards else g
                for g in generations
            )
        )

    async def cards(self, readable: Readable) -> Sequence[Card]:
        """The Cards of the readable collections, by name."""
        return [card for name, card in sorted(self._stored.cards.items()) if name in readable.collections]

    async def documents(self, collection: str) -> Mapping[str, DocumentRecord]:
        """The documents of the current generation by id."""
        published = self._stored.published.get(collection)
        return {record.id: record for record in published.documents} if published else {}


class MemoryDigests:
    """The term statistics and the problems of the last sync."""

    def __init__(self, stored: MemoryCollections) -> None:
        self._stored = stored

    async def digests(self) -> Sequence[Digest]:
        """One for each published collection, by name."""
        return [publication.digest for _, publication in sorted(self._stored.published.items())]

    async def problems(self, collection: str) -> Sequence[Problem]:
        """The documents that the last sync could not read."""
        published = self._stored.published.get(collection)
        return published.problems if published else ()


class MemoryRouterRecord:
    """What the syncs did to the router."""

    def __init__(self, stored: MemoryCollections) -> None:
        self._stored = stored

    async def tests(self, limit: int) -> Sequence[SelfTest]:
        """The latest self-tests, newest first."""
        return [test for _, test in self._stored.tests[::-1][:limit]]

    async def before(self, readable: Readable) -> Mapping[str, Card]:
        """Each readable collection's Card before its own last sync, without vectors."""
        return {name: card for name, card in self._stored.before.items() if name in readable.collections}


class MemoryPublisher:
    """Publishing, and the right to sync."""

    def __init__(self, stored: MemoryCollections) -> None:
        self._stored = stored

    async def publish(self, publication: Publication) -> None:
        """All of it at once. Raises Busy when another sync was faster."""
        new = publication.generation
        before = self._stored.published.get(new.collection)
        if before is not None and before.generation.number >= new.number:
            raise Busy(detail=f"generation {new.number} of {new.collection} was published by another sync")
        if new.collection in self._stored.cards:
            self._stored.before[new.collection] = replace(self._stored.cards[new.collection], vectors=b"")
        if publication.self_test is not None:
            self._keep_test(new.collection, publication.self_test)
        self._stored.published[new.collection] = publication
        self._stored.cards.update({card.collection: card for card in publication.cards})

    def _keep_test(self, collection: str, test: SelfTest) -> None:
        tests = self._stored.tests
        tests.append((collection, test))
        own = [place for place, (name, _) in enumerate(tests) if name == collection]
        if len(own) > KEPT:
            del tests[own[0]]

    async def lock(self, collection: str, owner: str, lease: timedelta) -> bool:
        """Take or prolong the right to sync."""
        now = self._stored.clock.now()
        holder, until = self._stored.locks.get(collection, (owner, now))
        if holder != owner and until > now:
            return False
        self._stored.locks[collection] = (owner, now + lease)
        return True

    async def unlock(self, collection: str, owner: str) -> None:
        """Give the right back, if it is still ours."""
        if self._stored.locks.get(collection, ("", None))[0] == owner:
            del self._stored.locks[collection]
