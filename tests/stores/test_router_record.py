"""What the syncs did to the router, as each database keeps it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.catalog.tested import KEPT, Confusion, SelfTest, Tally
from core.documents import Digest, Readable
from core.errors import Busy
from core.ports import Publication
from tests.stores.conftest import Stores
from tests.stores.values import NOW, a_card, a_publication

ALL = Readable(frozenset({"hr", "ops"}))


def a_self_test(minute: int, hits: int = 38) -> SelfTest:
    """What a test came to."""
    return SelfTest(
        at=NOW + timedelta(minutes=minute),
        planner="local",
        collections={"hr": Tally(40, hits, 40), "ops": Tally()},
        talk=Tally(32, 31),
        outside=Tally(32, 30),
        confusions=(Confusion("hr", "ops", 2, ("연차 휴가", "Leave")),),
        card_versions={"hr": "v1", "ops": "v2"},
        prompt_hash="abc",
        seconds=1.5,
        unasked=3,
    )


def examined(collection: str, number: int, test: SelfTest | None) -> Publication:
    return replace(a_publication(collection, number, {"a.md": str(number)}), self_test=test)


async def test_self_tests_come_back_as_they_were_newest_first(stores: Stores) -> None:
    assert list(await stores.router.tests(9)) == []
    for number, name in enumerate(("hr", "ops", "hr"), 1):
        await stores.publisher.publish(examined(name, number, a_self_test(number)))
    await stores.publisher.publish(examined("hr", 4, None))
    assert list(await stores.router.tests(9)) == [a_self_test(3), a_self_test(2), a_self_test(1)]
    assert list(await stores.router.tests(2)) == [a_self_test(3), a_self_test(2)]


async def test_a_sync_that_publishes_nothing_leaves_no_test(stores: Stores) -> None:
    await stores.publisher.publish(examined("hr", 2, a_self_test(1)))
    with pytest.raises(Busy):
        await stores.publisher.publish(examined("hr", 2, a_self_test(2)))
    assert list(await stores.router.tests(9)) == [a_self_test(1)]


async def test_some_fifty_are_kept_of_each_collection(stores: Stores) -> None:
    await stores.publisher.publish(examined("ops", 1, a_self_test(0)))
    for number in range(1, KEPT + 4):
        await stores.publisher.publish(examined("hr", number, a_self_test(number)))
    kept = list(await stores.router.tests(200))
    assert len(kept) == KEPT + 1
    assert kept[0] == a_self_test(KEPT + 3)
    assert kept[-1] == a_self_test(0)


async def test_each_card_is_kept_as_it_was_before_the_last_sync_of_its_own_collection(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}, a_card("hr", "h1")))
    await stores.publisher.publish(a_publication("ops", 1, {"a.md": "1"}, a_card("ops", "o1"), a_card("hr", "h2")))
    assert dict(await stores.router.before(ALL)) == {}
    await stores.publisher.publish(a_publication("hr", 2, {"a.md": "2"}, a_card("hr", "h3")))
    await stores.publisher.publish(a_publication("ops", 2, {"a.md": "2"}, a_card("hr", "h4")))
    before = await stores.router.before(ALL)
    assert {name: card.version for name, card in before.items()} == {"hr": "h2", "ops": "o1"}
    assert before["hr"] == replace(a_card("hr", "h2"), vectors=b"")
    assert set(await stores.router.before(Readable(frozenset({"ops"})))) == {"ops"}


async def test_a_card_that_a_sync_left_as_it_was_counts_as_before_too(stores: Stores) -> None:
    for number in (1, 2, 3):
        await stores.publisher.publish(a_publication("hr", number, {"a.md": str(number)}, a_card("hr", "same")))
    assert (await stores.router.before(ALL))["hr"].version == "same"


async def test_questions_of_the_texts_are_kept_with_the_statistics(stores: Stores) -> None:
    digest = Digest("hr", 1, {"휴가": 1}, ("연차는 언제 소멸되나요?",))
    await stores.publisher.publish(replace(a_publication("hr", 1, {"a.md": "1"}), digest=digest))
    assert list(await stores.digests.digests()) == [digest]
