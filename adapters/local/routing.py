"""Which collections a question is about, and whether it is a question at all: neighbours among Cards.

Everything is learnt from the readable Cards and a list of phrases, at the moment it is asked; nothing
here knows a particular collection. Scores are in natural-logarithm units, so they can be added.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.local.smalltalk import TALK, Phrases
from core.catalog.terms import terms_of
from core.documents import Card
from core.ports import Vectors

NEIGHBOURS = 3
_SHRINKAGE = 0.5
_SMOOTHING = 0.5

# Fitted by logistic regression on half of the public routing data, Cards of three sizes, questions in folds.
_TALK_WEIGHTS = {"talk": 16.0, "cards": -14.8, "size": 0.85, "lean": 0.15, "bias": -7.96}


@dataclass(frozen=True, slots=True)
class Scored:
    """What the router knows of a message: collections best first with log scores, chances in 0–1.

    `talk` is the probability that it is small talk. `near` and `world` are mean cosines to the
    nearest Card examples and world questions. `margins` are the
    distances to the best collection in log score, `lags` in cosine.
    """

    collections: tuple[str, ...]
    margins: tuple[float, ...]
    lags: tuple[float, ...]
    talk: float
    near: float
    world: float


@dataclass(frozen=True, slots=True)
class _Known:
    """One Card, ready to be compared with."""

    name: str
    vectors: Vectors
    terms: frozenset[str]
    words: Mapping[str, int]
    total: int
    phrases: frozenset[str]


class Router:
    """Compares messages with one set of Cards; made once for each set, then only read."""

    def __init__(self, cards: Sequence[Card], vectors: Sequence[Vectors], phrases: Phrases) -> None:
        self._phrases = phrases
        self._talk = phrases.rows(*TALK)
        self._world = phrases.rows("world")
        self._lean, self._lean_bias = _discriminant([self._talk, phrases.rows("work", "world")], _SHRINKAGE)
        self._cards = [_known(card, rows) for card, rows in zip(cards, vectors, strict=True)]
        filled = [known.vectors for known in self._cards if len(known.vectors)]
        self._size = math.log(max(1, sum(len(rows) for rows in filled)))
        several = len(filled) == len(self._cards) > 1
        self._sides = _discriminant(filled, _trust(filled)) if several else None

    def score(self, text: str, vector: Vectors) -> Scored:
        """Judge a message by its words and its vector."""
        near = [_top(known.vectors @ vector) for known in self._cards]
        scores = np.array([20.0 * cosine for cosine in near]) + self._by_words(text)
        if self._sides is not None:
            scores += 0.5 * (self._sides[0].T @ vector + self._sides[1])
        order = np.argsort(-scores, kind="stable")
        best = float(scores[order[0]]) if len(order) else 0.0
        nearest = max(near, default=0.0)
        return Scored(
            collections=tuple(self._cards[place].name for place in order),
            margins=tuple(best - float(scores[place]) for place in order),
            lags=tuple(near[order[0]] - near[place] for place in order),
            talk=self._talk_chance(vector, nearest),
            near=nearest,
            world=_top(self._world @ vector),
        )

    def kind_of_talk(self, vector: Vectors) -> str:
        """Which kind of small talk the message is nearest to."""
        return self._phrases.nearest(vector)

    def names(self, text: str) -> bool:
        """Whether a word of the text stands in a title or heading of the Cards."""
        return any(term in known.words for known in self._cards for term in terms_of(text))

    def quotes(self, text: str) -> bool:
        """Whether the text is a title or heading of the Cards, word for word."""
        return any(_plain(text) in known.phrases for known in self._cards)

    def _talk_chance(self, vector: Vectors, nearest: float) -> float:
        lean = float(self._lean[:, 0] @ vector - self._lean[:, 1] @ vector + self._lean_bias[0] - self._lean_bias[1])
        weights = _TALK_WEIGHTS
        logit = weights["talk"] * _top(self._talk @ vector) + weights["cards"] * nearest
        logit += weights["size"] * self._size + weights["lean"] * lean + weights["bias"]
        return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))

    def _by_words(self, text: str) -> Vectors:
        """Key terms of a Card in the question, and how usual its words are in the Card's phrases."""
        scores = np.zeros(len(self._cards), np.float32)
        for term in set(terms_of(text)):
            chance = np.array([(k.words.get(term, 0) + _SMOOTHING) / (k.total + 1) for k in self._cards])
            scores += 0.7 * np.log(chance / chance.mean()) if len(chance) else 0.0
            scores += np.array([2.0 * (term in known.terms) for known in self._cards])
        scores += np.array([6.0 * (_plain(text) in known.phrases) for known in self._cards])
        return scores


def _known(card: Card, vectors: Vectors) -> _Known:
    phrases = dict.fromkeys((*card.examples, *card.titles, *card.headings, *card.questions))
    words = Counter(term for phrase in phrases for term in set(terms_of(phrase)))
    exact = frozenset(map(_plain, phrases))
    return _Known(card.collection, vectors, frozenset(card.terms), words, sum(words.values()), exact)


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .?!").split())


def _top(cosines: Vectors) -> float:
    """Mean of the few largest; 0 for none."""
    return float(np.sort(cosines)[-NEIGHBOURS:].mean()) if len(cosines) else 0.0


def _trust(groups: Sequence[Vectors]) -> float:
    """How far to shrink: the fewer phrases there are for the dimensions, the further."""
    dimension: int = groups[0].shape[1]
    return dimension / (dimension + sum(len(rows) for rows in groups))


def _discriminant(groups: Sequence[Vectors], shrinkage: float) -> tuple[Vectors, Vectors]:
    """Linear discriminant of groups of equal prior: weights (dimension, groups) and biases (groups).

    The shared covariance is shrunk towards a multiple of the identity, since there are fewer phrases
    than dimensions.
    """
    means = np.stack([rows.mean(axis=0) for rows in groups])
    spread = np.zeros((means.shape[1], means.shape[1]), np.float32)
    for rows, mean in zip(groups, means, strict=True):
        centred = rows - mean
        spread += centred.T @ centred / (len(rows) * len(groups))
    level = float(np.trace(spread)) / len(spread) or 1.0
    spread = (1 - shrinkage) * spread + shrinkage * level * np.eye(len(spread), dtype=np.float32)
    weights = np.linalg.solve(spread, means.T)
    biases = -0.5 * np.sum(means.T * weights, axis=0)
    return weights.astype(np.float32), biases.astype(np.float32)
