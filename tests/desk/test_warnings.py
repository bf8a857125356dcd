"""Warnings about the router reach admins: in the status."""

from __future__ import annotations

from datetime import UTC, datetime

from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryRouterRecord
from core.access_commands import Staff
from core.catalog.tested import Confusion, SelfTest, Tally
from core.desk.reading import FixedAccess
from core.desk.routing_told import RouterView
from core.documents import Card, Readable
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
