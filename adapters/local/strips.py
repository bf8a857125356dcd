"""A passage's text as sentences and strips: what may be quoted, and what may stand together.

Pure text. A strip never crosses a heading, a list item, a table row or a fence, and headings are no
strips. Knows nothing of questions or scores.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.indexing.blocks import blocks
from core.indexing.text import sentences


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence, list item, table row or fence; only sentences of the same `block` may be joined."""

    text: str
    block: int
    joinable: bool = True


def units(text: str) -> tuple[Unit, ...]:
    """What a passage says, in reading order; headings and rules are left out."""
    found: list[Unit] = []
    for number, block in enumerate(blocks(text)):
        if block.kind in ("code", "row"):
            found.append(Unit(block.text.strip("\n"), number, joinable=False))
        else:
            found.extend(Unit(sentence, number, block.kind == "prose") for sentence in sentences(block.text))
    return tuple(unit for unit in found if unit.text.strip())
