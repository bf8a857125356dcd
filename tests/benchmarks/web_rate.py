"""How often a question would go to the web, by the trigger `any` and by the three grades, as k grows.

The gold-removal test at k = 4, 8 and 16 with the shipped evaluator: `any` corrects as soon as one passage is
rejected (p < 0.5), the grades when the verdict is not `correct`. A correction is missed where the golds are
gone and the verdict is `correct` all the same. Draws the plot. The weights have seen these questions; refitted on
folds the evaluator is within half a point of them (`evaluator`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adapters.local.alignment import WordVectors
from adapters.local.evaluator import shipped
from adapters.local.grader import measure
from adapters.local.looking import Reading
from adapters.local.use import USEEmbedder
from core.answers import Grade, Verdict
from core.policy import PRESETS, Policy
from core.ports import Analyzer, Embedder
from core.rag.decisions import labelled, triggered, verdict_of
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.gold_removal import Trial, emptied, trials
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.rows import Row

Floats = NDArray[np.float64]
SIZES = (4, 8, 16)
SETS: Mapping[str, tuple[str, ...]] = {
    "SciFact": ("scifact",),
    "FastAPI": ("fastapi en→en", "fastapi ko→ko"),
    "Helm": ("helm en→en", "helm ko→ko"),
}
GROWTH, MISSED = 3.0, 15.0
PLOT = Path("build/web-rate.png")


@dataclass(frozen=True, slots=True)
class Judged:
    """One question at one k: the probabilities of its passages, and whether its golds are gone."""

    trial: str
    k: int
    chances: Floats
    gone: bool

    def grades(self, policy: Policy) -> dict[str, Grade]:
        """The grades under a policy."""
        return {str(n): Grade(float(p), labelled(policy, float(p))) for n, p in enumerate(self.chances)}

    def eager(self) -> bool:
        """Whether `any` would correct."""
        return triggered(PRESETS["crag-any"], self.grades(PRESETS["crag-any"]))

    def verdict(self) -> Verdict:
        """By the three grades."""
        return verdict_of(self.grades(PRESETS["adaptive"]))

    def corrected(self) -> bool:
        """Whether the three grades would correct."""
        return triggered(PRESETS["adaptive"], self.grades(PRESETS["adaptive"]))


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None:
        return []
    wanted = frozenset(name for names in SETS.values() for name in names)
    async with USEEmbedder() as inner:
        embedder, analyzer = KeptVectors(inner), BigramAnalyzer()
        judged = [
            one for trial in trials(data) if trial.name in wanted for one in await _judged(trial, embedder, analyzer)
        ]
    draw(judged)
    return [row for name, names in SETS.items() for row in rows(name, [j for j in judged if j.trial in names])]


async def _judged(trial: Trial, embedder: Embedder, analyzer: Analyzer) -> list[Judged]:
    reading = Reading(embedder, analyzer, WordVectors(embedder, most=500_000))
    model = shipped()["indexed"]
    found = []
    for flip in (0, 1):
        left = await emptied(trial, embedder, analyzer, flip)
        there = frozenset(left.keys.values())
        for question in trial.questions:
            for k in SIZES:
                hits = await left.retriever.retrieve(left.scope, [question.text], k)
                if hits:
                    chances = model.probabilities(await measure(question.text, hits, reading))
                    found.append(Judged(trial.name, k, chances, gone=not question.gold & there))
    return found


def rows(name: str, judged: Sequence[Judged]) -> list[Row]:
    """The numbers of one set; targets stand at the growth of the grades' rate and at what it misses."""
    found = []
    grades = {k: share([j for j in judged if j.k == k], Judged.corrected) for k in SIZES}
    for k in SIZES:
        at = [j for j in judged if j.k == k]
        gone, held = [j for j in at if j.gone], [j for j in at if not j.gone]
        missed = share(gone, lambda j: not j.corrected())
        found += [
            Row(f"web rate {name}, k = {k}: any", share(at, Judged.eager), "%"),
            Row(f"web rate {name}, k = {k}: three grades", grades[k], "%"),
            Row(f"web rate {name}, k = {k}: verdict incorrect", share(at, lambda j: j.verdict() == "incorrect"), "%"),
            Row(
                f"web rate {name}, k = {k}: three grades where the golds are there", share(held, Judged.corrected), "%"
            ),
            Row(f"web rate {name}, k = {k}: missed corrections", missed, "%", f"≤ {MISSED:g}", met=missed <= MISSED),
        ]
    growth = round(grades[SIZES[-1]] - grades[SIZES[0]], 1)
    title = f"web rate {name}: three grades at {SIZES[-1]} over {SIZES[0]}"
    return [*found, Row(title, growth, "points", f"≤ {GROWTH:g}", met=growth <= GROWTH)]


def share(judged: Sequence[Judged], holds: Callable[[Judged], bool]) -> float:
    """In per cent of the questions."""
    return round(100 * sum(map(holds, judged)) / len(judged), 1) if judged else 0.0


def draw(judged: Sequence[Judged], place: Path = PLOT) -> None:
    """Rates and misses over k for each set; skipped where matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    figure = Figure(figsize=(4 * len(SETS), 4))
    for axes, (name, names) in zip(figure.subplots(1, len(SETS), sharey=True), SETS.items(), strict=True):
        by_size = [[j for j in judged if j.k == k and j.trial in names] for k in SIZES]
        axes.plot(SIZES, [share(at, Judged.eager) for at in by_size], marker="o", label="any")
        axes.plot(SIZES, [share(at, Judged.corrected) for at in by_size], marker="o", label="three grades")
        gone = [[j for j in at if j.gone] for at in by_size]
        missed = [share(at, lambda j: not j.corrected()) for at in gone]
        axes.plot(SIZES, missed, marker="x", linestyle=":", label="missed (golds gone)")
        axes.set(
            title=name, xlabel="k", xticks=SIZES, ylim=(-2, 102), ylabel="% of questions" if name == "SciFact" else ""
        )
    axes.legend()
    place.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(place, dpi=120)
