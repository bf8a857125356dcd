"""What there is to ask about: collections with their freshness, and questions to begin with. Only what one may read."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from core.desk.visitor import Visitor
from core.documents import Card
from core.mentions import plain_name
from core.ports import Access, Catalog
from core.wording import say

QUESTIONS = 2
"""Typical questions that are named of a collection."""


class Knowing:
    """The use case. What a visitor may not read does not exist for them."""

    def __init__(self, access: Access, catalog: Catalog) -> None:
        self._access = access
        self._catalog = catalog

    async def collections(self, visitor: Visitor) -> str:
        """What they may ask about, as Markdown; one item for each collection."""
        lines = await self.lines(visitor)
        return "\n".join(lines) or say("collections.none", visitor.language)

    async def lines(self, visitor: Visitor) -> list[str]:
        """The same, an item of a list for each collection."""
        readable = await self._access.readable(visitor.audience)
        generations = (await self._catalog.pin(readable)).generations
        when = {each.collection: each.published_at.date().isoformat() for each in generations}
        cards = {card.collection: card for card in await self._catalog.cards(readable)}
        known = [_line(cards[name], when.get(name, "–"), visitor) for name in sorted(cards)]
        unread = sorted(readable.collections - cards.keys())
        return known + [say("collections.unread", visitor.language, name=name) for name in unread]

    async def samples(self, visitor: Visitor, limit: int) -> list[str]:
        """Questions to begin with, from as many collections as there are."""
        cards = await self._catalog.cards(await self._access.readable(visitor.audience))
        wanted = [_in_their_language(card, visitor) for card in sorted(cards, key=lambda card: card.collection)]
        rows = itertools.zip_longest(*wanted)
        found = dict.fromkeys(question for row in rows for question in row if question)
        return list(found)[:limit]


def _line(card: Card, when: str, visitor: Visitor) -> str:
    title = f" ({plain_name(card.title)})" if card.title not in ("", card.collection) else ""
    told = say("collections.line", visitor.language, name=card.collection, title=title, documents=card.documents)
    fresh = say("collections.fresh", visitor.language, when=when)
    asked = _in_their_language(card, visitor)[:QUESTIONS]
    return "; ".join(["- " + told, fresh]) + (f"\n  {' · '.join(asked)}" if asked else "")


def _in_their_language(card: Card, visitor: Visitor) -> Sequence[str]:
    """The Card's questions, those in the visitor's language first."""
    korean = visitor.language == "ko"
    questions = [plain_name(each) for each in card.questions]
    kept = [each for each in questions if each]
    return sorted(kept, key=lambda each: any("가" <= sign <= "힣" for sign in each) != korean)
