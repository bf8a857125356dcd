"""The outlines of turns: how they ended, where they were sent, whether the web was asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from adapters.sql.activity import SqlTurnLog
from adapters.sql.database import Database
from core.activity import Outline
from core.answers import Answer, Plan, TraceEvent
from tests.stores.conftest import Stores, in_database
from tests.stores.values import KEY, LEASE, NOW, MovingClock, a_turn


async def ended(stores: Stores, identity: str, answer: Answer | None, *, days_ago: float = 0) -> None:
    turn = replace(a_turn(identity, replace(KEY, thread=identity)), created_at=NOW - timedelta(days=days_ago))
    await stores.queue.accept(turn)
    claimed = await stores.queue.claim("p1", LEASE)
    assert claimed is not None
    status = "answered" if answer else "failed"
    assert await stores.record.finish(replace(claimed, status=status, answer=answer))  # type: ignore[arg-type]


def answer(standing: str, plan: Plan | None, *nodes: str) -> Answer:
    return Answer("…", standing, plan=plan, trace=tuple(TraceEvent(node, 1.0) for node in nodes))  # type: ignore[arg-type]


async def test_each_turn_is_outlined_by_its_end_its_plan_and_its_searches(stores: Stores) -> None:
    hr = Plan("q", "collections", ("hr", "it"))
    await ended(stores, "m1", answer("supported", hr, "plan", "retrieve", "grade"))
    await ended(stores, "m2", answer("closest", hr, "plan", "retrieve", "search", "grade", "search"))
    await ended(stores, "m3", answer("direct", Plan("q", "direct")))
    await ended(stores, "m4", None)
    await stores.queue.accept(a_turn("m5"))
    assert list(await stores.log.since(NOW)) == [
        Outline("supported", "collections", ("hr", "it")),
        Outline("closest", "collections", ("hr", "it"), searched_web=True),
        Outline("direct", "direct"),
        Outline("failed"),
        Outline("waiting"),
    ]


async def test_only_what_was_asked_since_the_moment_counts(stores: Stores) -> None:
    for identity, days in (("old", 8.0), ("edge", 7.0), ("new", 0.0)):
        await ended(stores, identity, answer(identity, None), days_ago=days)
    found = await stores.log.since(NOW - timedelta(days=7))
    assert [each.ended for each in found] == ["edge", "new"]


async def test_a_withdrawn_turn_is_outlined_without_what_it_was(stores: Stores) -> None:
    await ended(stores, "m1", answer("closest", Plan("q", "collections", ("hr",)), "search"))
    await stores.edits.withdraw("turn-m1")
    assert list(await stores.log.since(NOW)) == [Outline("withdrawn")]


async def test_a_record_longer_than_a_page_is_read_to_its_end(database: Database) -> None:
    stores = in_database(database, MovingClock())
    for number in range(9):
        await ended(stores, f"m{number}", answer("supported", None))
    assert len(await SqlTurnLog(database, page=3).since(NOW)) == 9
