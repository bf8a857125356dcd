"""How passages stand in a prompt: numbered, titled, dated, fenced. Knows no step."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents import Passage
from core.rag.prompts.fencing import Fences

LONGEST = 4_000
"""Characters of one passage; splitters cut far below it, a web page may be longer."""


def passage_blocks(fences: Fences, numbered: Sequence[tuple[int, Passage, str]]) -> str:
    """Each passage by its number, with the text that counts (its strips, or all of it)."""
    return "\n".join(
        fences.block("passage", text[:LONGEST], _head(number, passage)) for number, passage, text in numbered
    )


def _head(number: int, passage: Passage) -> list[tuple[str, str]]:
    """Number and title; the date, without which nobody can tell the newer of two; where it comes from."""
    headings = [heading for heading in passage.heading_path if heading != passage.title]
    return [
        ("n", str(number)),
        ("title", " › ".join([passage.title, *headings])),
        ("date", passage.date.isoformat() if passage.date else ""),
        ("from", "web" if passage.origin == "web" else ""),
    ]
