"""The sample questions of a Card by a chat model: what comes back is checked, and nothing is as good as headings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence

from core.catalog.phrases import LONGEST, folded
from core.catalog.terms import terms_of
from core.documents import Card
from core.errors import RefdeskError
from core.links import strip_foreign_links
from core.ports import ChatModel
from core.rag.model.forms import Sampled
from core.rag.prompts.sampling import sampling_request

log = logging.getLogger(__name__)

SECONDS = 30.0
_FEWEST_CHARACTERS = 6


class ModelQuestions:
    """Implements `core.catalog.cards.QuestionWriter` with one call."""

    def __init__(self, model: ChatModel, seconds: float = SECONDS) -> None:
        self._model = model
        self._seconds = seconds

    async def write(self, card: Card) -> tuple[str, ...]:
        """Questions that have at least a word of the collection; none when the service fails or is slow."""
        try:
            async with asyncio.timeout(self._seconds):
                form = (await self._model.structured(sampling_request(card), Sampled)).value
        except (RefdeskError, TimeoutError) as error:
            log.warning("no questions for the Card of %s: %s", card.collection, error or "it took too long")
            return ()
        return tuple(dict.fromkeys(_usable(form.questions, card)))


def _usable(questions: Sequence[str], card: Card) -> Iterator[str]:
    known = {term for phrase in (card.title, *card.titles, *card.examples) for term in terms_of(phrase)}
    held = frozenset(map(folded, card.held))
    for question in questions:
        line = " ".join(strip_foreign_links(question, ()).split())
        fits = _FEWEST_CHARACTERS <= len(line) <= LONGEST
        if fits and folded(line) not in held and not known.isdisjoint(terms_of(line)):
            yield line
