"""Publishing a sync, pinning what it published, and the right to sync."""

from __future__ import annotations

import asyncio

import pytest

from core.documents import Digest, Problem, Readable
from core.errors import Busy
from tests.stores.conftest import Stores
from tests.stores.values import LEASE, a_card, a_publication, a_record

HR = Readable(frozenset({"hr"}))
ALL = Readable(frozenset({"hr", "ops", "gone"}))


async def test_nothing_is_pinned_before_the_first_publication(stores: Stores) -> None:
    assert (await stores.catalog.pin(ALL)).generations == ()
    assert await stores.catalog.cards(ALL) == []
    assert await stores.catalog.documents("hr") == {}
    assert await stores.digests.digests() == []
    assert list(await stores.digests.problems("hr")) == []


async def test_a_publication_is_seen_as_it_was_made(stores: Stores) -> None:
    publication = a_publication("hr", 1, {"휴가.md": "1", "a/b.md": "2"})
    await stores.publisher.publish(publication)
    (generation,) = (await stores.catalog.pin(HR)).generations
    assert generation == publication.generation
    assert generation.published_at.tzinfo is not None
    assert await stores.catalog.documents("hr") == {r.id: r for r in publication.documents}
    assert list(await stores.catalog.cards(HR)) == [a_card("hr")]
    assert await stores.digests.digests() == [Digest("hr", 2, {"휴가": 2, "policy": 1})]
    (problem,) = await stores.digests.problems("hr")
    assert (problem, problem.fingerprint) == (Problem("scan.pdf", "parse.scanned", "0 of 3 pages"), "recipe:5-1")


async def test_only_readable_collections_are_pinned_and_shown(stores: Stores) -> None:
    for name in ("hr", "ops"):
        await stores.publisher.publish(a_publication(name, 1, {"x.md": "1"}))
    assert (await stores.catalog.pin(HR)).collections == {"hr"}
    assert [card.collection for card in await stores.catalog.cards(HR)] == ["hr"]
    assert (await stores.catalog.pin(ALL)).collections == {"hr", "ops"}
    nobody = Readable(frozenset())
    assert (await stores.catalog.pin(nobody)).generations == ()
    assert await stores.catalog.cards(nobody) == []


async def test_an_old_pin_stays_valid_after_the_next_publication(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1", "b.md": "1"}))
    old = await stores.catalog.pin(HR)
    await stores.publisher.publish(a_publication("hr", 2, {"a.md": "2", "c.md": "1"}))
    new = await stores.catalog.pin(HR)
    assert old.holds("hr", "a.md", "1")
    assert old.holds("hr", "b.md", "1")
    assert not old.holds("hr", "a.md", "2")
    assert new.holds("hr", "a.md", "2")
    assert not new.holds("hr", "b.md", "1")
    assert old.key != new.key
    assert set(await stores.catalog.documents("hr")) == {"a.md", "c.md"}


async def test_changed_metadata_of_a_document_is_published_too(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}))
    second = a_publication("hr", 2, {"a.md": "2"})
    await stores.publisher.publish(second)
    assert (await stores.catalog.documents("hr"))["a.md"] == a_record("a.md", "2")


async def test_an_empty_collection_can_be_published(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}))
    await stores.publisher.publish(a_publication("hr", 2, {}))
    (generation,) = (await stores.catalog.pin(HR)).generations
    assert (generation.number, dict(generation.documents)) == (2, {})


async def test_cards_of_other_collections_change_with_a_publication(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 1, {"a.md": "1"}))
    await stores.publisher.publish(a_publication("ops", 1, {"x.md": "1"}, a_card("ops", "o1"), a_card("hr", "h2")))
    scope = await stores.catalog.pin(ALL)
    assert {g.collection: (g.number, g.card_version) for g in scope.generations} == {
        "hr": (1, "h2"),
        "ops": (1, "o1"),
    }
    assert [card.version for card in await stores.catalog.cards(ALL)] == ["h2", "o1"]


async def test_a_slower_sync_publishes_nothing(stores: Stores) -> None:
    await stores.publisher.publish(a_publication("hr", 2, {"a.md": "2"}))
    for number in (1, 2):
        with pytest.raises(Busy):
            await stores.publisher.publish(a_publication("hr", number, {"late.md": "1"}, a_card("hr", "late")))
    assert set(await stores.catalog.documents("hr")) == {"a.md"}
    assert [card.version for card in await stores.catalog.cards(HR)] == ["v2"]


async def test_one_process_at_a_time_may_sync_a_collection(stores: Stores) -> None:
    assert await stores.publisher.lock("hr", "p1", LEASE)
    assert not await stores.publisher.lock("hr", "p2", LEASE)
    assert await stores.publisher.lock("ops", "p2", LEASE)
    assert await stores.publisher.lock("hr", "p1", LEASE)
    await stores.publisher.unlock("hr", "p2")
    assert not await stores.publisher.lock("hr", "p2", LEASE)
    await stores.publisher.unlock("hr", "p1")
    assert await stores.publisher.lock("hr", "p2", LEASE)


async def test_the_right_to_sync_runs_out_with_its_lease(stores: Stores) -> None:
    assert await stores.publisher.lock("hr", "p1", LEASE)
    stores.clock.move(LEASE)
    assert await stores.publisher.lock("hr", "p2", LEASE)
    assert not await stores.publisher.lock("hr", "p1", LEASE)


async def test_of_many_who_want_to_sync_at_once_one_may(stores: Stores) -> None:
    wins = await asyncio.gather(*(stores.publisher.lock("hr", f"p{n}", LEASE) for n in range(6)))
    assert sum(wins) == 1
