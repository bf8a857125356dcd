"""Which collections a message is about, and whether it is about any: neighbours and shared terms among Cards.

Everything is learnt from the readable Cards and a list of phrases, at the moment it is asked; nothing
here knows a particular collection. Scores are log odds: of two collections, and of three or a hundred.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.local.cues import content_words
from adapters.local.kinds import Kinds, Met, top
from adapters.local.smalltalk import Phrases
from core.catalog.terms import terms_of
from core.documents import Card
from core.ports import Vectors
from core.retrieval.politeness import plainly

# Fitted by tests/benchmarks/train_routing.py on three collections and on thirty, headings that the Cards have not
# seen and questions as typed; fitted on one half of the corpora they hold for the other.
WEIGHTS = {"near": 12.5, "words": 0.08, "terms": 0.55}

_QUOTED = 6.0
"""A heading word for word: beyond what any neighbours say."""

_SMOOTHING = 0.5


@dataclass(frozen=True, slots=True)
class Scored:
    """What the router knows of a message: collections best first, chances in 0–1.

    `chances` are how likely each collection is, given that one of them is right; `margins` are the distances to
    the best in log odds. `talk` and `world` are the probabilities that the message is small talk, and that it is
    about the world outside. `near` is the mean cosine to the nearest examples of any Card.
    """

    collections: tuple[str, ...]
    chances: tuple[float, ...]
    margins: tuple[float, ...]
    talk: float
    world: float
    near: float


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Known:
    """One Card, ready to be compared with; the same for whoever may read it."""

    name: str
    vectors: Vectors
    terms: frozenset[str]
    words: Mapping[str, int]
    total: int
    phrases: frozenset[str]
    subjects: frozenset[str]


def known(card: Card, rows: Vectors) -> Known:
    """Prepare a Card whose examples have these vectors."""
    phrases = dict.fromkeys((*card.examples, *card.titles, *card.headings, *card.questions))
    words = Counter(term for phrase in phrases for term in set(terms_of(phrase)))
    exact = frozenset(map(_plain, phrases))
    subjects = frozenset(_openings((*card.titles, *card.headings)))
    return Known(card.collection, rows, frozenset(card.terms), words, sum(words.values()), exact, subjects)


def _openings(headings: Sequence[str]) -> Iterator[str]:
    """The Korean words of headings and what each opens with, since compounds are written as one: 연차휴가, 연차."""
    for heading in headings:
        for term in terms_of(heading):
            if term[0] >= "가":
                yield from (term[:end] for end in range(2, len(term) + 1))


class Router:
    """Compares messages with one set of Cards; made once for each set, then only read."""

    def __init__(self, cards: Sequence[Known], phrases: Phrases, kinds: Kinds) -> None:
        self._cards = cards
        self._phrases = phrases
        self._kinds = kinds
        self._size = math.log(max(1, sum(len(card.vectors) for card in cards)))

    def score(self, text: str, vector: Vectors) -> Scored:
        """Judge a message by its words and its vector."""
        near = np.array([top(card.vectors @ vector) for card in self._cards], np.float32)
        scores = self._scores(text, near)
        order = np.argsort(-scores, kind="stable")
        margins = scores[order[:1]].sum() - scores[order]
        shares = np.exp(-margins)
        talk, world = self._kinds.chances(vector, self.met(text, near))
        return Scored(
            collections=tuple(self._cards[place].name for place in order),
            chances=tuple(float(share) for share in shares / shares.sum()),
            margins=tuple(float(margin) for margin in margins),
            talk=talk,
            world=world,
            near=float(near.max(initial=0.0)),
        )

    def met(self, text: str, near: Vectors) -> Met:
        """How these Cards meet the message; `near` holds the mean cosine of each Card's nearest examples."""
        terms = set(terms_of(text))
        familiar = sum(any(term in card.terms or term in card.words for card in self._cards) for term in terms)
        return Met(float(near.max(initial=0.0)), familiar / max(1, len(terms)), self._size)

    def evidence(self, text: str) -> dict[str, Vectors]:
        """For each Card: how usual the message's words are in its phrases, and which of its key terms they are."""
        words, terms = np.zeros((2, len(self._cards)), np.float32)
        for term in sorted(set(terms_of(text))):
            usual = np.array([(card.words.get(term, 0) + _SMOOTHING) / (card.total + 1) for card in self._cards])
            words += np.log(usual / usual.mean()) if len(usual) else 0.0
            holds = np.array([term in card.terms for card in self._cards])
            somewhere = sum(term in card.terms or term in card.words for card in self._cards)
            # A term that one Card in many has says more than one that half of them have.
            terms += holds * math.log1p(len(self._cards) / max(1, somewhere))
        return {"words": words, "terms": terms}

    def kind_of_talk(self, vector: Vectors) -> str:
        """Which kind of small talk the message is nearest to."""
        return self._phrases.nearest(vector)

    def names(self, text: str) -> bool:
        """Whether a word of the text stands in a title or heading of the Cards."""
        return any(term in card.words for card in self._cards for term in terms_of(text))

    def has_subject(self, text: str) -> bool:
        """Whether the text has a Korean word that names something and opens a word of a title or heading.

        Real questions are as short as chat, and on the same subjects: 휴가, 시간. Of English talk every fourth message
        shares a word with the headings of large collections, of Korean talk every twentieth.
        """
        words = [term for term in terms_of(plainly(text)) if content_words(term)]
        return any(word in card.subjects for card in self._cards for word in words)

    def quotes(self, text: str) -> bool:
        """Whether the text is a title or heading of the Cards, word for word."""
        return any(_plain(text) in card.phrases for card in self._cards)

    def _scores(self, text: str, near: Vectors) -> Vectors:
        evidence = {"near": near, **self.evidence(text)}
        quoted = np.array([_plain(text) in card.phrases for card in self._cards], np.float32)
        found: Vectors = sum((WEIGHTS[name] * values for name, values in evidence.items()), _QUOTED * quoted)
        return found


def _plain(text: str) -> str:
    return " ".join(plainly(text).casefold().strip(" .?!").split())
