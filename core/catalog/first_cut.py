"""Which Cards are worth a place in the router prompt when there is no place for all: a pure ranking.

By the nearness of the question's vector to the Card's examples and by the key terms that both have. A cut
decides what the prompt describes and never what may be searched: whoever is unsure still searches all that is
readable. Knows no prompt and no model.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from core.catalog.terms import terms_of
from core.documents import Card
from core.ports import Vectors

NEIGHBOURS = 3
"""Examples of a Card that a question is compared with: a single one may be near by chance."""

_OVERLAP = 0.5
"""What shared terms weigh beside a cosine, when all terms of the question stand on the Card."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its wordings, the message itself and what it follows up on; rows of the embedder `embedding`."""

    texts: tuple[str, ...] = ()
    vectors: Vectors | None = field(default=None, compare=False)
    embedding: str = ""


def ranked(cards: Sequence[Card], asked: Asked) -> list[Card]:
    """All Cards, the likeliest first: those named by the question, those that alone have one of its terms, the rest.

    The same for Cards in any order. Cards whose vectors another embedder made are judged by terms alone.
    """
    shared = _shared_terms(cards, asked)
    held = Counter(term for terms in shared for term in terms)
    weight = {term: math.log1p(len(cards) / count) for term, count in held.items()}
    # Terms that no Card has say nothing of any, but that a Card has few of the question's: they count as rarest.
    unknown = len(_terms(asked)) - len(held)
    total = sum(weight.values()) + unknown * math.log1p(len(cards)) or 1.0

    def place(number: int) -> tuple[int, float, str]:
        card, terms = cards[number], shared[number]
        tier = 2 if _is_named(card, asked) else int(any(held[term] == 1 for term in terms))
        overlap = sum(weight[term] for term in sorted(terms)) / total
        return -tier, -(_nearness(card, asked) + _OVERLAP * overlap), card.collection

    return [cards[number] for number in sorted(range(len(cards)), key=place)]


def _terms(asked: Asked) -> frozenset[str]:
    return frozenset(term for text in asked.texts for term in terms_of(text))


def _shared_terms(cards: Sequence[Card], asked: Asked) -> list[frozenset[str]]:
    wanted = _terms(asked)
    return [wanted.intersection(card.terms) for card in cards]


def _is_named(card: Card, asked: Asked) -> bool:
    """Whether the question has the collection's name or title in it, as whole words."""
    names = {_spoken(card.collection), _spoken(card.title)} - {""}
    return any(f" {name} " in f" {_spoken(text)} " for text in asked.texts for name in names)


def _spoken(text: str) -> str:
    """Words alone, in lower case: ``product-faq`` is said as “product FAQ”."""
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold()))


def _nearness(card: Card, asked: Asked) -> float:
    """The mean cosine of the nearest few examples, for the wording that is nearest; 0 where nothing is comparable."""
    if asked.vectors is None or not len(asked.vectors) or card.embedding != asked.embedding or not card.examples:
        return 0.0
    rows = np.frombuffer(card.vectors, np.float16).reshape(len(card.examples), -1)
    if rows.shape[1] != asked.vectors.shape[1]:
        return 0.0
    cosines = np.sort(rows.astype(np.float32) @ asked.vectors.T, axis=0)
    return float(cosines[-NEIGHBOURS:].mean(axis=0).max())
