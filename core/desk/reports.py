"""How jobs go, in the one message of each who asked: edited every few seconds, whole at the end. Knows no platform.

What is shown is read from the record, so any process can go on with it; what its readers may not read any more is
left out. The end of a job that another process ran, or that the platform did not take, is looked for in the record.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from core.catalog.changes import change
from core.catalog.telling import told_change
from core.desk.job_lines import progress
from core.documents import Readable
from core.errors import RefdeskError
from core.indexing.report import MOST_NEWS, summary, told_all, told_router
from core.jobs import Asker, Job
from core.messages import Language, ReplyTarget
from core.ports import Access, Catalog, JobNews, JobRecord, Posts, RouterRecord
from core.wording import say

log = logging.getLogger(__name__)

EVERY = 3.0
"""Seconds between two edits of a message."""

MOST_JOBS = 100
MOST_AT_ONCE = 20
"""Messages that are finished in one look; the others in the next."""

LONGEST = 8000
"""Characters of a report: it must stay one message."""

MOST_CHANGES = 12


@dataclass(frozen=True, slots=True)
class ReportStores:
    """What a report is made from."""

    record: JobRecord
    news: JobNews
    catalog: Catalog
    router: RouterRecord
    access: Access


class JobReports:
    """A JobListener. Use as a context manager: at its end what is left to tell is told.

    On `platforms` it also tells what nobody else did; there may be several of it, in as many processes.
    """

    def __init__(
        self, stores: ReportStores, posts: Posts, platforms: frozenset[str] = frozenset(), every: float = EVERY
    ) -> None:
        self._stores = stores
        self._posts = posts
        self._platforms = platforms
        self._every = every
        self._looking: asyncio.Task[None] | None = None
        self._news: dict[ReplyTarget, Asker] = {}
        self._tasks: dict[ReplyTarget, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        if self._platforms:
            self._looking = asyncio.create_task(self._look(), name="reports of other processes")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks = [*self._tasks.values(), *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        left = list(self._news.values())
        try:
            async with asyncio.timeout(self._every):
                await asyncio.gather(*map(self._show, left))
        except TimeoutError:
            log.warning("how %d reports ended could not be told in time", len(left))

    async def told(self, job: Job) -> None:
        """There is news; returns at once."""
        for asker in job.to_tell():
            self._to_show(asker)

    def _to_show(self, asker: Asker) -> None:
        """Soon, and never twice at once: an older text must not come last."""
        assert asker.target is not None
        self._news[asker.target] = asker
        if asker.target not in self._tasks:
            self._tasks[asker.target] = asyncio.create_task(self._kept_up(asker.target), name="report of jobs")

    async def _look(self) -> None:
        """Now and then, for the end of jobs that was not told."""
        while True:
            await asyncio.sleep(self._every)
            try:
                for asker in await self._stores.news.claim(self._platforms, MOST_AT_ONCE):
                    self._to_show(asker)
            except RefdeskError as error:
                log.warning("what is left to be told of jobs could not be looked up: %s", error)
            except Exception:
                log.exception("what is left to be told of jobs could not be looked up")

    async def _kept_up(self, target: ReplyTarget) -> None:
        """Show the news, and what comes within a few seconds after it together."""
        try:
            while (asker := self._news.pop(target, None)) is not None:
                await self._show(asker)
                await asyncio.sleep(self._every)
        finally:
            del self._tasks[target]

    async def _show(self, asker: Asker) -> None:
        assert asker.target is not None
        assert asker.audience is not None
        try:
            readable = await self._stores.access.readable(asker.audience)
            jobs = await self._jobs(asker.target, readable)
            text = await self._text(jobs, asker.language, readable)
            if not text:
                return
            await self._post(asker.target, text, whole=all(job.ended for job in jobs))
            await self._stores.news.told(asker.target, [job.id for job in jobs if job.ended])
        except RefdeskError as error:
            log.warning("how a sync goes could not be told to %s: %s", asker.by, error)
        except Exception:  # a bug in one message keeps no later one back, nor the process from ending
            log.exception("how a sync goes could not be told to %s", asker.by)

    async def _post(self, target: ReplyTarget, text: str, *, whole: bool) -> None:
        """In place of what is there; the end is worth another message where that is gone."""
        try:
            await self._posts.post(target, text)
        except RefdeskError:
            if not whole:
                raise
            await self._posts.post(replace(target, message_ids=()), text)

    async def _jobs(self, target: ReplyTarget, readable: Readable) -> list[Job]:
        """The jobs that this message is about, in the order in which they were asked for."""
        latest = await self._stores.record.latest(readable.collections, MOST_JOBS)
        return [job for job in reversed(latest) if any(each.target == target for each in job.askers)]

    async def _text(self, jobs: Sequence[Job], language: Language, readable: Readable) -> str:
        told = [await self._ended(job, language, readable) if job.ended else _open(job, language) for job in jobs]
        return _fitting([line for lines in told for line in lines])

    async def _ended(self, job: Job, language: Language, readable: Readable) -> list[str]:
        """What was added, changed, removed and could not be read, and how the router's prompt changed."""
        report = job.report
        if report is None:
            mark = say(f"job.status.{'failed' if job.failure else 'cancelled'}", language)
            return [f"- **{job.collection}**: {mark}. {job.why_no_report.user_message(language)}"]
        problems = told_all(report.problems, language)
        left_out = len(problems[MOST_NEWS:]) + report.unnamed
        more = [say("sync.more", language, count=left_out)] if left_out else []
        partly = [] if report.complete else [say("sync.incomplete", language, collection=report.collection)]
        router = [
            *(await self._changed(job, language) if report.prompt_changed else ()),
            *told_router(report, language, readable.collections),
        ]
        below = [*problems[:MOST_NEWS], *more, *partly, *router]
        return [f"- {summary(report, language)}", *(f"  - {line.strip()}" for line in below)]

    async def _changed(self, job: Job, language: Language) -> list[str]:
        """What is new on the collection's Card: the router's prompt is made of that."""
        only = Readable(frozenset({job.collection}))
        before = (await self._stores.router.before(only)).get(job.collection)
        cards = await self._stores.catalog.cards(only)
        lines = [_signed(line) for card in cards for line in told_change(change(before, card), language)]
        return lines if len(lines) <= MOST_CHANGES else [*lines[:MOST_CHANGES], "…"]


def _open(job: Job, language: Language) -> list[str]:
    status = say(f"job.status.{'stopping' if job.cancelling else job.status}", language)
    return [" – ".join([f"- **{job.collection}**: {status}", *progress(job, language)])]


def _signed(line: str) -> str:
    """A sign at the beginning of a line would make a list of it."""
    bare = line.strip()
    sign = {"+ ": "＋ ", "- ": "− "}.get(bare[:2])
    return sign + bare[2:] if sign else bare


def _fitting(lines: Sequence[str]) -> str:
    """As many lines as one message holds."""
    kept: list[str] = []
    for line in lines:
        if sum(map(len, kept)) + len(kept) + len(line) > LONGEST:
            return "\n".join([*kept, "- …"])
        kept.append(line)
    return "\n".join(kept)
