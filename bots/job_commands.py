"""The commands around syncs: index, jobs. Only translates between the desk's jobs and lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bots.app import App
from bots.compose import opened
from bots.failures import as_plain, exit_code
from bots.router import tell_alarms
from core.desk.job_lines import status_of
from core.jobs import Job
from core.messages import Language
from core.wording import say

if TYPE_CHECKING:
    from bots.settings import Settings
    from core.indexing.report import SyncReport


async def index(settings: Settings, names: Sequence[str]) -> int:
    """Sync the named collections, or all; 0 also when single documents could not be read."""
    async with opened(settings) as app:
        failures = await app.index(names or app.names)
        await tell_alarms(app, app.terminal.remark)
    return max(map(exit_code, failures), default=0)


async def cancel(settings: Settings, id: str) -> int:
    """Stop a job, wherever it runs; says what it is now."""
    async with opened(settings) as app:
        job = await app.upkeep.jobs.cancel(id, app.readable, lambda _: True)
        for line in app.upkeep.lines.job(job, app.passing.now()):
            app.terminal.say(line)
    return 0


async def jobs(settings: Settings, *, as_json: bool) -> int:
    """The latest jobs, newest first, and when collections are synced by themselves."""
    async with opened(settings) as app:
        found, now = await app.upkeep.jobs.latest(app.readable), app.passing.now()
        if as_json:
            shown = {"jobs": [plain(job, now, settings.language) for job in found]}
            app.terminal.say(json.dumps(shown, ensure_ascii=False, indent=2))
            return 0
        lines = [line for job in found for line in app.upkeep.lines.job(job, now)]
        for line in lines or [say("job.none", settings.language)]:
            app.terminal.say(line)
        await tell_standings(app)
    return 0


async def tell_standings(app: App) -> bool:
    """Which collections keep failing, and when each is synced next; whether any fails."""
    now, failing = app.passing.now(), False
    for name, stands in (await app.upkeep.jobs.standings(app.readable)).items():
        for line in app.upkeep.lines.standing(name, stands, app.upkeep.schedules.get(name), now):
            app.terminal.say(line)
        failing = failing or stands.failures > 0
    return failing


def plain(job: Job, now: datetime, language: Language) -> dict[str, Any]:
    """A job for scripts. Times are in UTC."""
    return {
        "id": job.id,
        "collection": job.collection,
        "status": status_of(job, now),
        "asked_by": [asker.by for asker in job.askers],
        "slot": _moment(job.slot),
        "asked_at": _moment(job.created_at),
        "started_at": _moment(job.started_at),
        "finished_at": _moment(job.finished_at),
        "attempts": job.attempts,
        "progress": {"phase": job.phase, "done": job.done, "total": job.total} if job.status == "running" else None,
        "report": _report(job.report) if job.report else None,
        "error": as_plain(job.failure.error(), language) if job.failure else None,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _report(report: SyncReport) -> dict[str, Any]:
    counts = ("added", "changed", "removed", "unchanged", "failed", "passages", "embedded", "generation")
    return {
        **{name: getattr(report, name) for name in counts},
        "complete": report.complete,
        "published": report.published,
        "prompt_changed": report.prompt_changed,
        "seconds": round(report.seconds, 3),
        "problems": [{"document": each.document, "reason": each.reason} for each in report.problems],
    }
