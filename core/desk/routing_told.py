"""The router as those who look after it may see it: Cards, prompt, self-test. Only what they may read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.access_commands import Staff, may
from core.catalog.alarms import LOOKED_BACK, NO_COLLECTION, Alarm, alarms
from core.catalog.card_text import card_text
from core.catalog.prompt import prompt_hash, router_prompt
from core.catalog.telling import told_alarms, told_test, told_trend
from core.catalog.tested import SelfTest
from core.desk.visitor import Visitor
from core.documents import Card, Readable
from core.errors import AccessDenied
from core.messages import Language
from core.ports import Access, Catalog, RouterRecord
from core.wording import say


async def standing_alarms(record: RouterRecord, catalog: Catalog, readable: Readable) -> tuple[Alarm, ...]:
    """The warnings of the last self-test, as far as somebody may read what they are about."""
    cards = await catalog.cards(readable)
    known = frozenset(card.collection for card in cards)
    tests = [_seen(each, known) for each in await record.tests(LOOKED_BACK + 1)] if cards else []
    return alarms(tests[0], tests[1:], cards) if tests else ()


@dataclass(frozen=True, slots=True)
class RouterView:
    """The use case: admins see what they may read, the owners of a collection see that one."""

    access: Access
    staff: Staff
    catalog: Catalog
    record: RouterRecord
    budget: int

    async def told(self, visitor: Visitor) -> str:
        """Cards, prompt and self-test as Markdown. Raises AccessDenied."""
        readable = await self.access.readable(visitor.audience)
        cards = [card for card in await self.catalog.cards(readable) if self._may(visitor, card.collection)]
        if not cards and not may("router", visitor.person, self.staff):
            raise AccessDenied(detail=f"router by {visitor.person.name}")
        prompt = router_prompt(cards, budget=self.budget)
        language = visitor.language
        parts = [f"**{say('router.cards', language)}**", *(_fenced(card_text(card)) for card in cards)]
        parts += [f"**{say('router.prompt', language, hash=prompt_hash(prompt))}**", _fenced(prompt)]
        tests = await self.record.tests(LOOKED_BACK + 1)
        return "\n\n".join([*parts, f"**{say('router.self_test', language)}**", _tested(tests, cards, visitor)])

    async def warnings(self, readable: Readable, language: Language) -> list[str]:
        """Those of the last self-test, for an admin who may read this."""
        return told_alarms(await standing_alarms(self.record, self.catalog, readable), language)

    def _may(self, visitor: Visitor, collection: str) -> bool:
        return may("router", visitor.person, self.staff, collection)


def _tested(tests: Sequence[SelfTest], cards: Sequence[Card], visitor: Visitor) -> str:
    known = frozenset(card.collection for card in cards)
    seen = [_seen(each, known) for each in tests]
    if not seen:
        return say("router.never_tested", visitor.language)
    test = seen[0]
    lines = [*told_test(test, visitor.language), told_trend(seen, visitor.language)]
    return _fenced("\n".join(line for line in [*lines, *_warned(seen, cards, visitor)] if line))


def _warned(tests: Sequence[SelfTest], cards: Sequence[Card], visitor: Visitor) -> list[str]:
    return told_alarms(alarms(tests[0], tests[1:], cards), visitor.language)


def _seen(test: SelfTest, known: frozenset[str]) -> SelfTest:
    """The test without the collections that are not to be named."""
    places = known | NO_COLLECTION
    tallies = {name: tally for name, tally in test.collections.items() if name in known}
    confused = tuple(each for each in test.confusions if each.asked in places and each.routed in places)
    return replace(test, collections=tallies, confusions=confused)


def _fenced(text: str) -> str:
    """As it stands, whatever is in it."""
    return "```\n" + text.replace("```", "'''") + "\n```"
