"""The step of a sync that makes Cards: statistics of the new generation, then every Card that they change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence

from core.catalog.cards import Cards
from core.catalog.terms import DigestBuilder
from core.documents import Card, Digest, DocumentRecord, Generation, Passage, Readable
from core.ports import Catalog, Digests


class CatalogCards:
    """A CardMaker over the catalog. `titles` and `hints` are what the configuration says of the collections."""

    def __init__(
        self,
        catalog: Catalog,
        digests: Digests,
        cards: Cards,
        titles: Mapping[str, str],
        hints: Mapping[str, str],
    ) -> None:
        self._catalog = catalog
        self._digests = digests
        self._cards = cards
        self._titles = titles
        self._hints = hints

    async def make(
        self, generation: Generation, records: Sequence[DocumentRecord], passages: AsyncIterator[Sequence[Passage]]
    ) -> tuple[Digest, Sequence[Card]]:
        """The collection's statistics, and the Cards of every collection whose version is new."""
        name = generation.collection
        builder = DigestBuilder(name)
        async for batch in passages:
            await asyncio.to_thread(_count, builder, batch)
        own = builder.build()
        others = [digest for digest in await self._digests.digests() if digest.collection != name]
        all_records = {
            other.collection: list((await self._catalog.documents(other.collection)).values()) for other in others
        }
        previous = await self._catalog.cards(Readable(frozenset({name, *all_records})))
        made = await self._cards.make(
            {**all_records, name: records}, [*others, own], self._hints, self._titles, previous
        )
        known = {card.collection: card.version for card in previous}
        return own, [card for card in made if known.get(card.collection) != card.version]

    async def is_current(self, collection: str) -> bool:
        """Whether title and hint of the published Card are those of the configuration."""
        title = self._titles.get(collection, "") or collection
        published = await self._catalog.cards(Readable(frozenset({collection})))
        return [(card.title, card.hint) for card in published] == [(title, self._hints.get(collection, ""))]


def _count(builder: DigestBuilder, passages: Sequence[Passage]) -> None:
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.document_id, [passage.title]).extend([*passage.heading_path, passage.text])
    for document_id, parts in texts.items():
        builder.add(document_id, "\n".join(parts))
