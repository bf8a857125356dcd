"""What keeps collections up to date by itself and on demand, put together: jobs, their runner, the schedules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from adapters.clock import SystemClock
from core.indexing.report import Progress, SyncReport
from core.jobs import Asker

if TYPE_CHECKING:
    from adapters.sql.database import Database
    from bots.settings import CollectionSettings, Settings
    from bots.upkeep import Upkeep
    from core.indexing.parts import SyncTarget
    from core.indexing.sync import Syncer
    from core.schedules import Schedule


def upkeep(settings: Settings, database: Database, syncer: Syncer, targets: Mapping[str, SyncTarget]) -> Upkeep:
    """Nothing runs yet. Jobs need time that passes, also under `--now`."""
    from adapters.sql.jobs import SqlJobEdits, SqlJobQueue, SqlJobRecord
    from bots.upkeep import Upkeep
    from core.desk.desk import process_name
    from core.desk.following import Following
    from core.desk.job_lines import JobLines
    from core.desk.jobs import Jobs
    from core.desk.reindex import Reindexing
    from core.desk.running import JobRunner
    from core.desk.scheduling import Scheduler

    async def work(name: str, progress: Progress) -> SyncReport:
        return await syncer.sync(targets[name], progress)

    clock, name, language = SystemClock(), process_name(), settings.language
    queue, record, edits = SqlJobQueue(database), SqlJobRecord(database), SqlJobEdits(database)
    runner = JobRunner((queue, record, edits), work, name)
    reindexing, jobs = Reindexing(queue, tuple(targets), clock), Jobs(record, edits)
    schedules = schedules_of(settings)
    return Upkeep(
        Asker(f"console/{name}", language=language),
        reindexing,
        jobs,
        runner,
        Following(record, runner),
        Scheduler(schedules, reindexing, jobs, clock),
        schedules,
        JobLines(language, ZoneInfo(settings.timezone)),
    )


def schedules_of(settings: Settings) -> dict[str, Schedule]:
    """The schedule of each collection that has one."""
    found = {each.name: _schedule(each, settings) for each in settings.collections}
    return {name: schedule for name, schedule in found.items() if schedule is not None}


def _schedule(collection: CollectionSettings, settings: Settings) -> Schedule | None:
    if collection.every:
        from bots.schedule_settings import interval
        from core.schedules import Every

        return Every(interval(collection.every))
    if collection.cron:
        from adapters.cron import CronSchedule

        return CronSchedule(collection.cron, ZoneInfo(settings.timezone))
    return None
