"""Syncs from chat: who may ask for which, one message that tells how they go, the latest jobs, stopping one."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from core.access_commands import Owned, Staff, may
from core.desk.job_lines import JobLines
from core.desk.jobs import Jobs
from core.desk.reindex import May, Reindexing, Wish
from core.desk.reports import JobReports
from core.desk.visitor import Visitor
from core.documents import Readable
from core.errors import AccessDenied, InputError, RefdeskError
from core.jobs import SCHEDULE, Asked, Asker, Job
from core.messages import Audience, ReplyTarget
from core.ports import Access, Clock, Directory, Posts
from core.wording import say


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere a message may stand, and who reads it there."""

    target: ReplyTarget
    audience: Audience


Direct = Callable[[], Awaitable[Place]]
"""The visitor's own place, where nobody else reads along."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What was asked for: where it is told how it goes, and what else there is to know."""

    told_at: ReplyTarget
    asked: tuple[Asked, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Gates:
    """Who may read and who may do what."""

    access: Access
    staff: Staff


@dataclass(frozen=True, slots=True)
class Bulletin:
    """Where it is told how jobs go: posts, and what keeps them up to date; names of people by platform."""

    posts: Posts
    reports: JobReports
    names: Mapping[str, Directory]


_PROGRAMS = frozenset({SCHEDULE, "console", "corrections"})
"""Whoever asks that is nobody on a platform."""


class Errands:
    """The use cases. Each raises AccessDenied, or InputError for a collection that is none here."""

    def __init__(
        self, reindexing: Reindexing, jobs: Jobs, gates: Gates, bulletin: Bulletin, when: tuple[Clock, tzinfo]
    ) -> None:
        self._reindexing = reindexing
        self._jobs = jobs
        self._gates = gates
        self._bulletin = bulletin
        self._clock, self._zone = when

    async def choices(self, visitor: Visitor) -> tuple[str, ...]:
        """The collections that they may have read anew; raises AccessDenied when there is none."""
        readable = await self._gates.access.readable(visitor.audience)
        names = tuple(sorted(filter(self._may("reindex", visitor), readable.collections)))
        if not names:
            raise AccessDenied(detail=f"reindex by {visitor.person.name}")
        return names

    async def reindex(self, visitor: Visitor, names: Sequence[str], here: Place, direct: Direct) -> Begun:
        """Ask for these collections (without names: all that they may). How it goes is told in one message.

        That message stands where the visitor is, unless somebody there may not read one of the collections, or we
        can't post there; then with them alone.
        """
        known = await self.choices(visitor)
        readable = await self._gates.access.readable(visitor.audience)
        for name in names:
            if name not in readable.collections:
                raise InputError("error.collection_here", name=name[:80], known=", ".join(known))
            if name not in known:
                raise AccessDenied(detail=f"reindex of {name} by {visitor.person.name}")
        wanted = tuple(dict.fromkeys(names)) or known
        place = await self._announced(visitor, wanted, here, direct)
        asker = Asker(visitor.person.name, place.target, visitor.language, place.audience)
        asked = await self._reindexing.ask(Wish(asker, wanted), readable, self._may("reindex", visitor))
        return Begun(place.target, asked, await self._noted(asker, asked))

    async def jobs(self, visitor: Visitor) -> str:
        """The latest jobs of the collections that they look after."""
        readable = await self._looked_after(visitor)
        found = await self._jobs.latest(readable)
        lines = [line for job in found for line in await self._told(job, visitor)]
        return "\n".join(lines) or say("job.none", visitor.language)

    async def recent(self, visitor: Visitor, *, to_cancel: bool = False) -> list[tuple[str, str]]:
        """The latest of them by id, each in a line, to choose from; `to_cancel`: those that may still be stopped."""
        found = await self._jobs.latest(await self._looked_after(visitor))
        wanted = [job for job in found if not (to_cancel and (job.ended or job.cancelling))]
        lines, now = JobLines(visitor.language, self._zone), self._clock.now()
        return [(job.id, lines.brief(job, now)) for job in wanted]

    async def show(self, visitor: Visitor, id: str, listed: str) -> str:
        """One job, with its report. `listed`: how one asks for the list there."""
        job = await self._jobs.show(id, await self._looked_after(visitor), listed)
        report = JobLines(visitor.language, self._zone).ended(job) if job.ended else []
        return "\n".join([*await self._told(job, visitor), *(f"  {line.strip()}" for line in report)])

    async def cancel(self, visitor: Visitor, id: str, listed: str) -> str:
        """Stop a job; how it stands then. Who may stop none is told that, and not which there are."""
        await self._looked_after(visitor)
        readable = await self._gates.access.readable(visitor.audience)
        job = await self._jobs.cancel(id, readable, self._may("cancel", visitor), listed)
        await self._bulletin.reports.told(job)  # one that waited ends without a process that would tell
        return "\n".join(await self._told(job, visitor))

    async def _looked_after(self, visitor: Visitor) -> Readable:
        readable = await self._gates.access.readable(visitor.audience)
        names = frozenset(filter(self._may("jobs", visitor), readable.collections))
        if not names:
            raise AccessDenied(detail=f"jobs by {visitor.person.name}")
        return Readable(names)

    async def _announced(self, visitor: Visitor, names: Sequence[str], here: Place, direct: Direct) -> Place:
        """Where it is told, with the first message in it."""
        text = say("reindex.begun", visitor.language, collections=", ".join(names))
        if (await self._gates.access.readable(here.audience)).collections.issuperset(names):
            try:
                return replace(here, target=await self._bulletin.posts.post(here.target, text))
            except RefdeskError:  # we are not there, or may not post
                pass
        place = await direct()
        return replace(place, target=await self._bulletin.posts.post(place.target, text))

    async def _noted(self, asker: Asker, asked: Sequence[Asked]) -> str:
        """What else there is to know. Where they come too late to be told of any, their message says so for good."""
        lines = JobLines(asker.language, self._zone)
        crowded = [lines.crowded(each) for each in asked if asker not in each.job.askers]
        if crowded and len(crowded) == len(asked) and asker.target is not None:
            with contextlib.suppress(RefdeskError):  # they are told in answer to their command in any case
                await self._bulletin.posts.post(asker.target, "\n".join(crowded))
        rest = [line for each in asked if asker in each.job.askers for line in lines.asked(each)]
        return "\n".join([*crowded, *rest])

    async def _told(self, job: Job, visitor: Visitor) -> list[str]:
        askers = tuple([replace(each, by=await self._name(each.by, visitor)) for each in job.askers])
        first, *rest = JobLines(visitor.language, self._zone).job(replace(job, askers=askers), self._clock.now())
        return [f"- {first}", *(f"  {line.strip()}" for line in rest)]

    async def _name(self, by: str, visitor: Visitor) -> str:
        """Who it was, as people there know them: no ids, and no names of people elsewhere."""
        platform, _, rest = by.partition("/")
        workspace, _, user = rest.partition("/")
        if platform in _PROGRAMS:
            return say(f"job.by.{platform}", visitor.language)
        known = self._bulletin.names.get(platform) if platform == visitor.person.platform else None
        name = await known.name(platform, workspace, user) if known and user else ""
        return name or say("job.by.somebody", visitor.language, platform=platform.capitalize())

    def _may(self, command: Owned, visitor: Visitor) -> May:
        return lambda name: may(command, visitor.person, self._gates.staff, name)
