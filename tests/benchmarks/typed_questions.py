"""Questions as colleagues type them, over public manuals: written for this project, some without an answer there.

Headings are keywords and benchmark claims are prose; a team's questions are neither. The documents are
whole here, headings included, as the product has them. Knows no model weights.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from core.documents import Passage
from core.evaluation.datasets import sections
from tests.benchmarks.gold_removal import Asked, Corpus, Trial, section_passages
from tests.benchmarks.small_collections import smaller

HERE = Path(__file__).parent / "training"


def typed_trials(data: Path) -> Iterable[Trial]:
    """Each manual in each of its languages, asked in Korean and in English; whole, and in small collections."""
    rows = [json.loads(line) for path in sorted(HERE.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    for name, language in (("handbook18f", "en"), ("helm", "en"), ("helm", "ko"), ("fastapi", "en"), ("fastapi", "ko")):
        held = tuple(_whole_sections(data, name, language))
        known = frozenset(key for key, _ in held)
        questions = tuple(
            Asked(f"typed {name} {place}", row["question"], frozenset(row["gold"]) & known)
            for place, row in enumerate(rows)
            if row["corpus"] == name and (not row["gold"] or set(row["gold"]) & known)
        )
        trial = Trial("typed", f"typed {name}", Corpus(f"typed-{name}-{language}", held), questions)
        yield trial
        for small in smaller(trial, 5):
            yield replace(small, name="typed small")


def _whole_sections(data: Path, name: str, language: str) -> Iterable[tuple[str, Passage]]:
    for section in sections(data, name, language):
        heading = (section.heading,) if section.heading and section.heading != section.title else ()
        for key, one in section_passages(section, name, language):
            yield key, replace(one, heading_path=(*section.path, *heading))
