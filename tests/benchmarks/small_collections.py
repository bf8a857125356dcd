"""Small collections in two languages, cut from the big ones: the size that a team's own documents have.

In a few hundred passages standardised scores stay lower, and a question meets documents of the other
language; an evaluator that has only seen thousands of passages trusts nothing there. Made by a fixed
rule, no chance involved. Knows no model weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from core.documents import Passage
from core.evaluation.datasets import heading_queries, sections
from tests.benchmarks.gold_removal import Asked, Corpus, Trial, number, section_passages

GROUPS = 5


def small_trials(data: Path) -> Iterable[Trial]:
    """Groups of documents of FastAPI and Helm, each document in one of its two languages."""
    for name in ("helm", "fastapi"):
        asked = heading_queries(data, name)
        for group in range(GROUPS):
            held = tuple(_mixed(data, name, group))
            known = frozenset(key for key, _ in held)
            for language in ("en", "ko"):
                texts = [(q, q.en if language == "en" else q.ko) for q in asked if known & frozenset(q.gold)]
                questions = tuple(Asked(q.id, text, frozenset(q.gold)) for q, text in texts if text)
                yield Trial(f"{name} small {language}", name, Corpus(f"{name}-small-{group}", held), questions)


def smaller(trial: Trial, groups: int) -> Iterable[Trial]:
    """The trial's own corpus and questions in groups; a gold document decides where a question goes."""
    for group in range(groups):
        held = tuple((key, one) for key, one in trial.corpus.passages if number("group" + key) % groups == group)
        known = frozenset(key for key, _ in held)
        questions = tuple(replace(q, gold=q.gold & known) for q in trial.questions if q.gold & known)
        yield Trial(f"{trial.name} small", trial.family, Corpus(f"{trial.corpus.name}-small-{group}", held), questions)


def headings_as_questions(data: Path) -> Iterable[Trial]:
    """A real organisation's handbook: headings of three words or more, taken out of their sections."""
    found = sections(data, "handbook18f", "en")
    for group in range(8):
        mine = [one for one in found if number("18f" + one.document) % 8 == group]
        held = tuple(pair for one in mine for pair in section_passages(one, "handbook18f", "en"))
        questions = tuple(
            Asked(one.id, one.heading, frozenset([one.id]))
            for one in mine
            if len(one.heading.split()) >= 3 and one.text
        )
        yield Trial("handbook18f small", "handbook18f", Corpus(f"18f-{group}", held), questions)


def _mixed(data: Path, name: str, group: int) -> Iterable[tuple[str, Passage]]:
    by_language: Mapping[str, frozenset[str]] = {
        language: frozenset(one.document for one in sections(data, name, language)) for language in ("en", "ko")
    }
    for language in ("en", "ko"):
        for one in sections(data, name, language):
            wanted = "ko" if number("tongue" + one.document) % 2 else "en"
            if one.document not in by_language[wanted]:
                wanted = language
            if number("group" + one.document) % GROUPS == group and wanted == language:
                yield from section_passages(one, name, language)
