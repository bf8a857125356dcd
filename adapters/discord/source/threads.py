"""Threads and forum posts of chosen Discord channels as a source of documents. REST alone: no gateway, no events.

Listing is the visit: it asks what threads there are, and reads those in which something has happened – a new last
message, another number of messages, another title or tag – and every so often the others, because an edit changes
none of these. Fetching gives what the visit kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from adapters.discord.permissions import GETS_WORDS
from adapters.discord.source.channels import Wanted
from adapters.discord.source.keeping import FORM, Kept, Shelf
from adapters.discord.source.outcome import Outcome
from adapters.discord.source.reading import Reader, TooLong
from adapters.discord.source.rest import Door, Pace, Refused, Rest, Unanswered
from adapters.discord.source.visiting import Listed, Visit
from core.documents import Listing, SourceEntry
from core.errors import ParseError, SourceError
from core.indexing.threads import Again, Choice

_TOGETHER = 8
WHOLE = "discord"
"""What a problem is about that is of no channel alone."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read: threads whose last message is at most `days` old, at most so many, a visit of `minutes`."""

    days: int = 365
    threads: int = 2000
    minutes: float = 30.0
    bytes: int = 25 * 2**20


@dataclass(frozen=True, slots=True)
class DiscordSource:
    """The threads of `wanted`, read through `door` and kept in `folder`."""

    wanted: Wanted
    door: Door
    folder: Path
    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)
    again: Again = field(default_factory=Again)
    now: Callable[[], datetime] = _now

    async def list(self) -> Listing:
        """Visit the channels; raises SourceError `error.discord_…` when none of them can be looked at."""
        now, shelf = self.now(), Shelf(self.folder)
        async with Rest(self.door, self.pace) as rest:
            await _introduced(rest)
            outcome = Outcome()
            visit = Visit(rest, self._choice.since(now), outcome)
            reading = _Reading(Reader(rest, self.limits.bytes), shelf, outcome, self.again, now)
            threads: tuple[Listed, ...] = ()
            try:
                async with asyncio.timeout(self.limits.minutes * 60):
                    await visit.go(self.wanted)
                    threads = self._chosen(visit, now)
                    await reading.all(threads)
            except TimeoutError:
                outcome.cut(WHOLE, "parse.note_threads_time", f"{self.limits.minutes:.3g}")
        if outcome.unseen == len(self.wanted.channels) and not (visit.threads or outcome.gone):
            raise SourceError("error.discord_unseen", source=", ".join(self.wanted.channels))
        entries = await asyncio.to_thread(_entries, threads or self._chosen(visit, now), shelf)
        if outcome.complete:
            await asyncio.to_thread(shelf.keep_only, [thread.id for thread in threads])
        gone = tuple(f"{channel}/" for channel in outcome.gone)
        return Listing(entries, outcome.complete, tuple(outcome.problems), gone)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The thread as the visit kept it; raises ParseError `parse.gone`."""
        id_ = PurePosixPath(entry.id).stem
        kept = await asyncio.to_thread(Shelf(self.folder).get, id_) if id_.isdecimal() else None
        if kept is None or kept.hash != entry.fingerprint:
            raise ParseError("parse.gone")
        return kept.text.encode()

    @property
    def _choice(self) -> Choice:
        return Choice(self.limits.days, self.limits.threads)

    def _chosen(self, visit: Visit, now: datetime) -> tuple[Listed, ...]:
        leads, left = self._choice.of((thread.lead for thread in visit.threads.values()), now)
        if left:
            visit.outcome.note(WHOLE, "parse.note_threads_limit", str(left))
        return tuple(visit.threads[lead.id] for lead in leads)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads what has changed, some at a time; what can't be read stays as it was."""

    reader: Reader
    shelf: Shelf
    outcome: Outcome
    again: Again
    now: datetime

    async def all(self, threads: Sequence[Listed]) -> None:
        known = await asyncio.to_thread(self.shelf.marks, [thread.id for thread in threads])
        readable = [thread for thread in threads if thread.channel not in self.outcome.unread]
        changed = [thread for thread in readable if known.get(thread.id) != self._mark(thread)]
        for start in range(0, len(changed), _TOGETHER):
            done = await asyncio.gather(*map(self._one, changed[start : start + _TOGETHER]), return_exceptions=True)
            for failure in filter(None, done):
                raise failure

    def _mark(self, thread: Listed) -> str:
        return f"{FORM}-{self.again.fingerprint(thread.lead, self.now)}"

    async def _one(self, thread: Listed) -> None:
        try:
            text = await self.reader.read(thread)
        except Refused:  # deleted or closed to us since it was listed
            text = ""
        except TooLong:
            self.outcome.note(thread.document, "parse.too_large", str(max(1, self.reader.max_bytes // 2**20)))
            return
        except Unanswered as error:
            self.outcome.note(thread.document, "parse.thread_failed", str(error))
            return
        await asyncio.to_thread(self.shelf.put, thread.id, Kept(self._mark(thread), text))


async def _introduced(rest: Rest) -> None:
    """Raises SourceError when Discord does not answer, or would give messages without their words."""
    try:
        application = await rest.get("/applications/@me")
    except (Refused, Unanswered) as error:
        raise SourceError("error.discord_failed", what=str(error)) from error
    if not int(application.get("flags") or 0) & GETS_WORDS:
        raise SourceError("error.discord_content")


def _entries(threads: Sequence[Listed], shelf: Shelf) -> tuple[SourceEntry, ...]:
    found = []
    for thread in sorted(threads, key=lambda thread: thread.document):
        kept = shelf.get(thread.id)
        if kept is not None and kept.text:
            size = len(kept.text.encode())
            found.append(SourceEntry(thread.document, kept.hash, size, "text/markdown", thread.lead.last, thread.link))
    return tuple(found)
