"""A composed Refdesk: the desk, what it knows, and the terminal in front of it. Names no adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from core.activity import PERIOD, Activity, activity
from core.desk.job_lines import silent_for
from core.desk.running import LEASE
from core.documents import Card, Problem, Readable, Scope
from core.errors import RefdeskError
from core.indexing.report import SyncReport
from core.jobs import Asked
from core.messages import Language
from core.ports import Catalog, Clock, Digests, RouterRecord, TurnLog
from core.wording import say

if TYPE_CHECKING:
    from adapters.console.terminal import Terminal
    from bots.upkeep import Errand, Upkeep
    from core.desk.desk import Desk
    from core.indexing.changes import Changes
    from core.indexing.forgetting import Forgetting
    from core.indexing.parts import SyncTarget
    from core.indexing.sync import Syncer


@dataclass(frozen=True, slots=True)
class Unsynced:
    """A collection that could not be synced, and why. `indexed`: what was published before serves on."""

    collection: str
    error: RefdeskError
    indexed: bool

    def told(self, language: Language) -> str:
        """As a line for people."""
        key = "sync.not_refreshed" if self.indexed else "sync.not_indexed"
        return say(key, language, collection=self.collection, reason=self.error.user_message(language))


@dataclass(frozen=True, slots=True)
class App:
    """What the commands work with."""

    desk: Desk
    terminal: Terminal
    catalog: Catalog
    digests: Digests
    syncer: Syncer
    targets: Mapping[str, SyncTarget]
    log: TurnLog
    passing: Clock
    upkeep: Upkeep
    router: RouterRecord
    forgetting: Forgetting
    quotes: bool = True
    changes: Changes | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The configured collections."""
        return tuple(self.targets)

    @property
    def readable(self) -> Readable:
        """All collections: whoever sits at this machine's terminal can read its files."""
        return Readable(frozenset(self.targets))

    async def prepare(self, *, refresh: bool) -> Sequence[Unsynced]:
        """Sync what was never synced or was lost; with `refresh` everything, so that changed documents are seen.

        A collection that fails keeps no other back and is told. Raises the first failure when nothing is published.
        """
        ready = () if refresh else (await self.scope()).generations
        whole = {each.collection for each in ready if await self.syncer.is_whole(each)}
        outcomes = await self._synced([name for name in self.names if name not in whole], only_news=True)
        failed = {name: found for name, found in outcomes.items() if isinstance(found, RefdeskError)}
        if not failed:
            return ()
        indexed = {each.collection for each in (await self.scope()).generations}
        if not indexed:
            raise next(iter(failed.values()))
        unsynced = [Unsynced(name, error, name in indexed) for name, error in failed.items()]
        for each in unsynced:
            self.terminal.remark(each.told(self.terminal.language))
        return unsynced

    async def sync(self, names: Sequence[str]) -> list[SyncReport]:
        """Sync the named collections one after the other, and tell what came of it. At the end raises what failed."""
        outcomes = await self._synced(names, only_news=False)
        for each in outcomes.values():
            if isinstance(each, RefdeskError):
                raise each
        return [each for each in outcomes.values() if isinstance(each, SyncReport)]

    async def index(self, names: Sequence[str]) -> list[RefdeskError]:
        """Sync the named collections; one that fails is told and keeps no other back. What failed."""
        outcomes = await self._synced(names, only_news=False, tell=True)
        return [each for each in outcomes.values() if isinstance(each, RefdeskError)]

    async def _synced(
        self, names: Sequence[str], *, only_news: bool, tell: bool = False
    ) -> dict[str, SyncReport | RefdeskError]:
        """What came of each collection; with `tell` a failure is told as soon as it is known."""
        outcomes: dict[str, SyncReport | RefdeskError] = {}
        if not names:
            return outcomes
        await self._tell_changes(names)
        async with self.upkeep.errand(names, self.readable) as errand:
            for asked in errand.asked:
                name = asked.job.collection
                try:
                    outcomes[name] = await self._end_of(errand, asked, only_news=only_news)
                except RefdeskError as error:
                    outcomes[name] = error
                    if tell:
                        self.terminal.remark(error.user_message(self.terminal.language))
        return outcomes

    async def _end_of(self, errand: Errand, asked: Asked, *, only_news: bool) -> SyncReport:
        """Wait for the job, and tell what came of it. Raises what it failed with."""
        for line in self.upkeep.lines.asked(asked, await self._silent(asked) if asked.behind else None):
            self.terminal.remark(line)
        with self.terminal.syncing(asked.job.collection) as shown:
            job = await errand.end_of(asked, shown.follow)
        if job.report is None:
            raise job.why_no_report
        shown.tell(job.report, only_news=only_news)
        return job.report

    async def _silent(self, asked: Asked) -> timedelta | None:
        """How long until the sync that is before this one is taken over, if its process seems to have died."""
        only = Readable(frozenset({asked.job.collection}))
        return silent_for(await self.upkeep.jobs.latest(only), self.passing.now(), LEASE)

    async def _tell_changes(self, names: Sequence[str]) -> None:
        """That these collections are rebuilt for another embedder, before it begins: it may take long."""
        if self.changes is not None and names:
            scope, language = (await self.scope()).narrowed(names), self.terminal.language
            for line in await self.changes.of_embedding(scope, language, rebuilding=True):
                self.terminal.remark(line)

    async def cards(self) -> Sequence[Card]:
        """The Cards of the configured collections."""
        return await self.catalog.cards(self.readable)

    async def scope(self) -> Scope:
        """What is published now."""
        return await self.catalog.pin(self.readable)

    async def activity(self) -> Activity:
        """What came of the questions of the last days."""
        return activity(await self.log.since(self.passing.now() - PERIOD))

    async def problems(self, name: str) -> Sequence[Problem]:
        """What is to be said of a collection's documents: which could not be read, and remarks."""
        return await self.digests.problems(name)
