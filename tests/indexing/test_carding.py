"""A sync makes the Cards of every collection that it changes, and only those."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from adapters.local.hashing import HashingEmbedder
from adapters.memory.catalog import MemoryCatalog, MemoryDigests
from core.catalog.cards import Cards
from core.documents import Card, Readable
from core.indexing.carding import CatalogCards
from core.indexing.parts import SyncTarget
from core.indexing.sync import Syncer
from tests.indexing.workshop import MemorySource, workshop


async def test_cards_follow_the_documents_of_their_own_collection_and_contrast_with_the_others(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        titles = {"docs": "The docs", "other": ""}
        maker = CatalogCards(catalog, digests, Cards(shop.embedder), titles, {"docs": "a hint"})
        ports = replace(shop.ports, cards=maker)
        fruit = MemorySource({f"{n}.md": f"Fruit {n}\nbanana and mango {n}".encode() for n in range(5)})
        tools = MemorySource({f"{n}.md": f"Tools {n}\nhammer and pliers {n}".encode() for n in range(5)})
        await Syncer(ports).sync(SyncTarget("docs", fruit))
        await Syncer(ports).sync(SyncTarget("other", tools))
        cards = {card.collection: card for card in await catalog.cards(Readable(frozenset({"docs", "other"})))}
        assert (cards["docs"].title, cards["docs"].hint, cards["docs"].documents) == ("The docs", "a hint", 5)
        assert "banana" in cards["docs"].terms
        assert "hammer" in cards["other"].terms
        assert "banana" not in cards["other"].terms
        before = cards["docs"].version
        assert (await Syncer(ports).sync(SyncTarget("docs", fruit))).published is False
        fruit.write("new.md", "Fruit salad\ncherry")
        await Syncer(ports).sync(SyncTarget("docs", fruit))
        scope = await catalog.pin(Readable(frozenset({"docs"})))
        assert scope.generations[0].card_version != before


async def test_two_collections_that_sync_at_once_do_not_undo_each_others_cards(tmp_path: Path) -> None:
    made = asyncio.Event()

    class Waiting(Cards):
        """Leaves time between making Cards and publishing them, in which another sync could publish."""

        async def make(self, *args: Any) -> list[Card]:
            cards = await super().make(*args)
            made.set()
            await asyncio.sleep(0.3)
            return cards

    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)

        def syncer(cards: Cards) -> Syncer:
            return Syncer(replace(shop.ports, cards=CatalogCards(catalog, digests, cards, {}, {})))

        fruit = MemorySource({"1.md": b"Fruit\nbanana"})
        tools = MemorySource({"1.md": b"Tools\nhammer"})
        quick, slow = syncer(Cards(shop.embedder)), syncer(Waiting(shop.embedder))
        await quick.sync(SyncTarget("docs", fruit))
        await quick.sync(SyncTarget("other", tools))
        fruit.write("2.md", "Berries\nopened with a hammer")
        tools.write("2.md", "Saws\nblade")
        first = asyncio.create_task(slow.sync(SyncTarget("docs", fruit)))
        await made.wait()
        await quick.sync(SyncTarget("other", tools))
        await first
        cards = await catalog.cards(Readable(frozenset({"docs", "other"})))
        assert {card.collection: card.documents for card in cards} == {"docs": 2, "other": 2}


async def test_a_generation_keeps_its_card_when_a_change_leaves_the_card_as_it_was(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        ports = replace(shop.ports, cards=CatalogCards(catalog, digests, Cards(shop.embedder), {}, {}))
        await Syncer(ports).sync(SyncTarget("docs", shop.source))
        shop.source.write("1.md", "Fruit\nbanana banana")
        await Syncer(ports).sync(SyncTarget("docs", shop.source))
        before = shop.stored.published["docs"].generation.card_version
        shop.source.write("1.md", "Fruit\nbanana")
        await Syncer(ports).sync(SyncTarget("docs", shop.source))
        assert shop.stored.published["docs"].generation.number == 3
        assert shop.stored.published["docs"].generation.card_version == before != ""


async def test_a_new_title_or_hint_in_the_configuration_reaches_the_card_with_the_next_sync(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        shop.source.write("1.md", "Fruit\nbanana")
        for hint in ("", "about fruit"):
            maker = CatalogCards(catalog, digests, Cards(shop.embedder), {"docs": "The docs"}, {"docs": hint})
            syncer = Syncer(replace(shop.ports, cards=maker))
            assert (await syncer.sync(SyncTarget("docs", shop.source))).published
            assert not (await syncer.sync(SyncTarget("docs", shop.source))).published
        (card,) = await catalog.cards(Readable(frozenset({"docs"})))
        assert card.hint == "about fruit"


async def test_a_collection_that_was_renamed_is_not_contrasted_with_itself(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        fruit = MemorySource({f"{n}.md": f"Fruit {n}\nbanana and mango {n}".encode() for n in range(5)})
        for name in ("docs", "handbook"):
            maker = CatalogCards(catalog, digests, Cards(shop.embedder), {name: ""}, {})
            await Syncer(replace(shop.ports, cards=maker)).sync(SyncTarget(name, fruit))
        cards = {card.collection: card for card in await catalog.cards(Readable(frozenset({"docs", "handbook"})))}
        assert cards["handbook"].terms == cards["docs"].terms
        assert "banana" in cards["handbook"].terms


async def test_another_embedder_of_cards_makes_the_card_anew_with_the_next_sync(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        shop.source.write("1.md", "Fruit\nbanana")
        for dimension in (32, 48):
            maker = CatalogCards(catalog, digests, Cards(HashingEmbedder(dimension)), {"docs": ""}, {})
            syncer = Syncer(replace(shop.ports, cards=maker))
            assert (await syncer.sync(SyncTarget("docs", shop.source))).published
            assert not (await syncer.sync(SyncTarget("docs", shop.source))).published
        (card,) = await catalog.cards(Readable(frozenset({"docs"})))
        assert card.embedding == HashingEmbedder(48).name
        assert len(card.vectors) == len(card.examples) * 48 * 2
