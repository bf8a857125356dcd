"""Jobs at the desk: asked for by those who may, run one at a time, stopped, taken up again, told."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.memory.jobs import MemoryJobEdits, MemoryJobQueue, MemoryJobRecord
from core.desk.reindex import Wish
from core.desk.running import ATTEMPTS, KEPT, LEASE, PRUNED_AFTER, JobRunner
from core.documents import Readable
from core.errors import AccessDenied, InputError, SourceError, StoreError
from core.indexing.report import Phase, Progress, SyncReport
from core.jobs import Asker, Grip, Job
from tests.desk.upkeep import ALL, PACE, Listener, Sync, Upkeep, anybody

SOME = Readable(frozenset({"docs", "wiki"}))
ANN = Asker("slack/T1/U1")


async def within(seconds: float, event: asyncio.Event) -> None:
    async with asyncio.timeout(seconds):
        await event.wait()


async def test_without_a_name_everything_that_somebody_may_sync_is_asked_for() -> None:
    desk = Upkeep()
    asked = await desk.reindexing.ask(Wish(ANN), SOME, lambda name: name != "docs")
    assert [each.job.collection for each in asked] == ["wiki"]
    assert asked[0].job.askers == (ANN,)


async def test_a_collection_that_may_not_be_read_is_refused_like_one_that_does_not_exist() -> None:
    desk = Upkeep()
    said = []
    for name in ("secret", "nowhere"):
        with pytest.raises(InputError) as refused:
            await desk.reindexing.ask(Wish(ANN, ("docs", name)), SOME, anybody)
        said.append(refused.value.user_message("en").replace(name, "…"))
    assert said[0] == said[1]
    assert "secret" not in said[0]
    assert desk.stored.jobs == {}


async def test_who_may_not_is_refused_before_anything_is_asked() -> None:
    desk = Upkeep()
    with pytest.raises(AccessDenied):
        await desk.reindexing.ask(Wish(ANN, ("docs", "wiki")), SOME, lambda name: name == "docs")
    with pytest.raises(AccessDenied):
        await desk.reindexing.ask(Wish(ANN), SOME, lambda _: False)
    assert desk.stored.jobs == {}


async def test_a_name_said_twice_is_asked_for_once() -> None:
    assert len(await Upkeep().reindexing.ask(Wish(ANN, ("docs", "docs")), SOME, anybody)) == 1


async def test_jobs_of_a_collection_that_may_not_be_read_do_not_exist() -> None:
    desk = Upkeep()
    hidden = (await desk.ask("secret")).job
    assert list(await desk.jobs.latest(SOME)) == []
    for asked in (desk.jobs.show(hidden.id, SOME), desk.jobs.cancel(hidden.id, SOME, anybody)):
        with pytest.raises(InputError):
            await asked
    assert desk.stored.jobs[hidden.id] == hidden


async def test_only_who_may_stops_a_job() -> None:
    desk = Upkeep()
    job = (await desk.ask("docs")).job
    with pytest.raises(AccessDenied):
        await desk.jobs.cancel(job.id, SOME, lambda _: False)
    assert (await desk.jobs.cancel(job.id, SOME, anybody)).status == "cancelled"
    assert (await desk.jobs.cancel(job.id, SOME, anybody)).status == "cancelled"  # again is no mistake


async def test_a_job_is_run_and_everybody_learns_what_came_of_it() -> None:
    desk, ear = Upkeep(), Listener()
    desk.sync.free.set()
    asked = await desk.ask("docs")
    with desk.runner.heard_by(ear):
        async with desk.runner.running(ALL.collections):
            ended = await desk.end_of(asked)
    assert (ended.status, ended.report and ended.report.added) == ("done", 1)
    assert [job.status for job in ear.heard] == ["running", "done"]
    stored = desk.stored.jobs[asked.job.id]
    assert (stored.status, stored.report, stored.owner) == ("done", ended.report, None)


async def test_two_processes_run_a_collections_jobs_one_after_the_other() -> None:
    first = Upkeep()
    second = Upkeep(first.stored, "p2", first.sync)
    await first.ask("docs")
    async with first.runner.running(ALL.collections), second.runner.running(ALL.collections):
        await within(5, first.sync.begun)
        behind = await first.ask("docs")
        assert behind.behind
        await asyncio.sleep(5 * PACE.look)
        first.sync.free.set()
        await second.end_of(behind)
    assert (first.sync.ran, first.sync.most_at_once) == (["docs", "docs"], 1)


async def test_a_process_runs_one_sync_at_a_time_however_many_loops_are_open() -> None:
    desk = Upkeep()
    jobs = [await desk.ask(name) for name in ("docs", "wiki", "secret")]
    async with desk.runner.running(ALL.collections), desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await asyncio.sleep(5 * PACE.look)
        assert len(desk.sync.ran) == 1
        desk.sync.free.set()
        for job in jobs:
            await desk.end_of(job)
    assert (desk.sync.ran, desk.sync.most_at_once) == (["docs", "wiki", "secret"], 1)


async def test_a_loop_runs_only_the_collections_it_is_for() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    other, own = await desk.ask("docs"), await desk.ask("wiki")
    async with desk.runner.running(frozenset({"wiki"})):
        await desk.end_of(own)
    assert desk.stored.jobs[other.job.id].status == "waiting"


async def test_three_who_ask_at_once_get_one_sync() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    asked = await asyncio.gather(*(desk.ask("docs", by=f"slack/T1/U{n}") for n in range(3)))
    async with desk.runner.running(ALL.collections):
        ended = [await desk.end_of(each) for each in asked]
    assert desk.sync.ran == ["docs"]
    assert len({job.id for job in ended}) == 1
    assert [asker.by for asker in ended[0].askers] == ["slack/T1/U0", "slack/T1/U1", "slack/T1/U2"]


async def test_progress_is_told_at_most_once_a_beat_and_stored() -> None:
    desk, ear = Upkeep(), Listener()

    def steps(progress: Progress) -> None:
        for done in range(500):
            progress("documents", done, 500)

    desk.sync.steps = steps
    asked = await desk.ask("docs")
    with desk.runner.heard_by(ear):
        async with desk.runner.running(ALL.collections):
            await within(5, desk.sync.begun)
            await asyncio.sleep(6 * PACE.beat)
            stored = desk.stored.jobs[asked.job.id]
            assert (stored.phase, stored.done, stored.total) == ("documents", 499, 500)
            desk.sync.free.set()
            await desk.end_of(asked)
    assert len(ear.heard) == 3  # begun, further, ended


async def test_a_listener_that_fails_costs_the_sync_nothing() -> None:
    class Deaf:
        async def told(self, job: Job) -> None:
            raise ConnectionResetError

    desk = Upkeep()
    desk.sync.free.set()
    asked = await desk.ask("docs")
    with desk.runner.heard_by(Deaf()):
        async with desk.runner.running(ALL.collections):
            assert (await desk.end_of(asked)).status == "done"


@pytest.mark.parametrize("error", [SourceError("error.folder_missing", path="/docs"), ZeroDivisionError("bug")])
async def test_a_sync_that_fails_ends_its_job_with_the_sentence_and_the_id_of_the_log(error: Exception) -> None:
    desk = Upkeep()
    desk.sync.error = error
    desk.sync.free.set()
    asked, next_one = await desk.ask("docs"), await desk.ask("wiki")
    async with desk.runner.running(ALL.collections):
        ended = await desk.end_of(asked)
        desk.sync.error = None
        await desk.end_of(next_one)  # the loop goes on
    assert (ended.status, ended.report) == ("failed", None)
    assert ended.failure is not None
    again = ended.failure.error()
    if isinstance(error, SourceError):
        assert (type(again), again.id, again.user_message("ko")) == (SourceError, error.id, error.user_message("ko"))
    else:
        assert "ZeroDivision" not in again.user_message("en")
        assert again.id in again.user_message("en")


async def test_a_running_job_that_is_cancelled_stops_within_a_beat_and_the_next_is_begun() -> None:
    desk = Upkeep()
    asked, following = await desk.ask("docs"), await desk.ask("wiki")
    async with desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        began = time.monotonic()
        told = await desk.jobs.cancel(asked.job.id, ALL, anybody)
        assert (told.status, told.cancelling) == ("running", True)
        assert (await desk.end_of(asked)).status == "cancelled"
        assert time.monotonic() - began < 1
        desk.sync.free.set()
        assert (await desk.end_of(following)).status == "done"
    assert desk.sync.stopped == 1
    assert (desk.stored.jobs[asked.job.id].report, desk.stored.jobs[asked.job.id].owner) == (None, None)


@pytest.mark.parametrize("phase", ["publish", "clean"])
async def test_a_job_that_is_cancelled_while_it_publishes_goes_on_and_has_a_report(phase: Phase) -> None:
    class Watched(MemoryJobQueue):
        async def renew(self, job: Job, lease: timedelta) -> Grip:
            renewed.set()
            return await super().renew(job, lease)

    desk, renewed = Upkeep(), asyncio.Event()
    desk.sync.steps = lambda progress: progress(phase, 0, 1)
    asked = await desk.ask("docs")
    runner = JobRunner((Watched(desk.stored), desk.record, desk.edits), desk.sync, "p1", pace=PACE)
    async with runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await desk.jobs.cancel(asked.job.id, ALL, anybody)
        for _ in range(3):  # it is kept alive, and asked to stop each time
            renewed.clear()
            await within(5, renewed)
        desk.sync.free.set()
        ended = await desk.end_of(asked)
    assert (ended.status, ended.report, desk.sync.stopped) == ("done", SyncReport("docs", added=1, published=True), 0)


async def test_a_job_that_was_done_before_it_could_be_stopped_has_a_report() -> None:
    class Late(Sync):
        async def __call__(self, name: str, progress: Progress) -> SyncReport:
            with contextlib.suppress(asyncio.CancelledError):
                return await super().__call__(name, progress)
            return SyncReport(name, added=1, published=True)

    desk = Upkeep(sync=Late())
    asked = await desk.ask("docs")
    async with desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await desk.jobs.cancel(asked.job.id, ALL, anybody)
        ended = await desk.end_of(asked)
    assert (ended.status, ended.report) == ("done", SyncReport("docs", added=1, published=True))


async def test_a_job_that_is_cancelled_and_fails_over_it_counts_as_cancelled() -> None:
    class Failing(Sync):
        async def __call__(self, name: str, progress: Progress) -> SyncReport:
            try:
                return await super().__call__(name, progress)
            except asyncio.CancelledError as error:
                raise ZeroDivisionError from error

    desk = Upkeep(sync=Failing())
    asked = await desk.ask("docs")
    async with desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await desk.jobs.cancel(asked.job.id, ALL, anybody)
        assert (await desk.end_of(asked)).status == "cancelled"


async def test_a_process_that_ends_gives_its_job_back_to_go_on_at_once() -> None:
    desk = Upkeep()
    other = Upkeep(desk.stored, "p2")
    other.sync.free.set()
    asked = await desk.ask("docs")
    async with desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
    assert desk.sync.stopped == 1
    async with other.runner.running(ALL.collections):
        ended = await other.end_of(asked)
    assert (ended.status, ended.attempts) == ("done", 1)


async def test_a_job_claimed_in_the_moment_of_the_end_is_given_back() -> None:
    class Slow(MemoryJobQueue):
        async def claim(self, owner: str, lease: timedelta, collections: frozenset[str]) -> Job | None:
            job = await super().claim(owner, lease, collections)
            claimed.set()
            await asyncio.sleep(0.05)
            return job

    desk, claimed = Upkeep(), asyncio.Event()
    runner = JobRunner((Slow(desk.stored), desk.record, desk.edits), desk.sync, "p1", pace=PACE)
    await desk.ask("docs")
    async with runner.running(ALL.collections):
        await within(5, claimed)
    assert desk.sync.ran == []
    assert await desk.queue.claim("p2", LEASE, ALL.collections) is not None


async def test_a_job_whose_process_died_is_taken_up_a_few_times_and_then_fails_with_an_id() -> None:
    desk = Upkeep()
    asked = await desk.ask("docs")
    for _ in range(ATTEMPTS):
        assert await desk.queue.claim("dead", LEASE, ALL.collections) is not None
        desk.clock.pass_by(LEASE)
    async with desk.runner.running(ALL.collections):
        ended = await desk.end_of(asked)
    assert desk.sync.ran == []
    assert ended.status == "failed"
    assert ended.failure is not None
    assert ended.failure.id in ended.failure.error().user_message("en")
    desk.sync.free.set()
    async with desk.runner.running(ALL.collections):
        assert (await desk.end_of(await desk.ask("docs"))).status == "done"


async def test_a_job_that_died_while_it_was_asked_to_stop_is_not_begun_again() -> None:
    desk = Upkeep()
    asked = await desk.ask("docs")
    await desk.queue.claim("dead", LEASE, ALL.collections)
    await desk.jobs.cancel(asked.job.id, ALL, anybody)
    desk.clock.pass_by(LEASE)
    async with desk.runner.running(ALL.collections):
        assert (await desk.end_of(asked)).status == "cancelled"
    assert desk.sync.ran == []


async def test_a_job_that_another_process_took_over_is_dropped_and_nothing_of_it_stored() -> None:
    desk = Upkeep()
    asked = await desk.ask("docs")
    async with desk.runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        taken = desk.stored.change(desk.stored.jobs[asked.job.id], owner="p2")
        desk.stored.change(taken, lease_until=desk.clock.now() + LEASE)
        async with asyncio.timeout(5):
            while not desk.sync.stopped:
                await asyncio.sleep(PACE.beat)
    assert (desk.stored.jobs[asked.job.id].owner, desk.stored.jobs[asked.job.id].status) == ("p2", "running")


async def test_a_store_that_fails_for_a_moment_ends_neither_the_loop_nor_the_sync() -> None:
    class Shaky(MemoryJobQueue):
        calls = 0

        async def claim(self, owner: str, lease: timedelta, collections: frozenset[str]) -> Job | None:
            Shaky.calls += 1
            if Shaky.calls == 1:
                raise StoreError("error.store_access", path="x", what="y")
            return await super().claim(owner, lease, collections)

        async def renew(self, job: Job, lease: timedelta) -> Grip:
            raise StoreError("error.store_access", path="x", what="y")

    desk = Upkeep()
    runner = JobRunner((Shaky(desk.stored), desk.record, desk.edits), desk.sync, "p1", pace=PACE)
    asked = await desk.ask("docs")
    async with runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await asyncio.sleep(4 * PACE.beat)
        desk.sync.free.set()
        assert (await desk.end_of(asked)).status == "done"


async def test_an_end_that_cannot_be_stored_is_tried_again_when_the_lease_has_run_out() -> None:
    class Shaky(MemoryJobRecord):
        calls = 0

        async def finish(self, job: Job) -> bool:
            Shaky.calls += 1
            if Shaky.calls == 1:
                raise StoreError("error.store_access", path="x", what="y")
            return await super().finish(job)

    desk = Upkeep()
    desk.sync.free.set()
    runner = JobRunner((desk.queue, Shaky(desk.stored), desk.edits), desk.sync, "p1", pace=PACE)
    asked = await desk.ask("docs")
    async with runner.running(ALL.collections):
        await within(5, desk.sync.begun)
        await asyncio.sleep(4 * PACE.look)
        desk.clock.pass_by(LEASE)
        assert (await desk.end_of(asked)).status == "done"
    assert desk.sync.ran == ["docs", "docs"]


async def test_a_job_that_was_deleted_while_it_was_waited_for_counts_as_cancelled() -> None:
    desk = Upkeep()
    asked = await desk.ask("docs")
    del desk.stored.jobs[asked.job.id]
    assert (await desk.end_of(asked)).status == "cancelled"


async def test_old_jobs_are_forgotten_as_new_ones_end() -> None:
    desk = Upkeep()
    desk.sync.free.set()
    for n in range(260):
        old = Job(f"old-{n}", "docs", (ANN,), desk.clock.now(), status="done")
        desk.stored.jobs[old.id] = old
    kept = replace(desk.stored.jobs["old-0"], id="of-wiki", collection="wiki")
    desk.stored.jobs = {kept.id: kept, **desk.stored.jobs}
    asked = await desk.ask("docs")
    async with desk.runner.running(ALL.collections):
        await desk.end_of(asked)
    left = set(desk.stored.jobs)
    assert len(left) == 201
    assert {"of-wiki", asked.job.id, "old-259"} <= left


async def test_an_end_that_comes_in_the_moment_of_the_process_end_is_told() -> None:
    class Slow(MemoryJobRecord):
        async def finish(self, job: Job) -> bool:
            stored = await super().finish(job)
            finished.set()
            await asyncio.sleep(30)
            return stored

    desk, finished, listener = Upkeep(), asyncio.Event(), Listener()
    desk.sync.free.set()
    runner = JobRunner((desk.queue, Slow(desk.stored), desk.edits), desk.sync, "p1", pace=PACE)
    await desk.ask("docs")
    with runner.heard_by(listener):
        async with runner.running(ALL.collections):
            await within(5, finished)
    assert listener.heard[-1].status == "done"


async def test_old_jobs_are_forgotten_also_where_no_sync_finds_anything_new() -> None:
    async def nothing_new(name: str, _: Progress) -> SyncReport:
        return SyncReport(name)

    desk = Upkeep()
    runner = JobRunner((desk.queue, desk.record, desk.edits), nothing_new, "p1", pace=PACE)
    for _ in range(KEPT + 3 * PRUNED_AFTER):
        await desk.ask("docs")
        job = await desk.queue.claim("p1", LEASE, ALL.collections)
        assert job is not None
        await runner.run(job)
    assert KEPT <= len(desk.stored.jobs) < KEPT + PRUNED_AFTER


async def test_an_end_is_told_though_old_jobs_cannot_be_forgotten() -> None:
    class Full(MemoryJobEdits):
        async def prune(self, keep: int, each: int) -> int:
            raise StoreError("error.store_access", path="/data", what="disk full")

    desk, listener = Upkeep(), Listener()
    desk.sync.free.set()
    runner = JobRunner((desk.queue, desk.record, Full(desk.stored)), desk.sync, "p1", pace=PACE)
    await desk.ask("docs")
    job = await desk.queue.claim("p1", LEASE, ALL.collections)
    assert job is not None
    with runner.heard_by(listener):
        await runner.run(job)
    assert listener.heard[-1].status == "done"
