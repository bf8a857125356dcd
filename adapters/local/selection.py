"""Which sentences of the evidence to quote: nearest to the question, of the kind of fact asked for, few.

Combines the cosine of question and sentence, the share of the question's words (by idf over the
evidence) and whether the sentence holds a fact of the kind asked for; picks greedily, so that a second
sentence adds what the first lacks. Knows nothing of how the sentences are worded into an answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.local.expected import Fact, asked_for, holds
from core.ports import Analyzer, Embedder, Evidence, Vectors
from core.quoting import bare
from core.sentences import Unit, units

LIMIT = 60
"""Sentences that are embedded for one answer; the first of the likeliest passages win."""

# Cosine and word share count 1 each. Fact and length came from ClapNQ and MTRAG-UN; the others, and the
# rise of the fact weight from 0.2, were set while looking at the bundled handbook's questions.
FACT_WEIGHT = 0.3
HEADING_WEIGHT = 0.5
LENGTH_WEIGHT = 0.05
PASSAGE_WEIGHT = 0.3
GAIN_WEIGHT = 0.25
REDUNDANCY_WEIGHT = 0.1
SAME_DOCUMENT = 0.1
ASIDE = 0.3
DUPLICATE = 0.8
WORTH = 0.5
"""A further sentence has to reach this share of the best one's value."""
WORTH_ROW = 0.9
"""A further row of a table must be nearly as good: its neighbours are always alike."""

_QUESTION = re.compile(r"[?？]\W*$")
_META = re.compile(
    r"^(?:this|the) (?:page|document|guide|report|section|chapter|handbook|runbook|policy) (?:\w+ )?"
    r"(?:says|describes|explains|sets out|lists|covers|is about|gives|tells|shows|contains)\b"
    r"|^이 (?:문서|페이지|보고서|글|안내|가이드|장|절|규정)[은는에].*"
    r"(?:적습니다|설명합니다|다룹니다|정리합니다|담고|안내합니다|정합니다)",
    re.IGNORECASE,
)

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question, and the user's own words where they are narrower (a follow-up carries its subject along)."""

    text: str
    own: str

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The kinds of fact that the user's own words ask for, else those of the whole question."""
        return asked_for(self.own) or asked_for(self.text)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quotable unit: the number of its evidence (from 1), its place among the passage's units, its tokens."""

    evidence: int
    place: int
    unit: Unit
    tokens: frozenset[str]
    head: frozenset[str]
    document: tuple[str, str]
    prior: float


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A question's tokens with their idf over the candidates, and what each candidate is worth for it."""

    weights: Mapping[str, float]
    values: Values

    def covered(self, tokens: frozenset[str]) -> float:
        """The share (0-1) of the question's weight that stands in these tokens."""
        return _share(self.weights, tokens)


class Selection:
    """Picks sentences for questions from evidence."""

    def __init__(self, embedder: Embedder, analyzer: Analyzer) -> None:
        self._embedder = embedder
        self._analyzer = analyzer

    async def pick(
        self, questions: Sequence[Asked], evidence: Sequence[Evidence], most: int, without: Sequence[str] = ()
    ) -> tuple[Candidate, ...]:
        """At most `most` units, best first; with several questions the best of each comes first."""
        candidates = self._candidates(evidence, {bare(text) for text in without})
        if not candidates:
            return ()
        vectors = await self._embedder.embed([c.unit.text for c in candidates], "passage")
        rows = await self._embedder.embed([text for each in questions for text in (each.text, each.own)], "query")
        wanted = [
            self._wanted(question, candidates, vectors @ (rows[2 * i] + rows[2 * i + 1]) / 2)
            for i, question in enumerate(questions)
        ]
        return _Greedy(candidates, wanted, vectors).pick(most)

    def _candidates(self, evidence: Sequence[Evidence], without: set[str]) -> list[Candidate]:
        found: list[Candidate] = []
        seen = set(without)
        for number, each in enumerate(evidence, start=1):
            kept = [bare(strip.text) for strip in each.strips]
            passage = each.passage
            head = frozenset(self._analyzer.tokens(" ".join([passage.title, *passage.heading_path])))
            prior = PASSAGE_WEIGHT * (each.grade.p if each.grade.p is not None else 0.5)
            for place, unit in enumerate(units(passage.text)):
                key = bare(unit.text)
                if key and key not in seen and _is_kept(key, unit, kept):
                    seen.add(key)
                    tokens = frozenset(self._analyzer.tokens(unit.text))
                    document = (passage.collection, passage.document_id)
                    found.append(Candidate(number, place, unit, tokens, head, document, prior))
        return found[:LIMIT]

    def _wanted(self, question: Asked, candidates: Sequence[Candidate], cosines: Vectors) -> _Wanted:
        count = len(candidates)
        own = frozenset(self._analyzer.tokens(question.own))
        weights = {}
        for token in own.union(self._analyzer.tokens(question.text)):
            frequency = sum(token in c.tokens for c in candidates)
            weights[token] = max(math.log((count + 1) / (frequency + 0.5)), 0.05) * (2.0 if token in own else 1.0)
        fits = [_fit(question, weights, c) for c in candidates]
        return _Wanted(weights, cosines.astype(np.float64) + np.array(fits))


def _is_kept(key: str, unit: Unit, kept: Sequence[str]) -> bool:
    """Whether refinement kept this unit; a row's names and a fence's marks are ours, so compare by pieces."""
    if not kept:
        return True
    pieces = [bare(cell.partition(": ")[2] or cell) for cell in unit.text.split("; ")] if unit.kind == "row" else [key]
    return any(all(piece in strip for piece in pieces) or strip in key for strip in kept)


def _share(weights: Mapping[str, float], tokens: frozenset[str]) -> float:
    total = sum(weights.values())
    return sum(weight for token, weight in weights.items() if token in tokens) / total if total else 0.0


def _fit(question: Asked, weights: Mapping[str, float], candidate: Candidate) -> float:
    text = candidate.unit.text
    own = _share(weights, candidate.tokens)
    headed = _share(weights, candidate.tokens | candidate.head) - own
    aside = ASIDE if _QUESTION.search(text) or _META.search(text) else 0.0
    length = LENGTH_WEIGHT * min(math.log1p(len(text)), 5.3)
    fact = FACT_WEIGHT * holds(question.facts, text)
    return own + HEADING_WEIGHT * headed + fact + length - aside + candidate.prior


class _Greedy:
    """Maximal marginal relevance: each next pick is worth itself, plus what it adds, less what it repeats."""

    def __init__(self, candidates: Sequence[Candidate], wanted: Sequence[_Wanted], vectors: Vectors) -> None:
        self._candidates = candidates
        self._wanted = wanted
        self._alike = vectors @ vectors.T
        self._chosen: list[int] = []

    def pick(self, most: int) -> tuple[Candidate, ...]:
        """The picks, best first."""
        best = max(float(want.values.max()) for want in self._wanted)
        for turn in range(most):
            want = self._wanted[turn % len(self._wanted)]
            values = [self._value(i, want) for i in range(len(self._candidates))]
            top = int(np.argmax(values))
            further = turn >= len(self._wanted)
            if values[top] == -math.inf or (further and values[top] < WORTH * best):
                break
            self._chosen.append(top)
        return tuple(self._candidates[i] for i in self._chosen)

    def _value(self, i: int, want: _Wanted) -> float:
        if not self._chosen:
            return float(want.values[i])
        candidate = self._candidates[i]
        others = [self._candidates[j] for j in self._chosen]
        if (
            i in self._chosen
            or self._poor_row(i, want)
            or max(_overlap(candidate.tokens, other.tokens) for other in others) >= DUPLICATE
        ):
            return -math.inf
        have = frozenset[str]().union(*(other.tokens for other in others))
        gain = want.covered(have | candidate.tokens) - want.covered(have)
        repeats = max(0.0, *(float(self._alike[i, j]) for j in self._chosen))
        same = SAME_DOCUMENT if candidate.document == others[0].document else 0.0
        return float(want.values[i]) + GAIN_WEIGHT * gain - REDUNDANCY_WEIGHT * repeats + same

    def _poor_row(self, i: int, want: _Wanted) -> bool:
        rows = [j for j in self._chosen if self._candidates[j].unit.kind == "row"]
        if self._candidates[i].unit.kind != "row":
            return False
        mine = self._candidates[i].evidence
        beside = [float(want.values[j]) for j in rows if self._candidates[j].evidence == mine]
        return bool(beside) and float(want.values[i]) < WORTH_ROW * max(beside)


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))
