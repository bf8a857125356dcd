"""Titles and headings as a Card takes them: plain, on one line, each once; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.documents import DocumentRecord

LONGEST = 160
"""Characters of one phrase."""

_MARKS = re.compile(r"[\[{`*#]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"\{#[^}]*\}|[`*]|^\s*#+\s*")


def plain(phrase: str) -> str:
    """Without marks, links and anchors; empty when nothing else is left."""
    if _MARKS.search(phrase):
        phrase = _MARKUP.sub("", _LINK.sub(r"\1", phrase))
    return " ".join(phrase.split())[:LONGEST]


def folded(phrase: str) -> str:
    """The same for phrases that differ in marks, case and closing signs alone."""
    return fold(plain(phrase))


def fold(phrase: str) -> str:
    """`folded` for a phrase that is plain already."""
    return phrase.casefold().strip(" .?!:;")


def distinct(phrases: Iterable[str]) -> tuple[str, ...]:
    """The plain phrases, each once, in their order."""
    return tuple(dict.fromkeys(phrase for phrase in map(plain, phrases) if phrase))


def round_robin(records: Sequence[DocumentRecord]) -> Iterator[str]:
    """The first heading of each document, then the second of each …: a cut leaves no document out."""
    longest = max((len(record.headings) for record in records), default=0)
    for place in range(longest):
        for record in records:
            if place < len(record.headings):
                yield record.headings[place]
