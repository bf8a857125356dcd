"""From the names that a model gives as its route to one that exists: pure rules.

A collection that doesn't exist is taken for the nearest that does, or dropped; whoever is unsure searches
all collections that the audience may read, never the web.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from core.answers import Route
from core.documents import Card

UNSURE = 0.5
"""Certainty below which a route counts as no route."""

CLOSE = 0.72
"""Likeness (0–1) from which a name that doesn't exist is taken for one that does."""

_OTHERS: dict[str, Route] = {"direct": "direct", "web": "web", "clarify": "clarify"}


@dataclass(frozen=True, slots=True)
class Direction:
    """A route that can be carried out; `reason` says whether it is the model's own."""

    route: Route
    collections: tuple[str, ...]
    reason: str


def direction(names: Sequence[str], sure: float, cards: Sequence[Card], closed: frozenset[str]) -> Direction:
    """The route meant by these names; `closed` are the other routes that this run must not take."""
    everything = tuple(card.collection for card in cards)
    found, other = _collections(names, cards), _other(names, cards)
    if sure < UNSURE:
        return Direction("collections", everything, "model unsure")
    if found:
        exact = set(names) == set(found)
        return Direction("collections", found, "model" if exact else "model repaired")
    if other is None or other in closed:
        return Direction("collections", everything, "model repaired")
    return Direction(other, (), "model")


def widened(way: Direction, described: frozenset[str], cards: Sequence[Card]) -> Direction:
    """All collections where a model that was shown only some Cards chose every one of them: it could not decide."""
    if way.route != "collections" or not described <= set(way.collections):
        return way
    return Direction("collections", tuple(card.collection for card in cards), "model unsure")


def _collections(names: Sequence[str], cards: Sequence[Card]) -> tuple[str, ...]:
    """The collections named, by name or title, in the order of the names; the nearest for what is misspelt."""
    known = {_folded(card.title): card.collection for card in cards if card.title}
    known |= {_folded(card.collection): card.collection for card in cards}
    found: list[str] = []
    for name in map(_folded, names):
        near = [name] if name in known else difflib.get_close_matches(name, known, 1, CLOSE)
        if near and (near[0] == name or name not in _OTHERS):
            found.append(known[near[0]])
    return tuple(dict.fromkeys(found))


def _other(names: Sequence[str], cards: Sequence[Card]) -> Route | None:
    """The one route named besides collections; several are none, and nothing is taken for the web."""
    named = {_OTHERS[name] for name in map(_folded, names) if name in _OTHERS}
    return named.pop() if len(named) == 1 and len(names) == 1 else None


def _folded(name: str) -> str:
    return " ".join(name.casefold().strip(" \t\n\"'`#[]{}().").split())
