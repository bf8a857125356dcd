"""How jobs go, in one message: edited now and then, whole at the end, and never more than its readers may read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.clock import SystemClock
from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryRouterRecord
from adapters.memory.jobs import MemoryJobEdits, MemoryJobNews, MemoryJobQueue, MemoryJobRecord, MemoryJobs
from adapters.memory.replies import MemoryPosts
from core.access import Visible
from core.answers import Answer
from core.catalog.alarms import Alarm, Pair
from core.catalog.tested import Confusion, SelfTest, Tally
from core.desk.reading import FixedAccess
from core.desk.reports import LONGEST, JobReports, ReportStores
from core.documents import Problem
from core.errors import SourceError, UpstreamError
from core.indexing.report import SyncReport
from core.jobs import LATE, LONGEST_PAUSE, Asker, Failure, Job
from core.messages import Audience, ReplyTarget
from tests.desk.upkeep import Clock

AT = ReplyTarget("chat", "w", "c1", "", message_ids=("m1",))
ANN = Asker("chat/w/u1", AT, "en", Audience("chat", "w", "c1"))
EVERY = 0.1
HIDING = ("wiki", "secret")


@dataclass
class Posts(MemoryPosts):
    """Posts that fail where the message is gone."""

    gone: set[str] = field(default_factory=set)
    bugs: int = 0
    down: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        """Keep it, or fail."""
        if self.bugs:
            self.bugs -= 1
            raise ZeroDivisionError
        if self.down:
            raise UpstreamError(detail="ratelimited")
        if self.gone & set(target.message_ids):
            raise UpstreamError(detail="message_not_found")
        return await super().post(target, content, turn_id)

    @property
    def texts(self) -> list[str]:
        """What was posted, in order."""
        return [str(content) for _, content, _ in self.posted]


@dataclass
class Ground:
    """Stored jobs, and the reports over them."""

    jobs: MemoryJobs
    posts: Posts
    reports: JobReports

    async def news(self, *jobs: Job) -> None:
        """These are stored, and told."""
        for job in jobs:
            self.jobs.jobs[job.id] = job
            await self.reports.told(job)


@asynccontextmanager
async def opened(
    visible: Sequence[Visible] = (Visible("docs"), Visible("wiki")), stored: MemoryJobs | None = None
) -> AsyncIterator[Ground]:
    jobs, collections, posts = stored or MemoryJobs(SystemClock()), MemoryCollections(SystemClock()), Posts()
    catalog, router = MemoryCatalog(collections), MemoryRouterRecord(collections)
    access = FixedAccess(tuple(visible))
    stores = ReportStores(MemoryJobRecord(jobs), MemoryJobNews(jobs), catalog, router, access)
    async with JobReports(stores, posts, frozenset({"chat"}), EVERY) as reports:
        yield Ground(jobs, posts, reports)


def a_test() -> SelfTest:
    asked = Tally(10, 4, 6)
    return SelfTest(datetime.now(UTC), "local", {"docs": asked, "wiki": asked}, Tally(), Tally(), (), {}, "h")


def a_job(collection: str = "docs", **more: object) -> Job:
    return replace(Job(f"id-{collection}", collection, (ANN,), datetime.now(UTC)), **more)  # type: ignore[arg-type]


async def test_much_news_is_few_edits_and_the_end_is_always_told() -> None:
    async with opened() as ground:
        for done in range(30):
            await ground.news(a_job(status="running", phase="documents", done=done, total=30))
            await asyncio.sleep(0.01)
        await ground.news(a_job(status="done", report=SyncReport("docs", added=3)))
        await asyncio.sleep(2.5 * EVERY)
        assert 2 <= len(ground.posts.texts) <= 7
        assert "3 added" in ground.posts.texts[-1]
        assert {target.message_ids for target, _, _ in ground.posts.posted} == {("m1",)}


async def test_several_collections_stand_in_one_message() -> None:
    async with opened() as ground:
        await ground.news(a_job(status="done", report=SyncReport("docs", added=3)), a_job("wiki", status="running"))
        await asyncio.sleep(EVERY / 2)
        (text,) = ground.posts.texts
        assert "docs: 3 added" in text
        assert "**wiki**: running" in text


async def test_what_is_left_to_tell_is_told_at_the_end_of_the_process() -> None:
    async with opened() as ground:
        await ground.news(a_job(status="running"))
        await asyncio.sleep(0.01)
        await ground.news(a_job(status="done", report=SyncReport("docs", changed=1)))
    assert "1 changed" in ground.posts.texts[-1]


async def test_a_bug_in_telling_keeps_no_later_news_back_and_no_process_from_ending() -> None:
    async with opened() as ground:
        ground.posts.bugs = 1
        await ground.news(a_job(status="running"))
        await asyncio.sleep(0.01)
        await ground.news(a_job(status="done", report=SyncReport("docs", changed=1)))
        await asyncio.sleep(2.5 * EVERY)
        assert "1 changed" in ground.posts.texts[-1]
        ground.posts.bugs = 2
        await ground.news(a_job(status="running"))
        await asyncio.sleep(0.01)
        await ground.news(a_job(status="running"))


async def test_what_could_not_be_read_is_named_and_failures_say_why() -> None:
    problems = tuple(Problem(f"page {number}.pdf", "parse.scanned") for number in range(30))
    failed = Failure.of(SourceError("error.folder_missing", path="/x"))
    async with opened() as ground:
        done = a_job(status="done", report=SyncReport("docs", problems=problems, complete=False))
        await ground.news(done, a_job("wiki", status="failed", failure=failed))
        await asyncio.sleep(EVERY / 2)
        text = ground.posts.texts[-1]
        assert "page 0.pdf was not read" in text
        assert "and 20 more" in text
        assert "could not be listed completely" in text
        assert "**wiki**: failed. The folder /x" in text


async def test_what_its_readers_may_not_read_any_more_is_left_out() -> None:
    async with opened((Visible("docs"), Visible("wiki", everyone=False))) as ground:
        await ground.news(a_job(status="running"), a_job("wiki", status="running"))
        await asyncio.sleep(EVERY / 2)
        assert ["wiki" in text for text in ground.posts.texts] == [False]


async def test_the_end_is_posted_anew_where_the_message_is_gone() -> None:
    async with opened() as ground:
        ground.posts.gone.add("m1")
        await ground.news(a_job(status="running"))
        await asyncio.sleep(2 * EVERY)
        assert ground.posts.texts == []
        await ground.news(a_job(status="done", report=SyncReport("docs")))
        await asyncio.sleep(EVERY / 2)
        assert [target.message_ids for target, _, _ in ground.posts.posted] == [("post-1",)]


async def test_warnings_about_the_router_are_written_out_as_far_as_their_readers_may_read() -> None:
    taken = [Pair(Confusion("docs", name, 3, (f"Leave in {name}",)), ("vacation",), ("deploy",)) for name in HIDING]
    warned = Alarm("docs", Tally(10, 4, 6), 0.9, tuple(taken))
    about_hidden = Alarm("secret", Tally(10, 5, 6), None, (Pair(Confusion("secret", "docs", 5)),))
    report = SyncReport("docs", self_test=a_test(), alarms=(warned, about_hidden))
    async with opened((Visible("docs"), Visible("wiki"), Visible("secret", everyone=False))) as ground:
        await ground.news(a_job(status="done", report=report))
        await until(ground, "Warnings about the router: 2")
        text = ground.posts.texts[-1]
    assert "docs is routed right for 40 %" in text
    assert "docs → wiki: 3, such as “Leave in wiki”" in text
    assert "only docs has: vacation" in text
    assert "secret" not in text


async def test_who_looks_for_themselves_is_told_nothing() -> None:
    async with opened() as ground:
        await ground.news(replace(a_job(status="running"), askers=(Asker("schedule"),)))
        await asyncio.sleep(EVERY / 2)
        assert ground.posts.texts == []


async def elsewhere(stored: MemoryJobs, *collections: str) -> None:
    """Another process runs what waits to its end, and knows no platform."""
    for name in collections:
        job = await MemoryJobQueue(stored).claim("p2", LATE, frozenset({name}))
        assert job is not None
        assert await MemoryJobRecord(stored).finish(replace(job, status="done", report=SyncReport(name, added=3)))


async def asked_for(stored: MemoryJobs, *collections: str, by: Asker = ANN) -> None:
    """In chat."""
    for name in collections:
        await MemoryJobQueue(stored).ask(a_job(name, askers=(by,)))


async def until(ground: Ground, word: str) -> None:
    """Somebody is told so."""
    async with asyncio.timeout(5):
        while not any(word in text for text in ground.posts.texts):
            await asyncio.sleep(EVERY / 5)


async def test_the_end_of_a_job_that_another_process_ran_is_told_and_once() -> None:
    stored = MemoryJobs(Clock())
    async with opened(stored=stored) as ground:
        await asked_for(stored, "docs", "wiki")
        await elsewhere(stored, "docs", "wiki")
        stored.clock.pass_by(LATE)
        await until(ground, "wiki: 3 added")
        assert "docs: 3 added" in ground.posts.texts[-1]
        stored.clock.pass_by(LONGEST_PAUSE)
        await asyncio.sleep(3 * EVERY)
        assert len(ground.posts.texts) == 1


async def test_the_end_that_nobody_was_there_to_tell_is_told_after_a_restart_and_by_whom_it_concerns() -> None:
    stored = MemoryJobs(Clock())
    other = replace(ANN, target=replace(AT, platform="talk", message_ids=("m2",)))
    await asked_for(stored, "docs")
    await asked_for(stored, "wiki", by=other)
    await elsewhere(stored, "docs")
    await MemoryJobEdits(stored).cancel("id-wiki")
    stored.clock.pass_by(LATE)
    async with opened(stored=stored) as ground:
        await until(ground, "docs: 3 added")
        assert {target.message_ids for target, _, _ in ground.posts.posted} == {("m1",)}
    assert [each.asker for each in stored.untold] == [other]


async def test_the_end_that_the_platform_did_not_take_is_told_when_it_does() -> None:
    stored = MemoryJobs(Clock())
    async with opened(stored=stored) as ground:
        ground.posts.down = True
        await asked_for(stored, "docs")
        await elsewhere(stored, "docs")
        await ground.reports.told(stored.jobs["id-docs"])
        for _ in range(3):
            stored.clock.pass_by(LATE)
            await asyncio.sleep(2 * EVERY)
        assert ground.posts.texts == []
        ground.posts.down = False
        stored.clock.pass_by(LONGEST_PAUSE)
        await until(ground, "docs: 3 added")
        assert stored.untold == []


async def test_who_is_told_at_once_is_not_told_again_later() -> None:
    stored = MemoryJobs(Clock())
    async with opened(stored=stored) as ground:
        await asked_for(stored, "docs")
        await elsewhere(stored, "docs")
        await ground.reports.told(stored.jobs["id-docs"])
        await until(ground, "docs: 3 added")
        stored.clock.pass_by(LATE)
        await asyncio.sleep(2 * EVERY)
        assert len(ground.posts.texts) == 1


@given(st.lists(st.text(max_size=3000), max_size=12))
@settings(max_examples=20, deadline=None)
async def test_however_much_there_is_to_tell_it_stays_one_message(names: list[str]) -> None:
    async with opened() as ground:
        problems = tuple(Problem(name, "parse.broken") for name in names)
        await ground.news(a_job(status="done", report=SyncReport("docs", problems=problems)))
    assert all(len(text) <= LONGEST + 10 for text in ground.posts.texts)
