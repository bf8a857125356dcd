"""A sync on the screen: a bar while it runs, one line when it is done, a line for each document that can't be read.

Where nothing can be redrawn, a line now and then says how far it is: a log must show that something goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from adapters.console.screen import Screen
from core.indexing.report import SyncReport, told_report
from core.jobs import Job
from core.messages import Language
from core.wording import say

FIRST, EVERY = 5.0, 15.0
"""Seconds until the first line where there is no bar, and between two lines."""


class SyncScreen:
    """Shows one sync of one collection; the bar only where a terminal can redraw it."""

    def __init__(
        self, screen: Screen, language: Language, collection: str, passing: Callable[[], float] = time.monotonic
    ) -> None:
        self._screen = screen
        self._language = language
        self._collection = collection
        self._bar: Any = None
        self._task: Any = None
        self._passing = passing
        self._due = 0.0

    def __enter__(self) -> Self:
        self._due = self._passing() + FIRST
        if self._screen.err.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(file=self._screen.err), transient=True)
            self._task = self._bar.add_task(self._collection, total=None)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def follow(self, job: Job) -> None:
        """How far the job is, whichever process runs it."""
        if self._bar is not None:
            what = f"sync.phase.{job.phase}" if job.phase else f"job.status.{job.status}"
            text = f"{self._collection}: {say(what, self._language)}"
            self._bar.update(self._task, description=text, completed=job.done, total=job.total or None)
        elif self._passing() >= self._due and not job.ended:
            self._due = self._passing() + EVERY
            self._write(say("sync.going", self._language, collection=self._collection, what=self._far(job)))

    def _far(self, job: Job) -> str:
        if not job.phase or job.status != "running":
            return say(f"job.status.{job.status}", self._language)
        phase = say(f"sync.phase.{job.phase}", self._language)
        return say("job.progress", self._language, phase=phase, done=job.done, total=job.total)

    def tell(self, report: SyncReport, *, only_news: bool) -> None:
        """What came of it; with `only_news` nothing where nothing changed, and of many problems the first."""
        for line in told_report(report, self._language, only_news=only_news):
            self._write(line)

    def _write(self, text: str) -> None:
        self._screen.remark(text + "\n")
