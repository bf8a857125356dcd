"""What the router's self-test asks and what came of it: values, stored with each sync. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["collection", "talk", "outside"]

TALK, OUTSIDE, EVERYTHING = "small talk", "out of scope", "all collections"
"""Where a question belonged or went that is no collection's; no collection's name has a blank in it."""


KEPT = 50
"""Self-tests that a record keeps of each collection's syncs."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question. `right` is where it belongs: a collection, TALK or OUTSIDE. `heading` is what it was made of."""

    text: str
    kind: Kind
    right: str
    language: Literal["ko", "en"] = "en"
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of `asked` questions were `hits`, and for how many the right collection was `searched` at all."""

    asked: int = 0
    hits: int = 0
    searched: int = 0

    @property
    def accuracy(self) -> float | None:
        """The share of hits in 0–1; None when nothing was asked."""
        return self.hits / self.asked if self.asked else None

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.asked + other.asked, self.hits + other.hits, self.searched + other.searched)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Questions that belonged to `asked` and went to `routed`: how many, and a few of their headings."""

    asked: str
    routed: str
    count: int
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One self-test of the router. `collections` by name, those without a question too.

    `unasked` counts the questions that the time limit left or that the planner failed on; they are in no tally.
    """

    at: datetime
    planner: str
    collections: Mapping[str, Tally]
    talk: Tally
    outside: Tally
    confusions: tuple[Confusion, ...]
    card_versions: Mapping[str, str]
    prompt_hash: str
    seconds: float = 0.0
    unasked: int = 0

    @property
    def overall(self) -> Tally:
        """All questions that have one right route: those of collections, and small talk."""
        return sum(self.collections.values(), self.talk)

    @property
    def accuracy(self) -> float | None:
        """The share of `overall` in 0–1."""
        return self.overall.accuracy

    @property
    def has_routed(self) -> bool:
        """Whether any question was asked that belongs to a collection: small talk alone says nothing of routing."""
        return any(tally.asked for tally in self.collections.values())

    def is_like(self, other: SelfTest) -> bool:
        """Whether the two can be compared: the same planner, choosing among the same collections."""
        return self.planner == other.planner and self.collections.keys() == other.collections.keys()
