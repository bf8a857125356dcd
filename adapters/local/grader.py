"""The local grader: how likely is each passage to answer the question, without a language model?

One embedding call for all passages, features, a small calibrated model. It judges topic and wording,
not proof. Knows no index and no policy beyond the two thresholds that the labels mean.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from adapters.local.alignment import WordVectors
from adapters.local.evaluator import Floats, Logistic, shipped
from adapters.local.features import table
from adapters.local.looking import Reading, look_at
from core.answers import Grade, Label, Plan, Retrieved
from core.documents import Passage
from core.ports import Analyzer, Embedder
from core.rag.timing import covers

CORRECT_ABOVE = 0.7
INCORRECT_BELOW = 0.3


class LocalGrader:
    """Implements `core.ports.Grader` with embeddings and word statistics."""

    def __init__(self, embedder: Embedder, analyzer: Analyzer, models: Mapping[str, Logistic] | None = None) -> None:
        self._reading = Reading(embedder, analyzer, WordVectors(embedder))
        self._models = models

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order; a passage of the wrong time is `stale`."""
        if not retrieved:
            return ()
        columns = await measure(question, retrieved, self._reading)
        chances = self._chances(columns, retrieved)
        return tuple(graded(float(p), hit.passage, plan) for p, hit in zip(chances, retrieved, strict=True))

    def _chances(self, columns: Mapping[str, Floats], retrieved: Sequence[Retrieved]) -> Floats:
        models = self._models if self._models is not None else shipped()
        return models["indexed" if _indexed(retrieved) else "bare"].probabilities(columns)


async def measure(question: str, retrieved: Sequence[Retrieved], reading: Reading) -> dict[str, Floats]:
    """The features of all passages as columns; also what training calls."""
    target, looks = await look_at(question, retrieved, reading)
    return await asyncio.to_thread(table, target, looks)


def _indexed(retrieved: Sequence[Retrieved]) -> bool:
    return all(hit.scores.z_dense is not None for hit in retrieved)


def graded(p: float, passage: Passage, plan: Plan) -> Grade:
    """The grade of a passage whose probability is known; one of the wrong time is `stale`, however near it is."""
    if plan.period is not None and not covers(passage, plan.period):
        return Grade(min(p, INCORRECT_BELOW / 2), "incorrect", "stale")
    label = label_of(p)
    return Grade(p, label, "off_topic" if label == "incorrect" else "")


def label_of(p: float) -> Label:
    """The grade that a calibrated probability means."""
    if p > CORRECT_ABOVE:
        return "correct"
    return "incorrect" if p < INCORRECT_BELOW else "ambiguous"
