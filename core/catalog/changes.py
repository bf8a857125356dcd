"""What a sync changed of a Card: the Card before beside the Card now; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.documents import Card

LEADING_TERMS = 40
"""Terms that are compared: further down the ranking moves with every page."""


@dataclass(frozen=True, slots=True)
class ListChange:
    """What came and what went, each in the order of its Card."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardChange:
    """One Card's change. `before` is empty for a Card that is new; `lists` and `facts` hold only what changed.

    `facts` are pairs: what was, what is.
    """

    collection: str
    before: str
    after: str
    lists: Mapping[str, ListChange] = field(default_factory=dict)
    facts: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def is_new(self) -> bool:
        """Whether there was no Card before."""
        return not self.before

    @property
    def is_none(self) -> bool:
        """Whether nothing changed that people or the router see."""
        return not (self.is_new or self.lists or self.facts)


def change(before: Card | None, now: Card) -> CardChange:
    """From what was to what is; of a new Card nothing is listed, since all of it is new."""
    if before is None:
        return CardChange(now.collection, "", now.version)
    lists = {name: _compared(old, new) for name, old, new in zip(_LISTS, _lists(before), _lists(now), strict=True)}
    facts = {name: (old, new) for name, old, new in zip(_FACTS, _facts(before), _facts(now), strict=True)}
    return CardChange(
        now.collection,
        before.version,
        now.version,
        {name: each for name, each in lists.items() if each.added or each.removed},
        {name: pair for name, pair in facts.items() if pair[0] != pair[1]},
    )


_LISTS = ("terms", "titles", "headings", "questions")
_FACTS = ("title", "hint", "documents", "passages", "languages", "dates")


def _lists(card: Card) -> tuple[Sequence[str], ...]:
    return card.terms[:LEADING_TERMS], card.titles, card.headings, card.questions


def _facts(card: Card) -> tuple[str, ...]:
    languages = ", ".join(f"{code} {count}" for code, count in card.languages.items())
    dates = f"{card.dates.start} – {card.dates.end}" if card.dates else ""
    return card.title, card.hint, str(card.documents), str(card.passages), languages, dates


def _compared(old: Sequence[str], new: Sequence[str]) -> ListChange:
    had, has = frozenset(old), frozenset(new)
    return ListChange(tuple(e for e in new if e not in had), tuple(e for e in old if e not in has))
