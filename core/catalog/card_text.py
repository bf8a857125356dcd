"""A Card in words, as the router reads it and as people are shown it; pure."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents import Card

FIRST_ITEMS = 14
"""Entries of each list that are worth reading."""

_LONGEST = 160


def card_text(card: Card, items: int = FIRST_ITEMS) -> str:
    """One Card, with at most `items` entries in each list."""
    lines = [f"### {card.collection}: {_line(card.title)}"]
    facts = [f"{card.documents} documents"]
    if card.languages:
        facts.append("languages " + ", ".join(f"{code} {count}" for code, count in card.languages.items()))
    if card.dates:
        facts.append(f"dated {card.dates.start} to {card.dates.end}")
    if card.updated:
        facts.append(f"last changed {card.updated}")
    lines.append("; ".join(facts))
    if card.hint:
        lines.append(f"hint: {_line(card.hint)}")
    for label, entries in _lists(card):
        if entries and items > 0:
            lines.append(f"{label}: " + " | ".join(_line(entry) for entry in entries[:items]))
    return "\n".join(lines)


def _lists(card: Card) -> tuple[tuple[str, Sequence[str]], ...]:
    return (
        ("key terms", card.terms),
        ("titles", card.titles),
        ("headings", card.headings),
        ("questions", card.questions),
    )


def _line(text: str) -> str:
    """On one line and of bounded length, so that no entry can pose as another part of the prompt."""
    return " ".join(text.split())[:_LONGEST]
