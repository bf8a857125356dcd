"""When the router's self-test is a reason to warn, about which pairs, and what would tell them apart; pure.

Under four fifths right, or more than ten points below the best of the last few tests of the same collections: a
drop must not vanish because another collection was synced a minute later. Few questions say little, so of few a
single miss never warns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.catalog.tested import EVERYTHING, OUTSIDE, TALK, Confusion, SelfTest, Tally
from core.documents import Card

LOW = 0.80
DROP = 0.10
LOOKED_BACK = 10
"""Earlier tests that a test is compared with."""

FEW = 10
"""Questions from which their share is taken as it is."""

_Z = 1.2816
"""A share of few questions is below a bar when nine in ten such samples of a router at the bar would be better."""

PAIRS = 3
TERMS = 6
_LEADING = 300


@dataclass(frozen=True, slots=True)
class Pair:
    """Questions of `asked` that went to `routed`, and the leading key terms that one of the two has alone."""

    confusion: Confusion
    own: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    @property
    def places(self) -> frozenset[str]:
        """The two."""
        return frozenset({self.confusion.asked, self.confusion.routed})


@dataclass(frozen=True, slots=True)
class Alarm:
    """One warning. `place` is a collection, TALK, or empty for the router as a whole; accuracies in 0–1.

    `before` is the accuracy that it fell from, None when it did not fall.
    """

    place: str
    tally: Tally
    before: float | None = None
    pairs: tuple[Pair, ...] = ()

    @property
    def accuracy(self) -> float:
        """The share that was right."""
        return self.tally.accuracy or 0.0


NO_COLLECTION = frozenset({TALK, OUTSIDE, EVERYTHING, "web", "clarify", ""})
"""Places that are no secret."""


def alarms(test: SelfTest, earlier: Sequence[SelfTest], cards: Sequence[Card]) -> tuple[Alarm, ...]:
    """The warnings of a test, `earlier` ones newest first. The whole router is named only when no place is."""
    comparable = [each for each in earlier[:LOOKED_BACK] if each.is_like(test)]
    places = {**test.collections, TALK: test.talk}
    found = [_alarm(place, tally, [_tally(each, place) for each in comparable]) for place, tally in places.items()]
    if not any(found):
        found = [_alarm("", test.overall, [each.overall for each in comparable])]
    by_name = {card.collection: card for card in cards}
    return tuple(replace(alarm, pairs=tuple(_pairs(alarm.place, test, by_name))) for alarm in found if alarm)


def seen(found: Sequence[Alarm], known: frozenset[str]) -> tuple[Alarm, ...]:
    """The warnings without a word of other collections than the known."""
    places = known | NO_COLLECTION
    return tuple(
        replace(alarm, pairs=tuple(pair for pair in alarm.pairs if pair.places <= places))
        for alarm in found
        if alarm.place in places
    )


def is_below(tally: Tally, bar: float) -> bool:
    """Whether so many hits of so many questions are surely too few."""
    if tally.asked >= FEW:
        return tally.hits < bar * tally.asked - 1e-9
    return tally.asked - tally.hits >= 2 and upper_bound(tally) < bar


def upper_bound(tally: Tally) -> float:
    """The upper end of Wilson's interval for the share of hits."""
    n, share, z = tally.asked, tally.accuracy, _Z
    if share is None:
        return 1.0
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (share + z * z / (2 * n) + spread) / (1 + z * z / n)


def _alarm(place: str, tally: Tally, earlier: Sequence[Tally]) -> Alarm | None:
    best = max((each.accuracy for each in earlier if each.accuracy is not None), default=None)
    fell = best is not None and is_below(tally, best - DROP)
    if not fell and not is_below(tally, LOW):
        return None
    return Alarm(place, tally, best if fell else None)


def _tally(test: SelfTest, place: str) -> Tally:
    return test.talk if place == TALK else test.collections.get(place, Tally())


def _pairs(place: str, test: SelfTest, cards: Mapping[str, Card]) -> Iterator[Pair]:
    asked = [each for each in test.confusions if each.asked == place or (not place and each.asked in cards)]
    for confusion in asked[:PAIRS]:
        own, other = cards.get(confusion.asked), cards.get(confusion.routed)
        if own is None or other is None:
            yield Pair(confusion)
        else:
            yield Pair(confusion, only_in(own, other), only_in(other, own))


def only_in(card: Card, other: Card) -> tuple[str, ...]:
    """The leading key terms that the other Card has not: what a question can tell the two by."""
    theirs = frozenset(other.terms)
    return tuple(term for term in card.terms[:_LEADING] if term not in theirs)[:TERMS]
