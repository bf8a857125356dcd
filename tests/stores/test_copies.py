"""Answers in a second place: reserved, then there as a turn of its own thread, or as if nobody had asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.messages import SessionKey, Turn
from tests.stores.conftest import Stores
from tests.stores.values import KEY, LEASE, a_turn, an_answer

ALONE = replace(KEY, thread="share/1")


def reserved() -> Turn:
    """One that is being posted."""
    return replace(a_turn("share/m0", ALONE), status="running", owner="share/1")


async def test_a_copy_that_is_posted_is_a_turn_of_its_thread_with_its_answer(stores: Stores) -> None:
    assert not (await stores.queue.accept(reserved())).duplicate
    assert (await stores.queue.accept(replace(reserved(), id="another"))).duplicate
    there = SessionKey(KEY.platform, KEY.workspace, "C2", "1800.1")
    target = replace(reserved().target, channel="C2", message_ids=("1800.1",))
    posted = replace(reserved(), key=there, target=target, status="answered", answer=an_answer())
    await stores.copies.settle(posted)
    assert await stores.record.find(key=there) == replace(posted, owner=None)
    assert await stores.record.find(key=ALONE) is None
    assert await stores.sessions.forget(ALONE) == 0
    follow_up = a_turn("m1", there)
    await stores.queue.accept(follow_up)
    (past,) = await stores.sessions.history(there, follow_up, 5)
    assert past.question == reserved().question


async def test_nobody_claims_a_copy_and_it_holds_up_nothing(stores: Stores) -> None:
    await stores.queue.accept(reserved())
    stores.clock.move(timedelta(days=1))
    assert await stores.queue.claim("p1", LEASE) is None
    await stores.queue.accept(a_turn("m1"))
    assert await stores.queue.claim("p1", LEASE) is not None


async def test_a_copy_that_was_not_posted_is_as_if_nobody_had_asked_for_it(stores: Stores) -> None:
    await stores.queue.accept(reserved())
    await stores.copies.drop(reserved().id)
    await stores.copies.drop("unknown")
    assert await stores.record.find(turn_id=reserved().id) is None
    assert not (await stores.queue.accept(reserved())).duplicate
