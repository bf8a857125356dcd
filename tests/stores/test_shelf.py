"""The shelf of a run: what was put down once is there in the order asked for, until the run is dropped."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.answers import Retrieved, Scores
from tests.rag.stand_ins import passage
from tests.stores.conftest import Stores

A, B, C = (
    Retrieved(passage(id), Scores(dense=0.5, fused=1.25, rank=rank, weights={"배포": 2.5}))
    for rank, id in enumerate(("a", "b", "c"), start=1)
)


async def test_what_was_put_down_comes_back_whole_and_in_the_order_asked_for(stores: Stores) -> None:
    await stores.shelf.put("t/1", [A, B, C])
    assert list(await stores.shelf.get("t/1", ["c", "a", "unknown"])) == [C, A]


async def test_the_first_that_was_put_down_stays(stores: Stores) -> None:
    other = replace(A, scores=Scores(fused=9))
    await stores.shelf.put("t/1", [A, other])
    await stores.shelf.put("t/1", [other])
    await stores.shelf.put("t/1", [])
    assert list(await stores.shelf.get("t/1", ["a"])) == [A]


async def test_runs_see_and_drop_only_their_own(stores: Stores) -> None:
    await stores.shelf.put("t/1", [A])
    await stores.shelf.put("t/2", [A, B])
    await stores.shelf.drop("t/1")
    assert not await stores.shelf.get("t/1", ["a"])
    assert list(await stores.shelf.get("t/2", ["b", "a"])) == [B, A]


async def test_an_abandoned_run_does_not_stay_for_ever(stores: Stores) -> None:
    await stores.shelf.put("given-up/1", [A])
    stores.clock.move(timedelta(days=2))
    await stores.shelf.put("t/1", [B])
    await stores.shelf.drop("t/1")
    left = await stores.shelf.get("given-up/1", ["a"])
    assert not left or type(stores.shelf).__name__ == "MemoryShelf"  # memory ends with its process
