"""Syncs that are asked for in chat: whoever asks is told how they go, or that they will not be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC

from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryRouterRecord
from adapters.memory.jobs import MemoryJobNews
from adapters.memory.replies import MemoryPosts
from core.access import Visible
from core.access_commands import Person, Staff
from core.desk.errands import Begun, Bulletin, Errands, Gates, Place
from core.desk.reading import FixedAccess
from core.desk.reindex import Wish
from core.desk.reports import JobReports, ReportStores
from core.desk.visitor import Visitor
from core.documents import Readable
from core.jobs import MOST_ASKERS, Asker
from core.messages import Audience, ReplyTarget
from tests.desk.upkeep import Upkeep

HERE, EVERYTHING = Audience("chat", "w", "c1"), Readable(frozenset({"docs", "wiki"}))


class Names:
    """Who is known in the chat."""

    async def name(self, platform: str, workspace: str, id: str) -> str:
        return {"ann": "Ann Lee"}.get(id, "")


class Counter:
    """Where people ask in one channel; nothing is run."""

    def __init__(self) -> None:
        self.desk, self.posts = Upkeep(), MemoryPosts()
        stored, access = MemoryCollections(self.desk.clock), FixedAccess((Visible("docs"), Visible("wiki")))
        stores = ReportStores(
            self.desk.record,
            MemoryJobNews(self.desk.stored),
            MemoryCatalog(stored),
            MemoryRouterRecord(stored),
            access,
        )
        self.reports = JobReports(stores, self.posts)
        gates = Gates(access, Staff())
        bulletin = Bulletin(self.posts, self.reports, {"chat": Names(), "slack": Names()})
        self.errands = Errands(self.desk.reindexing, self.desk.jobs, gates, bulletin, (self.desk.clock, UTC))

    async def ask(self, user: str, *names: str) -> Begun:
        """Ask for these in the channel, in a message of their own."""
        visitor = Visitor(Person("chat", "w", user, is_admin=True), HERE)
        return await self.errands.reindex(
            visitor, names, Place(ReplyTarget("chat", "w", "c1", user), HERE), self._alone
        )

    async def _alone(self) -> Place:
        raise AssertionError("the channel would do")

    async def crowd(self, name: str) -> None:
        """As many as can be told ask for it."""
        for number in range(MOST_ASKERS):
            await self.ask(f"u{number}", name)

    def said_to(self, user: str) -> str:
        """What stands in their message."""
        return [str(content) for target, content, _ in self.posts.posted if target.thread == user][-1]


async def test_who_joins_is_told_as_the_others_are() -> None:
    counter = Counter()
    first, second = await counter.ask("ann", "docs"), await counter.ask("bo", "docs")
    assert (first.text, counter.said_to("bo")) == ("", "Reading docs anew: waiting for its turn…")
    (asked,) = second.asked
    assert "it is yours too" in second.text
    assert [asker.by for asker in asked.job.askers] == ["chat/w/ann", "chat/w/bo"]


async def test_one_too_many_to_be_told_is_told_that_they_will_not_be() -> None:
    counter = Counter()
    await counter.crowd("docs")
    begun = await counter.ask("last", "docs")
    assert "more people asked for it than can be told" in begun.text
    assert counter.said_to("last") == begun.text
    assert "waiting for its turn" in counter.said_to("u49")


async def test_one_too_many_for_one_collection_is_still_told_of_the_other() -> None:
    counter = Counter()
    await counter.crowd("docs")
    begun = await counter.ask("last", "docs", "wiki")
    assert begun.text.startswith("docs: a sync waits already")
    assert "wiki" not in begun.text
    assert "waiting for its turn" in counter.said_to("last")
    assert [asker.by for asker in begun.asked[1].job.askers] == ["chat/w/last"]


async def test_who_asked_for_a_sync_is_told_without_ids_and_without_names_of_people_elsewhere() -> None:
    counter = Counter()
    ann = Visitor(Person("chat", "w", "ann", is_admin=True), HERE)
    await counter.desk.reindexing.ask(Wish(Asker("console/host-17-abc"), ("docs",)), EVERYTHING, lambda _: True)
    await counter.ask("ann", "docs")
    await counter.desk.reindexing.ask(Wish(Asker("slack/T0001/U0006"), ("docs",)), EVERYTHING, lambda _: True)
    assert "by the command line, Ann Lee, somebody on Slack" in await counter.errands.jobs(ann)
    await counter.desk.reindexing.ask(Wish(Asker("schedule"), ("wiki",)), EVERYTHING, lambda _: True)
    await counter.ask("nobody", "wiki")
    listed = await counter.errands.jobs(replace(ann, language="ko"))
    assert "예약, Chat 사용자 요청" in listed
    assert "U0006" not in listed
