"""The work of a job: one sync, and whether the router is told something else afterwards. Knows no job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from core.catalog.prompt import prompt_hash, router_prompt
from core.documents import Readable
from core.indexing.parts import SyncTarget
from core.indexing.report import Progress, SyncReport
from core.indexing.sync import Syncer
from core.ports import Catalog

Work = Callable[[str, Progress], Awaitable[SyncReport]]
"""Syncs the collection of that name; may be cancelled at any time."""


class Syncing:
    """The configured collections, each synced by its name."""

    def __init__(self, syncer: Syncer, targets: Mapping[str, SyncTarget], catalog: Catalog) -> None:
        self._syncer = syncer
        self._targets = targets
        self._catalog = catalog

    async def __call__(self, name: str, progress: Progress) -> SyncReport:
        """Raises RefdeskError, as `Syncer.sync`."""
        before = await self._prompt()
        report = await self._syncer.sync(self._targets[name], progress)
        if not report.published:
            return report
        return replace(report, prompt_changed=await self._prompt() != before)

    async def _prompt(self) -> str:
        return prompt_hash(router_prompt(await self._catalog.cards(Readable(frozenset(self._targets)))))
