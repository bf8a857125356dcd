"""Which of the ranked passages are shown: different ones, not all from one document, identifiers never lost. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.answers import Retrieved
from core.documents import Passage

_EACH_MORE = 0.7
"""What a third passage of one document loses, and each after it again, in standard deviations of the lists."""

_DUPLICATE = 0.9


def select(ranked: Sequence[Retrieved], identifiers: Sequence[str], k: int) -> list[Retrieved]:
    """The k best, without near-duplicates; of one document many only where it stands far ahead of the others.

    For each identifier that any ranked passage holds verbatim, one of the k holds it.
    """
    chosen = _different(ranked, k)
    for term in identifiers:
        if any(verbatim(found.passage, term) for found in chosen):
            continue
        holder = next((found for found in ranked if verbatim(found.passage, term)), None)
        if holder is not None:
            chosen = _with(chosen, holder, identifiers, k)
    return chosen


def verbatim(passage: Passage, term: str) -> bool:
    """Whether the term stands in the passage, its headings or its file name: whole, without regard to case."""
    text = f"{passage.headed_text}\n{passage.document_id}".casefold()
    wanted = term.casefold()
    start = text.find(wanted)
    while start >= 0:
        around = text[start - 1 : start] + text[start + len(wanted) : start + len(wanted) + 1]
        if not any(character.isascii() and (character.isalnum() or character == "_") for character in around):
            return True
        start = text.find(wanted, start + 1)
    return False


def _different(ranked: Sequence[Retrieved], k: int) -> list[Retrieved]:
    """The best one after the other; each counts less the more of its document has been taken."""
    chosen: list[Retrieved] = []
    bags: list[frozenset[str]] = []
    left = list(ranked)
    of_document: Counter[tuple[str, str]] = Counter()
    while left and len(chosen) < k:
        best = max(left, key=lambda found: found.scores.fused - _EACH_MORE * max(0, of_document[_document(found)] - 2))
        left.remove(best)
        bag = frozenset(best.passage.text.casefold().split())
        if any(_overlap(bag, other) > _DUPLICATE for other in bags):
            continue
        bags.append(bag)
        of_document[_document(best)] += 1
        chosen.append(best)
    return chosen


def _document(found: Retrieved) -> tuple[str, str]:
    return found.passage.collection, found.passage.document_id


def _with(chosen: list[Retrieved], holder: Retrieved, identifiers: Sequence[str], k: int) -> list[Retrieved]:
    """The holder comes in for the last passage that holds no identifier itself."""
    if len(chosen) < k:
        return [*chosen, holder]
    for place in range(len(chosen) - 1, -1, -1):
        if not any(verbatim(chosen[place].passage, term) for term in identifiers):
            return [*chosen[:place], *chosen[place + 1 :], holder]
    return chosen


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
