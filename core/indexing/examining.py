"""The step of a sync that tests the router on its new Cards, before anybody routes by them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.catalog.alarms import LOOKED_BACK, alarms
from core.catalog.holding import MOST
from core.catalog.probes import probes
from core.catalog.prompt import BUDGET
from core.catalog.selftest import Trial, run
from core.catalog.telling import told_alarms
from core.documents import Card, Generation, Readable
from core.indexing.parts import Examined
from core.ports import Catalog, Planner, RouterRecord

log = logging.getLogger(__name__)

ALL_TOGETHER = 1200
"""Questions of all collections together; where there are many, each is asked less."""

FEWEST = 10


@dataclass(frozen=True, slots=True)
class Examining:
    """Whose planner is tested, and how much. With `only_news` it is asked only when a Card has changed."""

    planner: str = "local"
    most: int = MOST
    seconds: float = 30.0
    only_news: bool = False
    router_tokens: int = BUDGET


class RouterExam:
    """A `core.indexing.parts.Exam` over the catalog, with the planner that answers are routed by.

    `collections` are the configured ones: what nobody can read is nobody's route.
    """

    def __init__(
        self,
        catalog: Catalog,
        record: RouterRecord,
        planner: Callable[[], Planner],
        collections: frozenset[str],
        how: Examining | None = None,
    ) -> None:
        self._catalog = catalog
        self._record = record
        self._planner = planner
        self._collections = collections
        self._how = how or Examining()

    async def examine(self, generation: Generation, changed: Sequence[Card]) -> Examined:
        """Route by the published Cards with the changed ones in their places. Raises what the planner raises."""
        earlier = list(await self._record.tests(LOOKED_BACK))
        if self._how.only_news and not changed and earlier:
            return Examined(None)
        cards = await self._cards(generation, changed)
        asked = probes(cards, max(FEWEST, min(self._how.most, ALL_TOGETHER // max(1, len(cards)))))
        how = self._how
        trial = Trial(how.planner, generation.published_at, how.seconds, router_tokens=how.router_tokens)
        test = await run(self._planner(), cards, asked, trial)
        found = alarms(test, earlier, cards)
        for alarm in found:
            log.warning("; ".join(line.strip() for line in told_alarms([alarm], "en")))
        return Examined(test, found)

    async def _cards(self, generation: Generation, changed: Sequence[Card]) -> tuple[Card, ...]:
        names = self._collections | {generation.collection}
        published = {card.collection: card for card in await self._catalog.cards(Readable(names))}
        new = {card.collection: card for card in changed if card.collection in names}
        found = {**published, **new}
        return tuple(found[name] for name in sorted(found))
