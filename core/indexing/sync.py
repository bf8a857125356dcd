"""One sync of one collection: list, compare, take in, make Cards, publish, clean up.

Nothing is visible before `publish`, which is one transaction; what was stored before an interruption
is found again by the next sync. Memory does not grow with the collection: documents go through in
batches. Knows only ports.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.documents import Card, DocumentRecord, Generation, Listing, Problem, Readable, Scope
from core.indexing.alone import Right, alone
from core.indexing.intake import Intake
from core.indexing.parts import Examined, SyncPorts, SyncSettings, SyncTarget
from core.indexing.plan import Recipe, plan
from core.indexing.report import Progress, SyncReport, silent
from core.indexing.text import one_line
from core.ports import Publication

log = logging.getLogger(__name__)

CARDS = "*"
"""What the right to make Cards and publish them is called: no collection can have this name."""

CARDS_WAIT = timedelta(minutes=10)


class Syncer:
    """Syncs collections, each by one process at a time."""

    def __init__(self, ports: SyncPorts, settings: SyncSettings | None = None) -> None:
        self._ports = ports
        self._settings = settings or SyncSettings()

    async def sync(self, target: SyncTarget, progress: Progress = silent) -> SyncReport:
        """Bring the collection up to date. Raises Busy when another sync of it runs, SourceError, StoreError."""
        settings, run = self._settings, _Run(self._ports, self._settings, target, progress)
        return await alone(Right(self._ports.publisher, target.collection, settings.lease, settings.wait), run.run)

    async def is_whole(self, generation: Generation) -> bool:
        """Whether the index holds every published document: its file may have been moved away or lost."""
        stored = frozenset(await self._ports.passages.versions(generation.collection))
        return stored.issuperset(generation.documents.items())


@dataclass(frozen=True, slots=True)
class _Before:
    """What was published when the sync began."""

    generation: Generation | None
    records: Mapping[str, DocumentRecord]
    problems: tuple[Problem, ...]
    stored: frozenset[tuple[str, str]]

    def of_another(self, embedding: str) -> Generation | None:
        """The generation, if another embedder made it."""
        return None if self.generation is None or self.generation.embedding == embedding else self.generation

    def held(self) -> dict[str, DocumentRecord]:
        """The published documents that the index still has; the others must be read again."""
        return {id_: record for id_, record in self.records.items() if (id_, record.hash) in self.stored}

    def remarks(self) -> dict[str, list[Problem]]:
        """What was said of each document that is in."""
        found: dict[str, list[Problem]] = {}
        for problem in self.problems:
            if problem.is_remark:
                found.setdefault(problem.document, []).append(problem)
        return found


@dataclass(frozen=True, slots=True)
class _Now:
    """What is published when the sync ends, and what came of testing the router by it: None when that failed."""

    generation: Generation
    prompt_changed: bool = False
    examined: Examined | None = field(default_factory=lambda: Examined(None))


@dataclass(frozen=True, slots=True)
class _Run:
    """One sync under way."""

    ports: SyncPorts
    settings: SyncSettings
    target: SyncTarget
    progress: Progress

    async def run(self) -> SyncReport:
        started = time.monotonic()
        self.progress("list", 0, 1)
        listing = await self.target.source.list()
        before = await self._before()
        other = before.of_another(self.ports.embedder.name)
        if other is not None:
            log.info("%s answers by %s until it is rebuilt", other.collection, other.embedding)
        recipe = Recipe(f"{self.settings.recipe}|{self.ports.embedder.name}|{self.target.link}")
        held = before.held()
        work = plan(listing, held, before.problems, recipe)
        intake = Intake(
            self.ports,
            self.settings,
            self.target,
            recipe,
            self.progress,
            held,
            {},
            before.remarks(),
            [*listing.problems, *work.refused],
        )
        for record in work.unchanged.values():
            intake.keep(record)
        await intake.take(work.candidates)
        if other is not None:
            await intake.carry(other)
        now = await self._publish(before, intake)
        await self._clean(before.generation, now.generation)
        return self._report(before, intake, listing, now, time.monotonic() - started)

    async def _before(self) -> _Before:
        name, catalog = self.target.collection, self.ports.catalog
        scope = await catalog.pin(Readable(frozenset({name})))
        problems = tuple(await self.ports.digests.problems(name))
        stored = frozenset(await self.ports.passages.versions(name))
        return _Before(next(iter(scope.generations), None), await catalog.documents(name), problems, stored)

    async def _publish(self, before: _Before, intake: Intake) -> _Now:
        """A new generation, unless nothing at all has changed."""
        name, ports, current = self.target.collection, self.ports, before.generation
        problems = _sorted(intake.problems)
        same = intake.records == before.held() == before.records and _marked(problems) == _marked(before.problems)
        same = same and before.of_another(ports.embedder.name) is None
        if current is not None and same and await ports.cards.is_current(name):
            return _Now(current)
        records = tuple(intake.records[id_] for id_ in sorted(intake.records))
        generation = Generation(
            collection=name,
            number=current.number + 1 if current else 1,
            embedding=ports.embedder.name,
            documents={record.id: record.hash for record in records},
            card_version="",
            published_at=ports.clock.now(),
        )
        if ports.settle is not None:
            await ports.settle(name)  # whoever reads the new generation must find its passages
        # Cards contrast all collections: two syncs that made them side by side would undo each other's.
        right = Right(ports.publisher, CARDS, self.settings.lease, CARDS_WAIT)
        return await alone(right, lambda: self._make_visible(generation, records, problems, current))

    async def _make_visible(
        self,
        generation: Generation,
        records: Sequence[DocumentRecord],
        problems: Sequence[Problem],
        current: Generation | None,
    ) -> _Now:
        ports = self.ports
        self.progress("cards", 0, 1)
        passages = ports.passages.read(Scope((generation,)))
        digest, cards = await ports.cards.make(generation, records, passages)
        unchanged = current.card_version if current else ""
        own = next((card.version for card in cards if card.collection == generation.collection), unchanged)
        generation = replace(generation, card_version=own)
        examined = await self._examined(generation, cards)
        self.progress("publish", 0, 1)
        test = examined.test if examined else None
        publication = Publication(generation, tuple(records), digest, tuple(cards), tuple(problems), test)
        await ports.publisher.publish(publication)
        return _Now(generation, bool(cards), examined)

    async def _examined(self, generation: Generation, cards: Sequence[Card]) -> Examined | None:
        """What came of testing the router; None when that failed, which is no reason to keep documents back."""
        if self.ports.exam is None:
            return Examined(None)
        self.progress("test", 0, 1)
        try:
            return await self.ports.exam.examine(generation, cards)
        except Exception:
            log.exception("the router could not be tested after the sync of %s", generation.collection)
            return None

    async def _clean(self, before: Generation | None, now: Generation) -> None:
        """Forget what no reader can have pinned any more: all but the generations of the last `grace`."""
        ports, name, grace = self.ports, self.target.collection, self.settings.grace
        kept = set(now.documents.items())
        if before is not None and grace:
            if ports.clock.now() - before.published_at < grace:
                return  # someone may still read the one before it, whose documents nobody knows any more
            kept |= set(before.documents.items())
        stale = [version for version in await ports.passages.versions(name) if version not in kept]
        size = self.settings.passages_at_once
        for start in range(0, len(stale), size):
            self.progress("clean", start, len(stale))
            await ports.vectors.remove(name, stale[start : start + size])
            await ports.lexical.remove(name, stale[start : start + size])

    def _report(self, before: _Before, intake: Intake, listing: Listing, now: _Now, seconds: float) -> SyncReport:
        old = {id_: record.hash for id_, record in before.records.items()}
        new = {id_: record.hash for id_, record in intake.records.items()}
        return SyncReport(
            collection=self.target.collection,
            added=len(new.keys() - old.keys()),
            changed=sum(new[id_] != old[id_] for id_ in new.keys() & old.keys()),
            removed=len(old.keys() - new.keys()),
            unchanged=len(new.items() & old.items()),
            passages=sum(record.passages for record in intake.records.values()),
            embedded=intake.embedded,
            problems=_sorted(intake.problems),
            complete=listing.complete,
            generation=now.generation.number,
            published=now.generation is not before.generation,
            seconds=seconds,
            prompt_changed=now.prompt_changed,
            self_test=now.examined.test if now.examined else None,
            alarms=now.examined.alarms if now.examined else (),
            untested=now.examined is None,
        )


def _marked(problems: Sequence[Problem]) -> list[tuple[Problem, str]]:
    """The problems with what they don't say: a refusal of another version must be kept as that one's."""
    return [(problem, problem.fingerprint) for problem in problems]


def _sorted(problems: list[Problem]) -> tuple[Problem, ...]:
    """In a fixed order and as they come back from any store: what differs from sync to sync would publish anew."""
    # A document keeps its remarks, and its source may make them again at each visit: once is enough.
    found = {replace(problem, detail=one_line(problem.detail)) for problem in problems}
    return tuple(sorted(found, key=lambda problem: (problem.document, problem.reason, problem.detail)))
