"""Trains the weights of the local support check: writes adapters/local/support.json.

Usage: python -m tests.benchmarks.train_support (needs the benchmark data; scikit-learn for the fit). The
features are computed by the code that runs later. The handbook and its questions are never seen here.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from adapters.local.alignment import WordVectors
from adapters.local.evaluator import Logistic
from adapters.local.support import agreement
from adapters.local.use import USEEmbedder
from adapters.local.weighing import VERBATIM, Weighing, judged_by, kind, stands
from core.ports import Embedder
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.support_pairs import Pair, edited, korean, korean_in_company, natural, translated

Floats = NDArray[np.float64]
OUTPUT = Path("adapters/local/support.json")

# How much each kind of pair counts beside the sharp ones (edited by hand or by a model), which count 1.
_SHARES = {"answers": 0.35, "KLUE among others": 0.3}
_ACROSS_TEXT = (
    "cosine cosine_best soft soft_here least least_here number_missing number_elsewhere numbers"
    " name_missing names words units exact cover cover_all longer unmet"
)
ACROSS = tuple(_ACROSS_TEXT.split())
"""What can be compared between languages: meaning, numbers, names and code."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A pair with what the model sees of it; `verbatim` ones never reach the model."""

    pair: Pair
    kind: str
    columns: dict[str, float]
    verbatim: bool


async def gather(data: Path, embedder: Embedder) -> list[Measured]:
    """All pairs, measured."""
    every = [p for part in (edited, korean, korean_in_company, natural, translated) for p in part(data)]
    weighing = Weighing(embedder, BigramAnalyzer(), WordVectors(embedder, most=500_000))
    found = []
    for start in range(0, len(every), 60):
        found += await _measured(every[start : start + 60], weighing)
    return found


async def _measured(pairs: Sequence[Pair], weighing: Weighing) -> list[Measured]:
    said = await weighing.statements([pair.sentence for pair in pairs])
    held = await weighing.sources([pair.passage for pair in pairs])
    return [
        Measured(pair, kind(pair.sentence, source.languages), agreement(one, source), stands(pair.sentence, source))
        for pair, one, source in zip(pairs, said, held, strict=True)
        if source is not None
    ]


def fit(rows: Sequence[Measured], kind: str) -> Logistic:
    """The model of one kind; both answers weigh alike in each part of the data."""
    own = [row for row in rows if row.pair.kind == kind and row.pair.weight > 0]
    names = ACROSS if kind == "foreign" else list(own[0].columns)
    values = np.array([[row.columns[name] for name in names] for row in own])
    mean, scale = values.mean(axis=0), values.std(axis=0) + 1e-6
    standard = np.clip((values - mean) / scale, -4.0, 4.0)
    labels = [row.pair.supported for row in own]
    model = LogisticRegression(C=0.1, max_iter=3000).fit(standard, labels, sample_weight=_weights(own))
    return Logistic(tuple(names), mean, scale, model.coef_[0], float(model.intercept_[0]))


def probabilities(model: Logistic, rows: Sequence[Measured]) -> Floats:
    """What the check would say of each row."""
    chances = judged_by(model, {name: np.array([row.columns[name] for row in rows]) for name in rows[0].columns})
    return np.where([row.verbatim for row in rows], VERBATIM, chances)


def _weights(rows: Sequence[Measured]) -> Floats:
    weights = np.array([row.pair.weight for row in rows])
    parts = np.array([_part(row.pair) for row in rows])
    supported = np.array([row.pair.supported for row in rows])
    for part in set(parts):
        for label in (True, False):
            inside = (parts == part) & (supported == label)
            if inside.any():
                weights[inside] *= _SHARES.get(part, 1.0) / weights[inside].sum()
    return weights * len(rows) / weights.sum()


def _part(pair: Pair) -> str:
    if pair.kind == "foreign":
        return "translated"
    return {"answers elsewhere": "answers", "KLUE elsewhere": "KLUE among others"}.get(pair.part, pair.part)


def save(models: dict[str, Logistic], place: Path = OUTPUT) -> None:
    """Package data, one line a model."""
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(model.as_json())}" for name, model in models.items())
    note = json.dumps("made by tests/benchmarks/train_support.py")
    place.write_text(f'{{\n "note": {note},\n "models": {{\n{rows}\n }}\n}}\n', "utf-8")


def kinds() -> Iterable[str]:
    """The models there are."""
    return ("en", "ko", "foreign")


async def train(data: Path) -> None:
    """Fit the models on everything and write them."""
    async with USEEmbedder() as inner:
        rows = await gather(data, KeptVectors(inner))
    save({kind: fit(rows, kind) for kind in kinds()})


if __name__ == "__main__":
    found = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    sys.exit(asyncio.run(train(found)))
