"""Short replies to a greeting, thanks and the like: nothing is searched, nothing is cited.

What is named comes from the Cards that the readers may read; the words from `core.wording`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from core.documents import Card
from core.indexing.text import language_of
from core.messages import Language
from core.ports import WriteRequest
from core.wording import say

SAMPLES = 3


def direct_reply(request: WriteRequest) -> str:
    """The reply to `plan.intent`, in the language of the question; unknown intents are small talk."""
    language = request.language
    match request.plan.intent:
        case "thanks":
            return say("direct.thanks", language)
        case "goodbye":
            return say("direct.goodbye", language)
        case "greeting":
            return _about("direct.greeting", request.cards, language)
        case "capabilities" | "help" | "identity":
            return _with_samples(_about("direct.capabilities", request.cards, language), request.cards, language)
        case _:
            return _about("direct.smalltalk", request.cards, language)


def _about(key: str, cards: Sequence[Card], language: Language) -> str:
    names = ", ".join(dict.fromkeys(card.title or card.collection for card in cards))
    return say(key, language, collections=names) if names else say(f"{key}_bare", language)


def _with_samples(reply: str, cards: Sequence[Card], language: Language) -> str:
    samples = _samples(cards, language)
    if not samples:
        return reply
    return "\n".join([reply, "", say("direct.samples", language), *(f"- {sample}" for sample in samples)])


def _samples(cards: Sequence[Card], language: Language) -> list[str]:
    """A question of each collection in turn, those in the asker's language first."""
    dealt = [q for q in chain.from_iterable(zip_longest(*(card.questions for card in cards))) if q]
    dealt.sort(key=lambda question: language_of(question) != language)
    return list(dict.fromkeys(dealt))[:SAMPLES]
