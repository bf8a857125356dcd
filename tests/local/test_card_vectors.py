"""A planner compares a question with no Card's rows but its own embedder's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from adapters.local.hashing import HashingEmbedder
from adapters.local.planner import LocalPlanner
from core.catalog.cards import Cards
from core.documents import Card, DocumentRecord
from core.ports import PlanRequest

SUBJECTS = {
    "leave": ("Parental leave", "Sick leave", "Leave over Christmas"),
    "network": ("VPN password", "Wireless network", "Proxy settings"),
}


class Other(HashingEmbedder):
    """Other rows of the same dimension."""

    name = "other-64"

    def _row(self, text: str):  # type: ignore[no-untyped-def]
        return super()._row(text)[::-1].copy()


async def cards(embedder: HashingEmbedder) -> list[Card]:
    """Cards of two collections, made with the embedder."""
    records = {
        name: [DocumentRecord(f"{n}.md", "h", "f", title, "en", 1, headings=(title,)) for n, title in enumerate(titles)]
        for name, titles in SUBJECTS.items()
    }
    return await Cards(embedder).make(records, (), {}, {})


async def planned(made: Sequence[Card]) -> object:
    """What a planner by hashes of 64 dimensions makes of a question."""
    request = PlanRequest("What is the VPN password?", "en", date(2026, 1, 1), tuple(made))
    return await LocalPlanner(HashingEmbedder(64)).plan(request)


@pytest.mark.parametrize("other", [HashingEmbedder(32), HashingEmbedder(128), Other(64)])
async def test_cards_of_another_embedder_route_as_cards_made_anew(other: HashingEmbedder) -> None:
    anew = await cards(HashingEmbedder(64))
    assert await planned(await cards(other)) == await planned(anew)


async def test_a_card_whose_vectors_were_cut_short_is_embedded_anew() -> None:
    anew = await cards(HashingEmbedder(64))
    cut = [replace(card, vectors=card.vectors[:-2]) for card in anew]
    assert await planned(cut) == await planned(anew)
