"""A sync makes the Cards of every collection that it changes, and only those."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from adapters.memory.catalog import MemoryCatalog, MemoryDigests
from core.catalog.cards import Cards
from core.documents import Readable
from core.indexing.carding import CatalogCards
from core.indexing.parts import SyncTarget
from core.indexing.sync import Syncer
from tests.indexing.workshop import MemorySource, workshop


async def test_cards_follow_the_documents_of_their_own_collection_and_contrast_with_the_others(tmp_path: Path) -> None:
    async with workshop(tmp_path / "index.sqlite") as shop:
        catalog, digests = MemoryCatalog(shop.stored), MemoryDigests(shop.stored)
        maker = CatalogCards(catalog, digests, Cards(shop.embedder), {"docs": "The docs"}, {"docs": "a hint"})
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
