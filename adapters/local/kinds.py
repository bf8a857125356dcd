"""What kind of message it is: a question for the documents, small talk, or about the world outside.

Neighbours among phrases of each kind and the Cards' examples, directions between the kinds, and how many of the
message's terms the Cards know. Knows no particular collection.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from adapters.local.smalltalk import TALK, Phrases
from core.ports import Vectors

NEIGHBOURS = 3
_SHRINKAGE = 0.5

_FAR = 0.4
"""Cosine below which a message is like nothing of a team's: it may be a question about something unheard of."""

_UNTAUGHT = 0.24
"""The length of a direction that is found among the phrases, beside one that was learned from many messages."""

# For small talk, and for the world. Fitted by tests/benchmarks/train_routing.py: Cards of many sizes, messages in
# folds, and each corpus left out in turn, since a team's documents are none that were trained with.
WEIGHTS: dict[str, tuple[float, float]] = {
    "own": (-10.76, -15.34),
    "far": (-7.01, 2.53),
    "talk": (12.37, -12.69),
    "world": (-4.26, 23.19),
    "to_world": (0.01, 0.14),
    "to_talk": (0.62, -0.10),
    "known": (-1.21, 0.57),
    "size": (-0.08, 0.03),
    "bias": (0.59, -1.37),
}


@dataclass(frozen=True, slots=True)
class Met:
    """How the Cards meet a message: mean cosine of the nearest examples, the share (0–1) of its terms that they
    know, and the logarithm of how many examples there are."""

    near: float
    known: float
    size: float


class Kinds:
    """Judges messages by their vectors; made once for an embedder's phrases."""

    def __init__(self, phrases: Phrases) -> None:
        self._talk = phrases.rows(*TALK)
        self._world = phrases.rows("world")
        self._work = phrases.rows("work")
        self._to_world = direction(self._world, self._work)
        weights, bias = direction(self._talk, phrases.rows("work", "world"))
        self._to_talk = phrases.to_talk or (_UNTAUGHT * weights, _UNTAUGHT * bias)

    def chances(self, vector: Vectors, met: Met) -> tuple[float, float]:
        """Probabilities that the message is small talk, and that it is about the world outside."""
        features = self.features(vector, met)
        talk, world = (sum(WEIGHTS[name][kind] * value for name, value in features.items()) for kind in (0, 1))
        return _chance(talk), _chance(world)

    def features(self, vector: Vectors, met: Met) -> dict[str, float]:
        """What the chances are made of, by the names of the weights."""
        # A question of a team is one, also where no Card is about it.
        own = max(met.near, top(self._work @ vector))
        return {
            "own": own,
            "far": max(0.0, _FAR - own),
            "talk": top(self._talk @ vector),
            "world": top(self._world @ vector),
            "to_world": float(self._to_world[0] @ vector + self._to_world[1]),
            "to_talk": float(self._to_talk[0] @ vector + self._to_talk[1]),
            "known": met.known,
            "size": met.size,
            "bias": 1.0,
        }


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, logit))))


def top(cosines: Vectors) -> float:
    """Mean of the few largest; 0 for none."""
    if len(cosines) > NEIGHBOURS:
        cosines = np.partition(cosines, -NEIGHBOURS)[-NEIGHBOURS:]
    return float(cosines.mean()) if len(cosines) else 0.0


def direction(one: Vectors, other: Vectors) -> tuple[Vectors, float]:
    """Linear discriminant of two groups of equal prior: weights, and a bias; above 0 is on the first one's side.

    The shared covariance is shrunk towards a multiple of the identity, since there are fewer phrases than
    dimensions.
    """
    means, spread = [rows.mean(axis=0) for rows in (one, other)], _spread((one, other))
    level = float(np.trace(spread)) / len(spread) or 1.0
    spread = (1 - _SHRINKAGE) * spread + _SHRINKAGE * level * np.eye(len(spread), dtype=np.float32)
    weights: Vectors = np.linalg.solve(spread, means[0] - means[1]).astype(np.float32)
    return weights, float(-0.5 * weights @ (means[0] + means[1]))


def _spread(groups: Sequence[Vectors]) -> Vectors:
    dimension = groups[0].shape[1]
    spread = np.zeros((dimension, dimension), np.float32)
    for rows in groups:
        centred = rows - rows.mean(axis=0)
        spread += centred.T @ centred / (len(rows) * len(groups))
    return spread
