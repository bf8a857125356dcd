"""The step of a sync that makes Cards: statistics of the new generation, then every Card that they change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from core.catalog.cards import EDITION, Cards
from core.catalog.faq import questions_in
from core.catalog.holding import held_back
from core.catalog.phrases import folded
from core.catalog.terms import DigestBuilder
from core.documents import Card, Digest, DocumentRecord, Generation, Passage, Readable
from core.ports import Catalog, Digests

_QUESTIONS = 24


class CatalogCards:
    """A CardMaker over the catalog. `titles` and `hints` are what the configuration says of the collections.

    `titles` names all collections there are; without any, all that were published count. What is in it no more,
    because it was renamed for one, is nothing to be told apart from.
    """

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
        own = await _statistics(name, records, passages)
        others = [each for each in await self._digests.digests() if self._is_another(each.collection, name)]
        all_records = {
            other.collection: list((await self._catalog.documents(other.collection)).values()) for other in others
        }
        previous = await self._catalog.cards(Readable(frozenset({name, *all_records})))
        made = await self._cards.make(
            {**all_records, name: records}, [*others, own], self._hints, self._titles, previous
        )
        known = {card.collection: card for card in previous}
        day = generation.published_at.date()
        dated = [replace(card, updated=_updated(card, known.get(card.collection), name, day)) for card in made]
        return own, [card for card in dated if not _is_same(card, known.get(card.collection))]

    async def is_current(self, collection: str) -> bool:
        """Whether the published Card is made as we make them now, with the configuration's title, hint and embedder."""
        title = self._titles.get(collection, "") or collection
        published = await self._catalog.cards(Readable(frozenset({collection})))
        wanted = (title, self._hints.get(collection, ""), EDITION, self._cards.embedding)
        return [(card.title, card.hint, card.edition, card.embedding) for card in published] == [wanted]

    def _is_another(self, collection: str, name: str) -> bool:
        return collection != name and (not self._titles or collection in self._titles)


@dataclass
class _Reading:
    """What is gathered of the texts that count. Passages below a heading that is held back count for nothing."""

    builder: DigestBuilder
    held: frozenset[str]
    questions: dict[str, None] = field(default_factory=dict)

    def take(self, passages: Sequence[Passage]) -> None:
        texts: dict[str, list[str]] = {}
        for passage in passages:
            head = [passage.title, *passage.heading_path]
            if self.held.isdisjoint(map(folded, head)):
                texts.setdefault(passage.document_id, [passage.title]).extend([*passage.heading_path, passage.text])
                if len(self.questions) < _QUESTIONS:
                    self.questions.update(dict.fromkeys(questions_in(passage.text)))
        for document_id, parts in texts.items():
            self.builder.add(document_id, "\n".join(parts))


async def _statistics(
    name: str, records: Sequence[DocumentRecord], passages: AsyncIterator[Sequence[Passage]]
) -> Digest:
    held = await asyncio.to_thread(held_back, records)
    reading = _Reading(DigestBuilder(name), frozenset(map(folded, held)))
    async for batch in passages:
        await asyncio.to_thread(reading.take, batch)
    return replace(reading.builder.build(), questions=tuple(reading.questions)[:_QUESTIONS])


def _updated(card: Card, before: Card | None, name: str, day: date) -> date | None:
    """The day of this sync for what it changed of its own Card; contrast with others moves no day."""
    is_new = before is None or before.version != card.version
    if card.collection == name and is_new:
        return day
    return before.updated if before else day


def _is_same(card: Card, before: Card | None) -> bool:
    return before is not None and before.version == card.version
