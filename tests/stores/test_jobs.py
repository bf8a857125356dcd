"""Jobs: asked for once, claimed one at a time a collection, taken up after a crash, stopped, pruned."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.memory.jobs import MemoryJobEdits, MemoryJobNews, MemoryJobQueue, MemoryJobRecord, MemoryJobs
from adapters.sql.database import Database, sqlite_url
from adapters.sql.job_news import SqlJobNews
from adapters.sql.jobs import SqlJobEdits, SqlJobQueue, SqlJobRecord
from core.documents import Problem
from core.errors import SourceError
from core.indexing.report import SyncReport
from core.jobs import LATE, LONGEST_PAUSE, MOST_PROBLEMS, MOST_TRIES, Asked, Asker, Failure, Job, pause, storable
from core.messages import Audience, ReplyTarget
from core.ports import JobEdits, JobNews, JobQueue, JobRecord
from tests.stores.conftest import emptied
from tests.stores.values import LEASE, NOW, MovingClock

BOTH = frozenset({"docs", "wiki"})
MINJI = Asker("slack/T1/U1", ReplyTarget("slack", "T1", "C1", "1700.1", recipient="U1"), "ko")
JO = Asker("console")


@dataclass
class JobStores:
    """One implementation."""

    queue: JobQueue
    record: JobRecord
    edits: JobEdits
    news: JobNews
    clock: MovingClock


def in_database(database: Database, clock: MovingClock) -> JobStores:
    return JobStores(SqlJobQueue(database), SqlJobRecord(database), SqlJobEdits(database), SqlJobNews(database), clock)


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def stores(request: pytest.FixtureRequest, tmp_path: Path, empty_file: Path) -> AsyncIterator[JobStores]:
    """Every implementation, empty."""
    clock = MovingClock()
    if request.param == "memory":
        kept = MemoryJobs(clock)
        yield JobStores(MemoryJobQueue(kept), MemoryJobRecord(kept), MemoryJobEdits(kept), MemoryJobNews(kept), clock)
    elif request.param == "sqlite":
        async with Database(sqlite_url(shutil.copy(empty_file, tmp_path / "refdesk.db")), clock) as database:
            yield in_database(database, clock)
    else:
        async with emptied(request.getfixturevalue("postgres_url"), clock) as database:
            yield in_database(database, clock)


def a_job(id: str, collection: str = "docs", by: Asker = JO) -> Job:
    return Job(id, collection, (by,), NOW)


async def asked(stores: JobStores, job: Job) -> Asked:
    found = await stores.queue.ask(job)
    assert found is not None
    return found


async def claimed(stores: JobStores, owner: str = "p1") -> Job:
    job = await stores.queue.claim(owner, LEASE, BOTH)
    assert job is not None
    return job


async def finished(stores: JobStores, id: str, collection: str = "docs") -> Job:
    await asked(stores, a_job(id, collection))
    job = await claimed(stores)
    assert await stores.record.finish(replace(job, status="done"))
    return job


async def test_a_job_comes_back_as_it_was_asked_for(stores: JobStores) -> None:
    job = replace(a_job("j1", by=MINJI), slot=NOW)
    assert await asked(stores, job) == Asked(job)
    assert await stores.record.find("j1") == job
    assert await stores.record.find("j2") is None


async def test_asking_while_one_waits_gives_that_one_with_everybody_who_asked(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    for asker in (MINJI, MINJI, JO):
        again = await asked(stores, a_job("another", by=asker))
        assert (again.job.id, again.fresh, again.behind) == ("j1", False, False)
    found = await stores.record.find("j1")
    assert found is not None
    assert found.askers == (JO, MINJI)


async def test_many_who_ask_at_once_get_one_job(stores: JobStores) -> None:
    jobs = [a_job(f"j{n}", by=Asker(f"u{n}")) for n in range(8)]
    found = await asyncio.gather(*(asked(stores, job) for job in jobs))
    assert len({each.job.id for each in found}) == 1
    assert sum(each.fresh for each in found) == 1
    stored = await stores.record.find(found[0].job.id)
    assert stored is not None
    assert {asker.by for asker in stored.askers} == {f"u{n}" for n in range(8)}


async def test_asking_while_one_runs_queues_one_more_and_no_third(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await claimed(stores)
    second, third = await asked(stores, a_job("j2")), await asked(stores, a_job("j3"))
    assert (second.job.id, second.fresh, second.behind) == ("j2", True, True)
    assert (third.job.id, third.fresh, third.behind) == ("j2", False, True)


async def test_one_runs_at_a_time_in_a_collection_and_collections_side_by_side(stores: JobStores) -> None:
    for id, collection in (("j1", "docs"), ("j2", "wiki")):
        await asked(stores, a_job(id, collection))
    first = await claimed(stores)
    await asked(stores, a_job("j3"))
    assert (first.id, (await claimed(stores, "p2")).id) == ("j1", "j2")
    assert await stores.queue.claim("p3", LEASE, BOTH) is None
    await stores.record.finish(replace(first, status="done"))
    assert (await claimed(stores, "p3")).id == "j3"


async def test_only_the_collections_that_are_named_are_claimed(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    assert await stores.queue.claim("p1", LEASE, frozenset({"wiki"})) is None
    assert await stores.queue.claim("p1", LEASE, frozenset()) is None


async def test_several_claimers_at_once_never_share_a_job(stores: JobStores) -> None:
    for n in range(6):
        await asked(stores, a_job(f"j{n}", f"c{n}"))
    names = frozenset(f"c{n}" for n in range(6))
    found = await asyncio.gather(*(stores.queue.claim(f"p{n}", LEASE, names) for n in range(9)))
    ids = [job.id for job in found if job is not None]
    assert len(ids) == len(set(ids))


async def test_a_claim_says_who_since_when_and_how_often(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    stores.clock.move(timedelta(minutes=5))
    job = await claimed(stores)
    assert (job.status, job.owner, job.attempts, job.started_at) == ("running", "p1", 1, stores.clock.now())
    assert job.lease_until == stores.clock.now() + LEASE
    assert job.is_at_work(stores.clock.now())


async def test_a_lease_that_ran_out_is_taken_over_and_the_old_owner_can_store_nothing(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    lost = await claimed(stores)
    assert await stores.queue.claim("p2", LEASE, BOTH) is None
    stores.clock.move(LEASE)
    taken = await claimed(stores, "p2")
    assert (taken.id, taken.attempts) == ("j1", 2)
    assert await stores.queue.renew(lost, LEASE) == "lost"
    assert not await stores.record.finish(replace(lost, status="done"))
    assert await stores.queue.renew(taken, LEASE) == "ours"


async def test_a_renewed_lease_holds_and_tells_how_far_the_job_is(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    job = await claimed(stores)
    stores.clock.move(LEASE / 2)
    assert await stores.queue.renew(replace(job, phase="documents", done=3, total=7), LEASE) == "ours"
    stores.clock.move(LEASE / 2)
    assert await stores.queue.claim("p2", LEASE, BOTH) is None
    stored = await stores.record.find("j1")
    assert stored is not None
    assert (stored.phase, stored.done, stored.total) == ("documents", 3, 7)


async def test_a_job_that_is_given_back_is_free_at_once_and_was_no_attempt(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await stores.queue.renew(await claimed(stores), timedelta(0))
    assert (await claimed(stores, "p2")).attempts == 1


async def test_what_was_interrupted_comes_before_what_waits_behind_it(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await claimed(stores)
    await asked(stores, a_job("j2"))
    stores.clock.move(LEASE)
    assert (await claimed(stores, "p2")).id == "j1"
    assert await stores.queue.claim("p3", LEASE, BOTH) is None


async def test_asking_for_an_interrupted_job_joins_it_and_its_old_owner_cannot_go_on(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    slow = await claimed(stores)
    stores.clock.move(LEASE)
    again = await asked(stores, a_job("j2", by=MINJI))
    assert (again.job.id, again.fresh, again.job.attempts) == ("j1", False, 0)
    assert await stores.queue.renew(slow, LEASE) == "lost"
    assert (await claimed(stores, "p2")).askers == (JO, MINJI)


async def test_how_it_ended_comes_back(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    job = await claimed(stores)
    report = SyncReport("docs", added=2, problems=(Problem("스캔.pdf", "parse.scanned", "3"),), seconds=1.5)
    failure = Failure.of(SourceError("error.folder_missing", path="/docs"))
    stores.clock.move(timedelta(seconds=9))
    assert await stores.record.finish(replace(job, status="failed", report=report, failure=failure))
    stored = await stores.record.find("j1")
    assert stored is not None
    assert (stored.status, stored.report, stored.failure) == ("failed", report, failure)
    assert (stored.owner, stored.lease_until, stored.finished_at) == (None, None, stores.clock.now())
    assert not await stores.record.finish(replace(job, status="done"))


async def test_a_waiting_job_that_is_cancelled_ends_at_once(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    cancelled = await stores.edits.cancel("j1")
    assert cancelled is not None
    assert (cancelled.status, cancelled.finished_at) == ("cancelled", stores.clock.now())
    assert await stores.queue.claim("p1", LEASE, BOTH) is None
    assert await stores.edits.cancel("j1") is None
    assert (await asked(stores, a_job("j2"))).fresh


async def test_a_running_job_that_is_cancelled_is_told_to_stop(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    job = await claimed(stores)
    cancelled = await stores.edits.cancel("j1")
    assert cancelled is not None
    assert (cancelled.status, cancelled.cancelling) == ("running", True)
    assert await stores.queue.renew(job, LEASE) == "stop"
    assert (await asked(stores, a_job("j2"))).job.id == "j2"  # it will not be done, so nobody may rely on it


async def test_a_job_whose_process_died_is_cancelled_at_once(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await claimed(stores)
    stores.clock.move(LEASE)
    cancelled = await stores.edits.cancel("j1")
    assert cancelled is not None
    assert cancelled.status == "cancelled"


async def test_a_cancelled_job_whose_process_died_is_joined_by_nobody(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await claimed(stores)
    await stores.edits.cancel("j1")
    stores.clock.move(LEASE)
    assert (await asked(stores, a_job("j2"))).job.id == "j2"


async def test_a_slot_is_asked_for_once(stores: JobStores) -> None:
    slot = NOW + timedelta(hours=1)
    jobs = [replace(a_job(f"j{n}", by=Asker("schedule")), slot=slot) for n in range(5)]
    found = await asyncio.gather(*(stores.queue.ask(job) for job in jobs))
    assert sum(each is not None for each in found) == 1
    await claimed(stores)
    assert await stores.queue.ask(replace(a_job("late"), slot=slot - timedelta(hours=6))) is None
    assert await stores.queue.ask(replace(a_job("next"), slot=slot + timedelta(hours=1))) is not None


async def test_a_slot_joins_the_job_that_waits(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    joined = await asked(stores, replace(a_job("j2", by=Asker("schedule")), slot=NOW))
    assert (joined.job.id, joined.job.slot, joined.fresh) == ("j1", NOW, False)
    again = await asked(stores, a_job("j3"))
    assert again.job.slot == NOW


async def test_the_latest_jobs_come_newest_first_of_the_collections_asked_for(stores: JobStores) -> None:
    for n, collection in enumerate(("docs", "wiki", "docs", "wiki")):
        await finished(stores, f"j{n}", collection)
    assert [job.id for job in await stores.record.latest(BOTH, 3)] == ["j3", "j2", "j1"]
    assert [job.id for job in await stores.record.latest(frozenset({"docs"}), 9)] == ["j2", "j0"]
    assert list(await stores.record.latest(frozenset(), 9)) == []


async def test_how_jobs_stand_can_be_asked_without_their_reports(stores: JobStores) -> None:
    await asked(stores, a_job("j1"))
    await stores.record.finish(replace(await claimed(stores), status="done", report=SyncReport("docs", added=2)))
    (whole,), (bare,) = [await stores.record.latest(BOTH, 3, reports=reports) for reports in (True, False)]
    assert whole.report == SyncReport("docs", added=2)
    assert bare == replace(whole, report=None)


async def test_old_jobs_go_but_the_latest_of_each_collection_stay(stores: JobStores) -> None:
    for n in range(3):
        await finished(stores, f"w{n}", "wiki")
    for n in range(6):
        await finished(stores, f"d{n}", "docs")
    await asked(stores, a_job("waiting"))
    assert await stores.edits.prune(4, 1) == 4
    left = [job.id for job in await stores.record.latest(BOTH, 99)]
    assert left == ["waiting", "d5", "d4", "d3", "d2", "w2"]


def test_a_failure_becomes_the_same_error_again() -> None:
    error = SourceError("error.folder_missing", path="/docs", detail="for the log")
    again = Failure.of(error).error()
    assert type(again) is SourceError
    assert (again.id, again.user_message("en")) == (error.id, error.user_message("en"))
    assert again.detail == ""


def test_a_stored_report_names_some_problems_and_counts_all() -> None:
    problems = tuple(Problem(f"{n}.pdf", "parse.scanned") for n in range(MOST_PROBLEMS + 30))
    kept = storable(SyncReport("docs", problems=problems))
    assert (len(kept.problems), kept.failed) == (MOST_PROBLEMS, MOST_PROBLEMS + 30)


async def test_what_waits_for_a_collection_that_is_configured_no_more_ends(stores: JobStores) -> None:
    await asked(stores, a_job("lost"))
    await claimed(stores)
    stores.clock.move(LEASE)
    await asked(stores, a_job("w1", "wiki"))
    await claimed(stores)  # the interrupted one, once more
    await claimed(stores)
    await asked(stores, a_job("w2", "wiki"))
    assert await stores.edits.abandon(frozenset({"docs"})) == 1  # of the wiki one runs: its process ends it
    stores.clock.move(LEASE)
    assert await stores.edits.abandon(frozenset({"docs"})) == 1
    assert await stores.edits.abandon(frozenset({"docs"})) == 0
    statuses = {job.id: job.status for job in await stores.record.latest(BOTH, 9)}
    assert statuses == {"lost": "running", "w1": "cancelled", "w2": "cancelled"}


async def test_a_slot_of_a_clock_that_went_far_ahead_keeps_no_slot_from_being_asked_for(stores: JobStores) -> None:
    await asked(stores, replace(a_job("j1"), slot=NOW + timedelta(days=400)))
    await finished(stores, "j2")
    stores.clock.move(timedelta(minutes=1))
    assert await stores.queue.ask(replace(a_job("j3"), slot=NOW)) is not None
    assert await stores.queue.ask(replace(a_job("j4"), slot=NOW)) is None


def test_a_failure_that_another_version_stored_is_told_in_general_words_with_its_id() -> None:
    error = Failure("abcd1234", "SourceError", "error.of_tomorrow", {"path": "/docs"}).error()
    assert "abcd1234" in error.user_message("en")
    assert "abcd1234" in error.user_message("ko")


SLACK = frozenset({"slack"})
HANA = replace(MINJI, audience=Audience("slack", "T1", "C1"))
SEAN = Asker(
    "discord/G1/7", ReplyTarget("discord", "G1", "K1", "", message_ids=("9",)), "en", Audience("d", "G1", "K1")
)


async def test_the_end_of_a_job_is_known_to_be_untold_until_it_was_told(stores: JobStores) -> None:
    await asked(stores, a_job("j1", by=HANA))
    await asked(stores, a_job("j2", by=HANA))  # joins the one that waits: nobody is told twice
    await asked(stores, a_job("j3", by=SEAN))
    await asked(stores, a_job("j4", "wiki", by=JO))
    stores.clock.move(LATE)
    assert await stores.news.claim(SLACK, 9) == []
    assert await stores.record.finish(replace(await claimed(stores), status="done"))
    assert await stores.news.claim(SLACK, 9) == []  # whoever ran it has its chance
    stores.clock.move(LATE)
    assert await stores.news.claim(SLACK, 9) == [HANA]
    assert HANA.target is not None
    await stores.news.told(HANA.target, ["j1", "j4"])
    await stores.news.told(HANA.target, [])
    stores.clock.move(LONGEST_PAUSE)
    assert await stores.news.claim(SLACK, 9) == []
    assert await stores.news.claim(frozenset({"discord", "console"}), 9) == [SEAN]


async def test_what_can_t_be_told_is_tried_again_with_growing_pauses_and_in_the_end_no_more(stores: JobStores) -> None:
    await asked(stores, a_job("j1", by=HANA))
    assert await stores.edits.cancel("j1") is not None
    stores.clock.move(LATE)
    second = timedelta(seconds=1)
    for tries in range(MOST_TRIES):
        assert await stores.news.claim(SLACK, 9) == [HANA]
        stores.clock.move(pause(tries) - second)
        assert await stores.news.claim(SLACK, 9) == []
        stores.clock.move(second)
    stores.clock.move(10 * LONGEST_PAUSE)
    assert await stores.news.claim(SLACK, 9) == []
    assert [pause(tries) for tries in (0, 1, 2, 99)] == [LATE, 2 * LATE, 4 * LATE, LONGEST_PAUSE]


async def test_two_processes_never_claim_the_same_news_and_what_is_pruned_is_no_news(stores: JobStores) -> None:
    await asked(stores, a_job("j1", by=HANA))
    await stores.edits.cancel("j1")
    await asked(stores, a_job("j2", by=SEAN))
    await stores.edits.cancel("j2")
    stores.clock.move(LATE)
    both = frozenset({"slack", "discord"})
    assert await stores.news.claim(both, 1) == [HANA]
    found = await asyncio.gather(*(stores.news.claim(both, 9) for _ in range(4)))
    assert sorted(map(len, found)) == [0, 0, 0, 1]
    stores.clock.move(LONGEST_PAUSE)
    await stores.edits.prune(0, 0)
    assert await stores.news.claim(both, 9) == []
