"""Trains the weights of the local evaluator: writes adapters/local/evaluator.json.

Usage: python -m tests.benchmarks.train_evaluator (needs the benchmark data; scikit-learn for the fit).
Trained on whether a retrieved passage is gold, with half of the golds taken out of the index; the
features are computed by the code that runs later. The handbook's questions are never seen here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from adapters.local.evaluator import Logistic
from adapters.local.features import sentence_table
from adapters.local.grader import measure
from adapters.local.looking import look_at
from core.answers import Retrieved, Scores
from core.evaluation.datasets import readings
from core.ports import Analyzer, Embedder
from tests.benchmarks.gold_removal import Case, cases, fold, trials
from tests.retrieval.memory import passage

Floats = NDArray[np.float64]
OUTPUT = Path("adapters/local/evaluator.json")

# Without the index: a page from the web has no standardised scores and no neighbours in an index.
_NEEDS_INDEX = frozenset({
    "z_dense", "z_lexical", "z_both", "margin", "rank", "top_z", "spread", "z_best", "across_z_dense",
    "across_z_lexical", "exact", "heaviest", "missing_idf", "mass",
})  # fmt: skip
FOLDS = 5


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
    for trial in trials(data):
        for flip in (0, 1):
            for case in await cases(trial, embedder, analyzer, flip):
                if case.retrieved:
                    columns = await measure(case.question.text, case.retrieved, embedder, analyzer)
                    found.append(Measured(case, columns))
        print(trial.name, len(found), file=sys.stderr)
    return found


def fit(rows: Sequence[Measured], names: Sequence[str]) -> Logistic:
    """A passage model on these cases, calibrated so that the best passage's probability is the set's."""
    raw = _fit_passages(rows, names)
    apart = [(r, model) for part, model in _unseen(rows, names) for r in part]
    tops = np.array([model.logits(r.columns).max() for r, model in apart])
    held = np.array([r.holds_gold for r, _ in apart])
    weights = _weights([r for r, _ in apart])
    platt = LogisticRegression(C=1e3).fit(tops[:, None], held, sample_weight=weights)
    return replace(raw, slope=float(platt.coef_[0, 0]), offset=float(platt.intercept_[0]))


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


def logistic(
    table: Floats, labels: Floats | Sequence[bool], weights: Floats, names: Sequence[str], strength: float = 0.1
) -> Logistic:
    """A standardised logistic regression, not yet calibrated."""
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6
    standard = np.clip((table - mean) / scale, -4.0, 4.0)
    model = LogisticRegression(C=strength, max_iter=3000).fit(standard, labels, sample_weight=weights / weights.mean())
    return Logistic(tuple(names), mean, scale, model.coef_[0], float(model.intercept_[0]))


def _weights(rows: Sequence[Measured]) -> Floats:
    """Each trial counts alike, however many questions it has."""
    counts: dict[str, int] = {}
    for r in rows:
        counts[r.case.trial] = counts.get(r.case.trial, 0) + 1
    return np.array([1000.0 / counts[r.case.trial] for r in rows])


async def fit_strips(data: Path, embedder: Embedder, analyzer: Analyzer) -> Logistic:
    """The sentence model: on passages that answer, is this sentence part of the answer that people wrote?"""
    tables, labels = [], []
    for one in readings(data):
        if not one.answerable or not one.answer:
            continue
        hit = Retrieved(passage(one.passage, document=one.id, title=one.title), Scores())
        target, looks = await look_at(one.question, [hit], embedder, analyzer)
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
