"""From a question and passages to what the features are read from: taken apart, and embedded at one go.

Shared by the grader and the refiner. Knows no model and no threshold.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.local.alignment import WordVectors, aligned
from adapters.local.features import Look
from adapters.local.sheets import Asked, Sheet, asked, cosines, sheet
from core.answers import Retrieved
from core.ports import Analyzer, Embedder, Vectors
from core.retrieval.politeness import plainly


@dataclass(frozen=True, slots=True)
class Reading:
    """What passages are read with; without `words` the look has no alignment."""

    embedder: Embedder
    analyzer: Analyzer
    words: WordVectors | None = None


async def look_at(question: str, retrieved: Sequence[Retrieved], reading: Reading) -> tuple[Asked, list[Look]]:
    """One look for each passage, in order; one embedding call for all their texts."""
    embedder, analyzer, question = reading.embedder, reading.analyzer, plainly(question)
    weights = next((hit.scores.weights for hit in retrieved if hit.scores.weights), {})
    target, sheets = await asyncio.to_thread(_taken_apart, question, weights, retrieved, analyzer)
    aim = await embedder.embed([question], "query")
    vectors = await embedder.embed([text for one in sheets for text in one.texts], "passage")
    looks = await asyncio.to_thread(_looks, sheets, retrieved, aim[0], vectors)
    if reading.words is None:
        return target, looks
    met = await aligned(target, sheets, reading.words, analyzer)
    return target, [replace(look, alignment=one) for look, one in zip(looks, met, strict=True)]


def _taken_apart(
    question: str, weights: Mapping[str, float], retrieved: Sequence[Retrieved], analyzer: Analyzer
) -> tuple[Asked, list[Sheet]]:
    return asked(question, weights, analyzer), [sheet(hit.passage, analyzer) for hit in retrieved]


def _looks(sheets: Sequence[Sheet], retrieved: Sequence[Retrieved], aim: Vectors, vectors: Vectors) -> list[Look]:
    looks, start = [], 0
    for one, hit in zip(sheets, retrieved, strict=True):
        end = start + len(one.texts)
        looks.append(Look(one, hit.scores, cosines(aim, vectors[start:end])))
        start = end
    return looks
