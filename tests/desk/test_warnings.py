"""Warnings about the router reach admins: in the status, and as a direct message once for each change."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryRouterRecord
from adapters.memory.replies import MemoryPosts
from adapters.memory.warnings_told import MemoryWarningsTold
from core.access import Visible
from core.access_commands import Named, Staff
from core.catalog.tested import Confusion, SelfTest, Tally
from core.desk.reading import FixedAccess
from core.desk.routing_told import RouterView
from core.desk.warning import RouterWarnings, WarningStores
from core.documents import Card, Readable
from core.errors import UpstreamError
from core.messages import Audience, ReplyTarget
from core.pulse import Pulse
from tests.desk.upkeep import Clock

NAMES = ("docs", "wiki", "secret")


def a_test(hits: int, *routed: str) -> SelfTest:
    """A self-test by which questions of `docs` went elsewhere."""
    tallies = {name: Tally(10, hits if name == "docs" else 10, 10) for name in NAMES}
    taken = tuple(Confusion("docs", name, 3, (f"Leave in {name}",)) for name in routed)
    return SelfTest(datetime.now(UTC), "local", tallies, Tally(), Tally(), taken, {}, "h")


def collections(*tests: SelfTest) -> MemoryCollections:
    """Published ones, with their Cards and these tests, oldest first."""
    stored = MemoryCollections(Clock())
    stored.cards = {name: Card(name, "v", name, terms=(f"{name}word",)) for name in NAMES}
    stored.tests = [("docs", test) for test in tests]
    return stored


async def test_standing_warnings_are_told_as_far_as_their_readers_may_read() -> None:
    stored = collections(a_test(10), a_test(4, "secret", "wiki"))
    view = RouterView(FixedAccess(()), Staff(), MemoryCatalog(stored), MemoryRouterRecord(stored), 2000)
    lines = "\n".join(await view.warnings(Readable(frozenset({"docs", "wiki"})), "en"))
    assert "docs is routed right for 40 %" in lines
    assert "only wiki has: wikiword" in lines
    assert "secret" not in lines
    assert "docs → secret" in "\n".join(await view.warnings(Readable(frozenset(NAMES)), "en"))
    assert await view.warnings(Readable(frozenset({"wiki"})), "en") == []
    assert await view.warnings(Readable(frozenset()), "en") == []


@dataclass
class Street:
    """Everybody's door, on one platform; some are closed."""

    closed: set[str] = field(default_factory=set)
    opened: list[str] = field(default_factory=list)

    async def open(self, workspace: str, user: str) -> tuple[ReplyTarget, Audience]:
        """The way to one person."""
        self.opened.append(user)
        if user in self.closed:
            raise UpstreamError(detail="cannot_dm_bot")
        target = ReplyTarget("slack", workspace or "T1", f"D{user}", "", recipient=user)
        return target, Audience("slack", workspace or "T1", f"D{user}", user)


@dataclass
class Ground:
    """Warnings over tests that were kept."""

    stored: MemoryCollections
    told: MemoryWarningsTold = field(default_factory=MemoryWarningsTold)
    posts: MemoryPosts = field(default_factory=MemoryPosts)
    street: Street = field(default_factory=Street)
    pulse: Pulse = field(default_factory=Pulse)

    def warnings(self, *admins: str) -> RouterWarnings:
        """Those of one process. Users but U1 may not read `secret`."""
        self.pulse.up()
        access = FixedAccess((Visible("docs"), Visible("wiki"), Visible("secret", False, users=frozenset({"U1"}))))
        catalog, router = MemoryCatalog(self.stored), MemoryRouterRecord(self.stored)
        stores = WarningStores(router, catalog, access, self.told)
        named, everything = Named(frozenset(admins)), Readable(frozenset(NAMES))
        return RouterWarnings(stores, self.posts, {"slack": self.street}, {"slack": self.pulse}, named, everything)

    def test(self, hits: int, *routed: str) -> None:
        """Another sync."""
        self.stored.tests.append(("docs", a_test(hits, *routed)))

    @property
    def heard(self) -> list[tuple[str, str]]:
        """Who was told what."""
        return [(target.channel, str(content)) for target, content, _ in self.posts.posted]


async def test_each_admin_is_told_once_of_each_change_and_only_what_they_may_read() -> None:
    ground = Ground(collections(a_test(10)))
    first, second = (ground.warnings("slack/T1/U1", "U2", "discord/G1/7") for _ in range(2))
    await first.look()
    assert ground.street.opened == []  # nothing to tell, nobody disturbed
    ground.test(4, "secret", "wiki")
    for _ in range(3):
        await first.look()
        await second.look()
    told = dict(ground.heard)
    assert sorted(name for name, _ in ground.heard) == ["DU1", "DU2"]
    assert "docs → secret: 3" in told["DU1"]
    assert "docs → wiki: 3" in told["DU2"]
    assert "secret" not in told["DU2"]
    ground.test(3, "secret", "wiki")  # no change
    await ground.warnings("slack/T1/U1", "U2").look()
    assert len(ground.heard) == 2
    ground.test(3, "wiki")
    await first.look()
    assert [name for name, _ in ground.heard[2:]] == ["DU1"]  # another pair, for who saw the first
    ground.test(10)
    await first.look()
    ground.test(4, "wiki")
    await first.look()
    assert len(ground.heard) == 5  # it was well meanwhile


async def test_who_can_t_be_told_is_not_tried_at_every_look_and_by_no_means_forgotten() -> None:
    ground = Ground(collections(a_test(10), a_test(4, "wiki")))
    ground.street.closed.add("U1")
    warnings = ground.warnings("slack/T1/U1", "slack/T1/U2")
    for _ in range(3):
        await warnings.look()
    assert ground.street.opened == ["U1", "U2"]
    ground.street.closed.clear()
    await ground.warnings("slack/T1/U2").look()  # told before
    await ground.warnings("slack/T1/U1").look()
    assert [name for name, _ in ground.heard] == ["DU2", "DU1"]


async def test_a_message_that_is_not_taken_counts_as_not_told() -> None:
    class Down(MemoryPosts):
        async def post(self, *_: object, **__: object) -> ReplyTarget:
            raise UpstreamError(detail="ratelimited")

    ground = Ground(collections(a_test(10), a_test(4, "wiki")), posts=Down())
    await ground.warnings("U2").look()
    ground.posts = MemoryPosts()
    await ground.warnings("U2").look()
    assert [name for name, _ in ground.heard] == ["DU2"]


async def test_nobody_is_told_through_a_platform_that_is_not_connected() -> None:
    ground = Ground(collections(a_test(10), a_test(4, "wiki")))
    warnings = ground.warnings("U1")
    ground.pulse.down(UpstreamError("error.slack_down"))
    await warnings.look()
    assert ground.street.opened == []
    ground.pulse.up()
    await warnings.look()
    assert [name for name, _ in ground.heard] == ["DU1"]


async def test_where_no_admin_is_named_by_id_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    ground = Ground(collections(a_test(10), a_test(4, "wiki")))
    nobody = ground.warnings()
    with caplog.at_level(logging.WARNING):
        await nobody.look()
        await nobody.look()
    assert [record.message for record in caplog.records if "no admin is named" in record.message] != []
    assert len(caplog.records) == 1
    assert ground.heard == []
