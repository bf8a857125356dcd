"""How things stand, for admins: connections, what came of the latest questions, how answers were received, syncs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo

from core.access_commands import Staff, may
from core.activity import PERIOD, Activity, activity, told
from core.desk.job_lines import JobLines
from core.desk.jobs import Jobs
from core.desk.routing_told import RouterView
from core.desk.visitor import Visitor
from core.documents import Readable
from core.errors import AccessDenied
from core.messages import Language
from core.ports import Access, Clock, FeedbackStore, TurnLog
from core.pulse import Pulse
from core.schedules import Schedule
from core.wording import say


@dataclass(frozen=True, slots=True)
class Overview:
    """The use case. `pulses` are the connections of this process, by platform."""

    access: Access
    staff: Staff
    log: TurnLog
    feedback: FeedbackStore
    jobs: Jobs
    schedules: Mapping[str, Schedule]
    clock: Clock
    zone: tzinfo
    router: RouterView
    pulses: Mapping[str, Pulse] = field(default_factory=dict)

    async def told(self, visitor: Visitor) -> str:
        """The lines as Markdown. Raises AccessDenied."""
        if not self.may(visitor):
            raise AccessDenied(detail=f"status by {visitor.person.name}")
        readable = await self.access.readable(visitor.audience)
        since = self.clock.now() - PERIOD
        counted = _as_far_as(activity(await self.log.since(since)), readable)
        received = await self.feedback.tally(since)
        lines = [*self._connections(visitor.language), *told(counted, visitor.language)]
        if received.up or received.down:
            lines.append(say("activity.received", visitor.language, up=received.up, down=received.down))
        lines += [*await self._upkeep(visitor, readable), *await self.router.warnings(readable, visitor.language)]
        return "\n".join(f"- {line.strip()}" for line in lines)

    def may(self, visitor: Visitor) -> bool:
        """Whether they may see it."""
        return may("status", visitor.person, self.staff)

    def _connections(self, language: Language) -> list[str]:
        """Since when each platform is connected or not, when it was last heard, and what is wrong."""
        now, lines = self.clock.now(), JobLines(language, self.zone)
        return [_connection(name, pulse, now, lines) for name, pulse in self.pulses.items()]

    async def _upkeep(self, visitor: Visitor, readable: Readable) -> list[str]:
        lines, now = JobLines(visitor.language, self.zone), self.clock.now()
        standings = (await self.jobs.standings(readable)).items()
        return [line for name, each in standings for line in lines.standing(name, each, self.schedules.get(name), now)]


def _connection(name: str, pulse: Pulse, now: datetime, lines: JobLines) -> str:
    def ago(seconds: float) -> str:
        return lines.moment(now - timedelta(seconds=seconds))

    key, seconds = ("up", pulse.up_for) if pulse.connected else ("down", pulse.down_for)
    told = [say(f"connection.{key}", lines.language, platform=name.capitalize(), when=ago(seconds))]
    if pulse.heard_at is not None:
        told.append(say("connection.heard", lines.language, when=ago(pulse.silence)))
    if pulse.trouble is not None:
        told.append(pulse.trouble.user_message(lines.language))
    return "; ".join(told)


def _as_far_as(found: Activity, readable: Readable) -> Activity:
    """Counts over all are no secret, names are."""
    return replace(
        found, collections={name: each for name, each in found.collections.items() if name in readable.collections}
    )
