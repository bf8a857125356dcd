"""The Cards in as many words as a budget of tokens allows: all of them, or the first of a ranking; pure.

Some thirty Cards are all described, shorter the more there are. Of more, those that fit the question best are
described and the others are named, or at least counted: a prompt never says that there is nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.catalog.card_text import FIRST_ITEMS, card_text
from core.catalog.first_cut import Asked, ranked
from core.catalog.tokens import tokens
from core.documents import Card

BETWEEN = "\n\n"

_FEWEST = 3
"""Entries in each list of a Card below which it says too little: then fewer Cards are described."""

_ENOUGH = 12
"""Described Cards from which longer descriptions are better than more of them."""

_NAMES_SHARE = 4
"""The names of Cards that are not described may take this part of the room: one token in four."""


@dataclass(frozen=True, slots=True)
class Described:
    """The text of the Cards, and which collections it describes; `is_cut` says that there are others."""

    text: str
    collections: frozenset[str]
    is_cut: bool = False


def described(cards: Sequence[Card], asked: Asked, room: int) -> Described:
    """The Cards in the order of their names, in at most `room` tokens."""
    cards = sorted(cards, key=lambda card: card.collection)
    items = _most(lambda count: tokens(_texts(cards, count)) <= room, FIRST_ITEMS)
    if items >= _FEWEST or not cards:
        return Described(_texts(cards, items), frozenset(card.collection for card in cards))
    order = ranked(cards, asked) if asked.texts else cards
    reserved = min(tokens(_others(cards, len(cards))), room // _NAMES_SHARE)
    chosen, items = _leading(order, room - reserved)
    return _with_others(sorted(chosen, key=lambda card: card.collection), order[len(chosen) :], items, room)


def _with_others(chosen: Sequence[Card], others: Sequence[Card], items: int, room: int) -> Described:
    parts = [_texts(chosen, items)] if chosen else []
    left = room - tokens(BETWEEN.join([*parts, ""]))
    named = _most(lambda count: tokens(_others(others, count)) <= left, len(others))
    if named >= 0:
        parts.append(_others(others, named))
    return Described(BETWEEN.join(parts), frozenset(card.collection for card in chosen), bool(others))


def _leading(order: Sequence[Card], room: int) -> tuple[Sequence[Card], int]:
    """The leading Cards that fit, in the longest descriptions that leave enough of them."""
    fewest: tuple[Sequence[Card], int] = ((), 0)
    for items in (FIRST_ITEMS, 8, 5, _FEWEST, 1, 0):
        count = _fitting(order, items, room)
        if count >= min(_ENOUGH, len(order)):
            return order[:count], items
        if not fewest[0]:
            fewest = order[:count], items
    return fewest


def _fitting(order: Sequence[Card], items: int, room: int) -> int:
    """How many Cards fit, one after the other."""
    used = 0
    for count, card in enumerate(order):
        used += tokens(card_text(card, items) + BETWEEN)
        if used > room:
            return count
    return len(order)


def _others(cards: Sequence[Card], named: int) -> str:
    """One line for those that are not described: they exist, and may be chosen."""
    if not cards:
        return ""
    line = f"{len(cards)} more collections that seem to fit less, not described"
    if named:
        line += ": " + ", ".join(card.collection for card in cards[:named])
    return line + ("" if named in (0, len(cards)) else ", …")


def _texts(cards: Sequence[Card], items: int) -> str:
    return BETWEEN.join(card_text(card, items) for card in cards)


def _most(fits: Callable[[int], bool], most: int) -> int:
    """The largest number up to `most` that fits, where a smaller one fits whenever a larger does; -1 for none."""
    low, high = -1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
