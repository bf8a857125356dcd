"""The local refiner: keeps the sentences of a passage that speak to the question.

    d' = s1 + s2 + ... over the strips s of d with rel(q, s) > tau

A strip is one to three neighbouring sentences of one paragraph, or a list item, a table row or a fence
by itself; titles and headings are none. rel is a calibrated probability and tau a setting of its own.
If nothing passes, the best sentence stays and the result is weak. Knows no index and no graph.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from adapters.local.evaluator import Floats, Logistic, shipped
from adapters.local.features import Look, sentence_table
from adapters.local.looking import Reading, look_at
from core.answers import Plan, Refined, Retrieved, Scores, Strip
from core.documents import Passage
from core.ports import Analyzer, Embedder

LONGEST = 3
"""Sentences in one strip at most."""


class LocalRefiner:
    """Implements `core.ports.Refiner`; `above` is tau, in 0-1."""

    def __init__(
        self,
        embedder: Embedder,
        analyzer: Analyzer,
        *,
        above: float = 0.35,
        models: Mapping[str, Logistic] | None = None,
    ) -> None:
        self._embedder = embedder
        self._analyzer = analyzer
        self._above = above
        self._models = models

    async def refine(self, question: str, plan: Plan, passages: Sequence[Passage]) -> Refined:
        """The strips that pass, in reading order; `weak` with the single best when none does."""
        hits = [Retrieved(passage, Scores()) for passage in passages]
        target, looks = await look_at(question, hits, Reading(self._embedder, self._analyzer))
        columns = await asyncio.to_thread(sentence_table, target, looks)
        if not columns:
            return Refined((), weak=True)
        models = self._models if self._models is not None else shipped()
        return _refined(looks, models["strip"].probabilities(columns), self._above)


def _refined(looks: Sequence[Look], chances: Floats, above: float) -> Refined:
    owners = [(look, place) for look in looks for place in range(len(look.sheet.sentences))]
    passing = [number for number, p in enumerate(chances) if p > above]
    chosen = passing or [int(chances.argmax())]
    strips = [_strip(owners, chances, numbers) for numbers in _neighbours(owners, chosen)]
    return Refined(tuple(strips), weak=not passing)


def _neighbours(owners: Sequence[tuple[Look, int]], chosen: Sequence[int]) -> list[list[int]]:
    """Chosen sentences that stand side by side in one paragraph, in groups of up to three."""
    groups: list[list[int]] = []
    for number in chosen:
        if groups and len(groups[-1]) < LONGEST and number == groups[-1][-1] + 1 and _together(owners, number):
            groups[-1].append(number)
        else:
            groups.append([number])
    return groups


def _together(owners: Sequence[tuple[Look, int]], number: int) -> bool:
    (before, first), (after, second) = owners[number - 1], owners[number]
    if before is not after:
        return False
    one, other = before.sheet.units[first], after.sheet.units[second]
    return one.joinable and other.joinable and one.block == other.block


def _strip(owners: Sequence[tuple[Look, int]], chances: Floats, numbers: Sequence[int]) -> Strip:
    look = owners[numbers[0]][0]
    text = " ".join(look.sheet.sentences[owners[number][1]] for number in numbers)
    return Strip(look.sheet.passage.id, text, float(max(chances[number] for number in numbers)))
