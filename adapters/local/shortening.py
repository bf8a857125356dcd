"""A unit that is too long to quote whole, cut at its clauses around what the question asks for."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.sentences import Unit

LIMIT = 400
"""Characters of one quoted sentence; few are longer, and those are lists in disguise."""

_CLAUSE = re.compile(r"(?<=[,;:])\s+|\s+(?=[–—(])|(?<=[고며만나데지서면])\s+(?=[가-힣])")


def shortened(unit: Unit, relevance: Callable[[str], int]) -> str:
    """The unit's text; over the limit its most relevant clauses with “…” for what is left out."""
    if len(unit.text) <= LIMIT:
        return unit.text
    if unit.kind == "fence":
        return _fewer_lines(unit.text)
    if unit.kind in ("row", "record"):
        return _fewer_cells(unit.text.split("; "), relevance)
    return _window(unit.text, relevance)


def _fewer_lines(fence: str) -> str:
    lines = fence.split("\n")
    kept = [lines[0]]
    for line in lines[1:-1]:
        if sum(map(len, kept)) + len(line) > 2 * LIMIT:
            return "\n".join([*kept, "…", lines[-1]])
        kept.append(line)
    return "\n".join([*kept, lines[-1]])


def _fewer_cells(cells: list[str], relevance: Callable[[str], int]) -> str:
    """The first cell names the row; then those that the question speaks of, in their order."""
    ranked = sorted(range(1, len(cells)), key=lambda i: (-relevance(cells[i]), i))
    kept, length = {0}, len(cells[0])
    for i in ranked:
        if length + len(cells[i]) + 2 <= LIMIT:
            kept.add(i)
            length += len(cells[i]) + 2
    return "; ".join(cells[i] for i in sorted(kept))[:LIMIT] + "; …"


def _window(text: str, relevance: Callable[[str], int]) -> str:
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(text)), len(text)]
    best, best_score = (0, cuts[1]), -1
    for i, start in enumerate(cuts[:-1]):
        end = max((cut for cut in cuts[i + 1 :] if cut - start <= LIMIT), default=0)
        score = relevance(text[start:end]) if end else -1
        if score > best_score:
            best, best_score = (start, end), score
    start, end = best
    if best_score < 0 or end - start > LIMIT:  # no clause is short enough
        start, end = 0, text.rfind(" ", 0, LIMIT) if " " in text[:LIMIT] else LIMIT
    return ("… " if start else "") + text[start:end].rstrip(" ,;:–—(") + ("…" if end < len(text) else "")
