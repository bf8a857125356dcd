"""Which footnotes of a sentence stay, move or go, and which sentence gains one: a decision over numbers alone.

What a careful librarian does with somebody else's footnotes. Knows no text and no platform.
"""

from __future__ import annotations

from collections.abc import Sequence

RIGHT = 0.7
"""A footnote whose passage supports its sentence at least so much stays, however well another one does."""

CLEAR, MARGIN = 0.8, 0.3
"""A footnote moves only to a passage that clearly supports the sentence, and by so much more than its own."""

NOTHING = 0.15
"""Below it a passage says nothing of the sentence. From there to RIGHT a footnote has the benefit of the doubt."""

PART = 0.1
"""Of several footnotes each may carry only a part of the sentence: they are wrong only below this."""

CERTAIN = 0.9
"""A sentence without a footnote gains one only from here on: who wrote it may have meant another source."""


def settled_numbers(numbers: Sequence[int], row: Sequence[float]) -> tuple[int, ...]:
    """The passages (from 1) that a sentence should cite instead of `numbers`, one for each in order; 0: none.

    `row` holds the support by each passage. Unknown numbers become 0. What is right stays; what is wrong moves
    to the clearly best passage, or goes: when another footnote of the sentence is right already, or when its
    passage says nothing of it and no other one clearly does.
    """
    known = [n for n in numbers if 1 <= n <= len(row)]
    right = [n for n in known if row[n - 1] >= RIGHT]
    return tuple(_settled(n, row, right, alone=len(known) == 1) if n in known else 0 for n in numbers)


def _settled(number: int, row: Sequence[float], right: Sequence[int], *, alone: bool) -> int:
    own, best = row[number - 1], max(row)
    if own >= (RIGHT if alone else PART):
        return number
    if best >= CLEAR and best - own >= MARGIN:
        return 0 if right else list(row).index(best) + 1
    return 0 if own < NOTHING else number


def gained_number(row: Sequence[float]) -> int:
    """The passage (from 1) that certainly supports a sentence without a footnote; 0: none."""
    best = max(row, default=0.0)
    return list(row).index(best) + 1 if best >= CERTAIN else 0
