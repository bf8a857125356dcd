"""Trains the weights of the local evaluator: writes adapters/local/evaluator.json.

Usage: python -m tests.benchmarks.train_evaluator (needs the benchmark data; scikit-learn for the fit).
Trained on whether a retrieved passage is gold, with half of the golds taken out of the index; the
features are computed by the code that runs later. The handbook's questions are never seen here.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from adapters.local.alignment import WordVectors
from adapters.local.evaluator import Logistic
from adapters.local.features import sentence_table
from adapters.local.grader import measure
from adapters.local.looking import Reading, look_at
from adapters.local.use import USEEmbedder
from core.answers import Retrieved, Scores
from core.evaluation.datasets import readings
from core.ports import Analyzer, Embedder
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.gold_removal import Case, Trial, cases, fold, trials
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.small_collections import headings_as_questions, small_trials, smaller
from tests.benchmarks.typed_questions import typed_trials
from tests.retrieval.memory import passage

Floats = NDArray[np.float64]
OUTPUT = Path("adapters/local/evaluator.json")

# Without the index: a page from the web has no standardised scores and no neighbours in an index.
_NEEDS_INDEX = frozenset({
    "z_dense", "z_lexical", "z_both", "margin", "rank", "top_z", "spread", "z_best", "across_z_dense",
    "across_z_lexical", "exact", "heaviest", "missing_idf", "mass", "asking_z_dense", "asking_z_lexical",
    "asking_top_z",
})  # fmt: skip
_NATURAL = {
    "clapnq": 3.0,
    "mtrag-un": 2.0,
    "mtrag rewritten": 2.0,
    "scifact": 2.0,
    "mtrag-un small": 2.0,
    "typed": 3.0,
    "typed small": 2.0,
}
SURE = 0.87
"""A little more than the share that has to be right beyond either threshold on questions never seen."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A case with the features of its passages."""

    case: Case
    columns: dict[str, Floats]

    @property
    def holds_gold(self) -> bool:
        """What the set is judged by."""
        return any(self.case.relevant)


async def gather(data: Path, embedder: Embedder, analyzer: Analyzer) -> list[Measured]:
    """All trials, both halves taken out in turn, with the features that the grader would see."""
    found = []
    reading = Reading(embedder, analyzer, WordVectors(embedder, most=500_000))
    for trial in every_trial(data):
        for flip in (0, 1):
            for case in await cases(trial, embedder, analyzer, flip):
                if case.retrieved:
                    columns = await measure(case.question.text, case.retrieved, reading)
                    found.append(Measured(case, columns))
        print(trial.name, len(found), file=sys.stderr)
    return found


def every_trial(data: Path) -> Iterable[Trial]:
    """Whole corpora, and small collections cut from them."""
    for trial in trials(data):
        yield trial
        if trial.family == "mtrag":
            yield from smaller(trial, 6)
    yield from small_trials(data)
    yield from headings_as_questions(data)
    yield from typed_trials(data)


def fit(rows: Sequence[Measured], names: Sequence[str]) -> Logistic:
    """A passage model on these cases, calibrated so that the best passage's probability is the set's."""
    raw = _fit_passages(rows, names)
    apart = [(r, model) for part, model in _unseen(rows, names) for r in part]
    tops = np.array([model.logits(r.columns).max() for r, model in apart])
    low, high = _thresholds(tops, [r for r, _ in apart])
    slope = 2 * float(np.log(0.7 / 0.3)) / (high - low)
    return replace(raw, slope=slope, offset=-slope * (low + high) / 2)


def _thresholds(tops: Floats, rows: Sequence[Measured]) -> tuple[float, float]:
    """Where 0.3 and 0.7 have to lie so that what is beyond them is right `SURE` of the time.

    Each family of sets has thresholds of its own; those taken are on the careful side of the middle.
    """
    held = np.array([r.holds_gold for r in rows])
    families = np.array([r.case.family for r in rows])
    parts = [families == one for one in sorted(set(families))]
    lows = [_lower(tops[part], held[part]) for part in parts]
    highs = [-_lower(-tops[part], ~held[part]) for part in parts]
    return float(np.quantile(lows, 0.25)), float(np.quantile(highs, 0.65))


def _lower(tops: Floats, held: NDArray[np.bool_]) -> float:
    """The highest threshold below which no more than 1 - SURE hold a gold; at least a twentieth lies below."""
    order = np.argsort(tops)
    wrong = np.cumsum(held[order]) / np.arange(1, len(tops) + 1)
    fine = np.flatnonzero((wrong <= 1 - SURE) & (np.arange(len(tops)) >= len(tops) // 20))
    return float(tops[order][fine[-1] if len(fine) else len(tops) // 20])


def _unseen(rows: Sequence[Measured], names: Sequence[str]) -> Iterable[tuple[list[Measured], Logistic]]:
    """Thirds of the cases, each with a model that has not seen it: calibration on seen ones flatters."""
    for third in range(3):
        seen = [r for r in rows if fold(r.case, 3) != third]
        yield [r for r in rows if fold(r.case, 3) == third], _fit_passages(seen, names)


def _fit_passages(rows: Sequence[Measured], names: Sequence[str]) -> Logistic:
    table = np.vstack([np.column_stack([r.columns[name] for name in names]) for r in rows])
    relevant = np.concatenate([r.case.relevant for r in rows])
    weights = np.repeat(_weights(rows), [len(r.case.relevant) for r in rows])
    return logistic(table, relevant, weights, names)


def logistic(table: Floats, labels: Floats | Sequence[bool], weights: Floats, names: Sequence[str]) -> Logistic:
    """A standardised logistic regression, not yet calibrated."""
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6
    standard = np.clip((table - mean) / scale, -4.0, 4.0)
    model = LogisticRegression(C=300 / len(table), max_iter=3000).fit(
        standard, labels, sample_weight=weights / weights.mean()
    )
    return Logistic(tuple(names), mean, scale, model.coef_[0], float(model.intercept_[0]))


def _weights(rows: Sequence[Measured]) -> Floats:
    """Each trial counts alike, however many questions it has; typed questions more than headings."""
    counts: dict[str, int] = {}
    for r in rows:
        counts[r.case.trial] = counts.get(r.case.trial, 0) + 1
    return np.array([_NATURAL.get(r.case.trial, 1.0) * 1000.0 / counts[r.case.trial] for r in rows])


async def fit_strips(data: Path, embedder: Embedder, analyzer: Analyzer) -> Logistic:
    """The sentence model: on passages that answer, is this sentence part of the answer that people wrote?"""
    tables: list[dict[str, Floats]] = []
    labels: list[bool] = []
    for one in readings(data):
        if not one.answerable or not one.answer:
            continue
        hit = Retrieved(passage(one.passage, document=one.id, title=one.title), Scores())
        target, looks = await look_at(one.question, [hit], Reading(embedder, analyzer))
        columns = sentence_table(target, looks)
        tables.append(columns)
        labels.extend(_in_answer(text, one.answer, analyzer) for text in looks[0].sheet.sentences)
    names = [name for name in tables[0] if name != "opening"]
    table = np.vstack([np.column_stack([columns[name] for name in names]) for columns in tables])
    return logistic(table, labels, np.ones(len(labels)), names)


def _in_answer(sentence: str, answer: str, analyzer: Analyzer) -> bool:
    tokens, said = analyzer.tokens(sentence), set(analyzer.tokens(answer))
    return bool(tokens) and sum(token in said for token in tokens) / len(tokens) >= 0.7


def save(models: dict[str, Logistic], path: Path = OUTPUT) -> None:
    """Write the weights as package data."""
    rows = {name: model.as_json() for name, model in models.items()}
    note = "made by tests/benchmarks/train_evaluator.py"
    path.write_text(json.dumps({"note": note, "models": rows}, indent=1) + "\n", encoding="utf-8")


def names_of(rows: Sequence[Measured], *, indexed: bool) -> list[str]:
    """The features a model may use."""
    return [name for name in rows[0].columns if indexed or name not in _NEEDS_INDEX]


async def train(data: Path) -> None:
    """Fit all three models on everything and write them."""
    analyzer = BigramAnalyzer()
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        rows = await gather(data, embedder, analyzer)
        models = {
            "indexed": fit(rows, names_of(rows, indexed=True)),
            "bare": fit(rows, names_of(rows, indexed=False)),
            "strip": await fit_strips(data, embedder, analyzer),
        }
    save(models)


if __name__ == "__main__":
    found = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    sys.exit(asyncio.run(train(found)))
