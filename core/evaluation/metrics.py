"""How good a ranking, a probability or a label is. Pure numbers; knows nothing of what was ranked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray


def ndcg(ranked: Sequence[str], gold: Mapping[str, float], k: int = 10) -> float:
    """nDCG@k in 0–1 with linear gains; a document counts once, at its first place. No gold gives 0."""
    gain = 0.0
    for place, document in enumerate(dict.fromkeys(ranked)):
        if place >= k:
            break
        gain += gold.get(document, 0.0) / float(np.log2(place + 2))
    best = sorted(gold.values(), reverse=True)[:k]
    ideal = sum(value / float(np.log2(place + 2)) for place, value in enumerate(best))
    return gain / ideal if ideal > 0 else 0.0


def recall(ranked: Sequence[str], gold: Collection[str], k: int = 10) -> float:
    """The share of the gold documents among the first k different ones."""
    return len(set(list(dict.fromkeys(ranked))[:k]) & set(gold)) / len(gold) if gold else 0.0


def auroc(scores: ArrayLike, labels: ArrayLike) -> float:
    """The chance that a positive scores above a negative (ties count half); nan when one kind is missing."""
    values = np.asarray(scores, dtype=float)
    positive = np.asarray(labels, dtype=bool)
    n, m = int(positive.sum()), int((~positive).sum())
    if n == 0 or m == 0:
        return float("nan")
    return float((_ranks(values)[positive].sum() - n * (n + 1) / 2) / (n * m))


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a calibration plot: probabilities in [low, high), their mean, the share that came true."""

    low: float
    high: float
    count: int
    mean: float
    share: float


def calibration(probabilities: ArrayLike, labels: ArrayLike, bins: int = 10) -> tuple[Bin, ...]:
    """The filled bins of equal width, from 0 to 1."""
    p = np.asarray(probabilities, dtype=float)
    truth = np.asarray(labels, dtype=float)
    place = np.clip((p * bins).astype(int), 0, bins - 1)
    found = []
    for number in range(bins):
        inside = place == number
        if count := int(inside.sum()):
            found.append(
                Bin(number / bins, (number + 1) / bins, count, float(p[inside].mean()), float(truth[inside].mean()))
            )
    return tuple(found)


def calibration_error(probabilities: ArrayLike, labels: ArrayLike, bins: int = 10) -> float:
    """Expected calibration error: the mean distance between probability and share, weighted by count."""
    filled = calibration(probabilities, labels, bins)
    total = sum(each.count for each in filled)
    return sum(each.count * abs(each.mean - each.share) for each in filled) / total if total else 0.0


def accuracy(predicted: Sequence[object], actual: Sequence[object]) -> float:
    """The share of equal pairs."""
    pairs = list(zip(predicted, actual, strict=True))
    return sum(p == a for p, a in pairs) / len(pairs) if pairs else 0.0


def macro_f1(predicted: Sequence[str], actual: Sequence[str]) -> float:
    """The mean F1 over the labels that occur in `actual`."""
    scores = [_f1(predicted, actual, label) for label in sorted(set(actual))]
    return sum(scores) / len(scores) if scores else 0.0


def _f1(predicted: Sequence[str], actual: Sequence[str], label: str) -> float:
    pairs = list(zip(predicted, actual, strict=True))
    hit = sum(p == a == label for p, a in pairs)
    wrong = sum((p == label) != (a == label) for p, a in pairs)
    return 2 * hit / (2 * hit + wrong) if hit or wrong else 0.0


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    mean: NDArray[np.float64] = (last - (counts - 1) / 2.0)[inverse]
    return mean
