"""Names in a question: a passage about another thing of the same kind is not an answer. Pure.

Two reports on near-alike subjects share nearly every word, and a vector hardly tells AKS from GKE; the
name does. A candidate whose passage, headings, title and file name lack a name that other candidates
have falls behind them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.answers import Retrieved

LACKING = 3.0
"""How far a candidate falls that has none of the names, in standard deviations of the lists."""

_ACRONYM = re.compile(r"(?<![\w/.-])[A-Z][A-Z0-9]{1,9}(?![\w/-])")
_MIXED = re.compile(r"(?<![\w/.-])(?:[A-Z][a-z0-9]+){2,}(?![\w/-])|(?<![\w/.-])[A-Za-z]*[a-z][A-Z]\w*(?![\w/-])")
_LATIN = re.compile(r"(?<![A-Za-z0-9_/.-])[A-Za-z][A-Za-z0-9]{2,}(?![A-Za-z0-9_/-]|\.\w)")
_HANGUL = re.compile(r"[가-힣]")
_COMMON = frozenset({"OK", "FAQ", "PDF", "CSV", "URL", "AND", "OR", "NOT", "THE"})


def names(question: str) -> tuple[str, ...]:
    """Acronyms and mixed-case names; in a Korean question every Latin word. Lower case, each once.

    Capitals alone don't make a name where the whole question is written in them.
    """
    found: list[str] = []
    if question != question.upper() or _HANGUL.search(question):
        found += _ACRONYM.findall(question)
    found += _MIXED.findall(question)
    if _HANGUL.search(question):
        found += _LATIN.findall(question)
    return tuple(dict.fromkeys(name.casefold() for name in found if name not in _COMMON))


def by_name(ranked: Sequence[Retrieved], wanted: Sequence[str]) -> list[Retrieved]:
    """The ranking with those moved back that lack names which others of them have; order among equals is kept."""
    held = [frozenset(name for name in wanted if _holds(found, name)) for found in ranked]
    known = frozenset(name for has in held for name in has)
    if not known:
        return list(ranked)
    scored = [_lowered(found, LACKING * len(known - has) / len(known)) for found, has in zip(ranked, held, strict=True)]
    return sorted(scored, key=lambda found: -found.scores.fused)


def _holds(found: Retrieved, name: str) -> bool:
    text = f"{found.passage.headed_text}\n{found.passage.document_id}".casefold()
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None


def _lowered(found: Retrieved, by: float) -> Retrieved:
    if by <= 0:
        return found
    return replace(found, scores=replace(found.scores, fused=found.scores.fused - by))
