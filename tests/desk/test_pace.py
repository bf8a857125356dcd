"""A process that can hardly follow hears first and begins later; it never stops beginning."""

from __future__ import annotations

import asyncio
import time

from core.desk.work import BREATH, PATIENCE
from core.messages import Accepted
from tests.desk.stand_ins import Building, open_desk, said
from tests.rag.stand_ins import Cast, ListedSearcher, passage


async def busy(seconds: float) -> None:
    """Keep the event loop from everybody else, nearly all the time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(2 * BREATH)
        await asyncio.sleep(0)


async def test_beside_an_answer_nothing_new_is_begun_while_the_process_can_hardly_follow() -> None:
    slow = Cast(searcher=ListedSearcher([[passage("p1")]], delay=3 * PATIENCE))
    async with open_desk(Building(cast=slow)) as world:
        await world.desk.hear(said("How long?", thread="t1"))
        await asyncio.sleep(0.05)
        load = asyncio.create_task(busy(PATIENCE / 2))
        await asyncio.sleep(0)
        heard = await world.desk.hear(said("How long?", thread="t2"))
        assert isinstance(heard, Accepted)
        await load
        assert world.record.turns[heard.turn.id].status == "waiting"
        await asyncio.sleep(0.2)
        assert world.record.turns[heard.turn.id].status == "running"


async def test_a_process_that_never_calms_down_begins_all_the_same() -> None:
    slow = Cast(searcher=ListedSearcher([[passage("p1")]], delay=5 * PATIENCE))
    async with open_desk(Building(cast=slow)) as world:
        await world.desk.hear(said("How long?", thread="t1"))
        await asyncio.sleep(0.05)
        load = asyncio.create_task(busy(2.5 * PATIENCE))
        await asyncio.sleep(0)
        heard = await world.desk.hear(said("How long?", thread="t2"))
        assert isinstance(heard, Accepted)
        await load
        assert world.record.turns[heard.turn.id].status == "running"
