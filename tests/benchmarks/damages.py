"""Cards spoilt on purpose, in many ways and more or less: what a self-test should notice. Pure but for vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.documents import Card
from core.ports import Embedder
from tests.benchmarks.routing_data import lot

Damage = Callable[[Sequence[Card]], list[Card]]

LISTS = ("examples", "headings", "titles", "questions")


@dataclass(frozen=True, slots=True)
class Foreign:
    """Phrases and terms of a subject that none of the collections is about."""

    phrases: tuple[str, ...]
    terms: tuple[str, ...]


def damages(foreign: Foreign) -> Iterator[tuple[str, Damage]]:
    """Each kind of damage in several degrees, by name."""
    yield "none", list
    for kept in (200, 50, 12, 3):
        yield f"truncated to {kept} entries", _each(lambda card, kept=kept: _cut(card, kept))
    yield "key terms swapped", _swapped("terms", 1.0)
    for share in (0.3, 0.6, 0.9):
        yield f"phrases swapped: {share:.0%}", _swapped("phrases", share)
    yield "phrases and terms swapped: 60%", _both(_swapped("phrases", 0.6), _swapped("terms", 0.6))
    for count in (1, 2):
        yield f"emptied: {count}", _first(count, lambda card: _cut(card, 0))
    for share in (0.5, 0.9):
        yield f"stale: {share:.0%} of the phrases gone", _each(lambda card, share=share: _thinned(card, share))
    yield "merged: one holds another", _merged
    yield "foreign: half of one", _first(1, lambda card: _foreign(card, foreign, 0.5))
    for count in (1, 2, 3):
        yield f"foreign: {count} whole", _first(count, lambda card: _foreign(card, foreign, 1.0))


async def with_vectors(cards: Sequence[Card], embedder: Embedder) -> list[Card]:
    """The Cards with the vectors of their examples."""
    found = []
    for card in cards:
        rows = (await embedder.embed(card.examples, "query")).astype(np.float16) if card.examples else np.zeros(0)
        found.append(replace(card, vectors=rows.tobytes() if card.examples else b"", embedding=embedder.name))
    return found


def _each(change: Callable[[Card], Card]) -> Damage:
    return lambda cards: [change(card) for card in cards]


def _first(count: int, change: Callable[[Card], Card]) -> Damage:
    return lambda cards: [change(card) if place < count else card for place, card in enumerate(cards)]


def _both(one: Damage, other: Damage) -> Damage:
    return lambda cards: other(one(cards))


def _changed(card: Card, entries: Mapping[str, tuple[str, ...]]) -> Card:
    return replace(
        card,
        examples=entries.get("examples", card.examples),
        headings=entries.get("headings", card.headings),
        titles=entries.get("titles", card.titles),
        questions=entries.get("questions", card.questions),
        terms=entries.get("terms", card.terms),
    )


def _entries(card: Card) -> dict[str, tuple[str, ...]]:
    return {name: getattr(card, name) for name in (*LISTS, "terms")}


def _cut(card: Card, kept: int) -> Card:
    return _changed(card, {name: entries[:kept] for name, entries in _entries(card).items()})


def _thinned(card: Card, share: float) -> Card:
    kept = {name: tuple(e for e in entries if not _falls(e, share)) for name, entries in _entries(card).items()}
    return _changed(card, kept)


def _falls(entry: str, share: float) -> bool:
    return lot(entry, 1000) < 1000 * share


def _swapped(what: str, share: float) -> Damage:
    """A share of the entries of each Card goes to the next one, in a circle."""
    names = ("terms",) if what == "terms" else LISTS

    def swap(cards: Sequence[Card]) -> list[Card]:
        changed = []
        for place, card in enumerate(cards):
            giver, entries = cards[place - 1], {}
            for name in names:
                own = [e for e in getattr(card, name) if not _falls(e, share)]
                entries[name] = tuple(dict.fromkeys([*own, *(e for e in getattr(giver, name) if _falls(e, share))]))
            changed.append(_changed(card, entries))
        return changed

    return swap


def _merged(cards: Sequence[Card]) -> list[Card]:
    """The first Card holds what the second holds, beside its own."""
    one, other, *rest = cards
    both = {name: (*entries, *getattr(other, name)) for name, entries in _entries(one).items()}
    return [_changed(one, both), other, *rest]


def _foreign(card: Card, foreign: Foreign, share: float) -> Card:
    """A share of each list gives way to entries about something else."""
    entries = {}
    for name, own in _entries(card).items():
        count = int(share * len(own))
        entries[name] = (*(foreign.terms if name == "terms" else foreign.phrases)[:count], *own[count:])
    return _changed(card, entries)
