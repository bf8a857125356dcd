"""Syncs that are due are asked for once, by however many processes, and caught up once."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from adapters.memory.jobs import MemoryJobRecord
from core.desk.jobs import Jobs
from core.desk.scheduling import Scheduler
from core.errors import SourceError
from core.jobs import SCHEDULE, Job
from core.schedules import Every
from tests.desk.upkeep import ALL, Upkeep

HOUR = timedelta(hours=1)
SIX = {"docs": Every(6 * HOUR)}


def scheduler(desk: Upkeep, look: float = 0.01) -> Scheduler:
    return Scheduler(SIX, desk.reindexing, desk.jobs, desk.clock, look)


async def run_all(desk: Upkeep) -> None:
    """As a runner does, without its loop."""
    while (job := await desk.queue.claim("p1", timedelta(minutes=1), ALL.collections)) is not None:
        await desk.runner.run(job)


def asked(desk: Upkeep) -> list[Job]:
    return list(desk.stored.jobs.values())


async def test_a_due_collection_is_asked_for_by_the_schedule_with_its_slot() -> None:
    desk = Upkeep()
    (id,) = await scheduler(desk).look()
    job = desk.stored.jobs[id]
    assert ([asker.by for asker in job.askers], job.collection) == ([SCHEDULE], "docs")
    assert job.slot == desk.clock.now().replace(hour=6, minute=0)
    assert await scheduler(desk).look() == []


async def test_two_processes_ask_for_a_slot_once() -> None:
    first = Upkeep()
    second = Upkeep(first.stored, "p2")
    found = await asyncio.gather(*(scheduler(each).look() for each in (first, second) * 3))
    assert sum(map(len, found)) == 1


async def test_slots_that_passed_while_nobody_was_there_are_caught_up_by_one_sync() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    await scheduler(desk).look()
    await run_all(desk)
    desk.clock.pass_by(timedelta(days=9))
    for _ in range(5):
        await scheduler(desk).look()
        await run_all(desk)
    assert len(desk.sync.ran) == 2
    assert asked(desk)[-1].slot == desk.clock.now().replace(hour=6, minute=0)


async def test_a_sync_by_hand_after_the_slot_does_its_work() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    desk.clock.pass_by(HOUR)
    await desk.ask("docs")
    await run_all(desk)
    assert await scheduler(desk).look() == []
    desk.clock.pass_by(2 * HOUR)
    assert len(await scheduler(desk).look()) == 1


async def test_a_slot_joins_a_sync_that_waits() -> None:
    desk = Upkeep()
    waiting = await desk.ask("docs")
    assert await scheduler(desk).look() == [waiting.job.id]
    assert [asker.by for asker in asked(desk)[0].askers] == ["console/ann", SCHEDULE]


async def test_a_failing_source_is_tried_less_often_and_as_before_once_it_works() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    desk.sync.error = SourceError("error.folder_missing", path="/docs")
    for _ in range(24 * 6):
        if await scheduler(desk).look():
            await run_all(desk)
        desk.clock.pass_by(HOUR)
    slots = [job.slot for job in asked(desk) if job.slot is not None]
    waits = [(later - earlier) / (6 * HOUR) for earlier, later in itertools.pairwise(slots)]
    assert waits[:5] == [1, 2, 4, 4, 4]  # in slots: doubled, up to a day
    desk.sync.error = None
    while not await scheduler(desk).look():
        desk.clock.pass_by(HOUR)
    await run_all(desk)
    desk.clock.pass_by(6 * HOUR)
    assert len(await scheduler(desk).look()) == 1
    assert (await desk.jobs.standings(ALL))["docs"].failures == 0


async def test_processes_that_come_and_go_never_sync_more_often_than_there_are_slots() -> None:
    chance = random.Random(4)
    for _ in range(20):
        desk = Upkeep()
        desk.sync.free.set()
        began = desk.clock.now()
        for _ in range(40):
            desk.clock.pass_by(timedelta(minutes=chance.randrange(1, 900)))
            await scheduler(desk).look()
            if chance.random() < 0.7:
                await run_all(desk)
        await run_all(desk)
        slots = (desk.clock.now() - began) / (6 * HOUR) + 2
        assert len(desk.sync.ran) <= slots
        done = [job.slot for job in asked(desk)]
        assert len(done) == len(set(done))


async def test_the_loop_asks_by_itself_and_survives_a_store_that_fails() -> None:
    desk = Upkeep()
    desk.sync.free.set()

    class Shaky(MemoryJobRecord):
        calls = 0

        async def latest(self, collections: frozenset[str], limit: int, *, reports: bool = True) -> Sequence[Job]:
            Shaky.calls += 1
            if Shaky.calls < 3:
                raise ConnectionResetError
            return await super().latest(collections, limit, reports=reports)

    desk.jobs = Jobs(Shaky(desk.stored), desk.edits)
    async with scheduler(desk).running(), desk.runner.running(ALL.collections), asyncio.timeout(10):
        while not desk.sync.ran:
            await asyncio.sleep(0.02)
    assert desk.sync.ran == ["docs"]


async def test_a_desk_without_schedules_runs_no_loop() -> None:
    desk = Upkeep()
    async with Scheduler({}, desk.reindexing, desk.jobs, desk.clock).running():
        await asyncio.sleep(0.02)
    assert asked(desk) == []


async def test_a_schedule_that_cannot_tell_what_comes_next_ends_no_loop() -> None:
    desk = Upkeep()
    desk.sync.free.set()

    class Vague(Every):
        asked = 0

        def following(self, after: datetime) -> datetime:
            Vague.asked += 1
            raise OverflowError

    loop = Scheduler({"docs": Vague(6 * HOUR)}, desk.reindexing, desk.jobs, desk.clock, 0.01)
    async with loop.running(), asyncio.timeout(10):
        while Vague.asked < 3:
            await asyncio.sleep(0.01)
