"""The calibrated model behind the local grader and refiner: weights in, probabilities out, plain NumPy.

The weights are package data (`evaluator.json`), made by `tests/benchmarks/train_evaluator.py`. Knows
no text: it sees named columns of numbers only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model over named features, standardised, with its calibration (Platt: slope and offset)."""

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    coefficients: Floats
    intercept: float
    slope: float = 1.0
    offset: float = 0.0

    def probabilities(self, columns: Mapping[str, Floats]) -> Floats:
        """One probability (0-1) for each row of the columns."""
        return squash(self.slope * self.logits(columns) + self.offset)

    def logits(self, columns: Mapping[str, Floats]) -> Floats:
        """Uncalibrated log-odds. Values far outside what training saw are cut, so that none can run away."""
        table = np.column_stack([columns[name] for name in self.names])
        standard = np.clip((table - self.mean) / self.scale, -4.0, 4.0)
        found: Floats = standard @ self.coefficients + self.intercept
        return found

    def as_json(self) -> dict[str, Any]:
        """The same as plain values, rounded to what matters."""
        return {
            "names": list(self.names),
            "mean": _rounded(self.mean),
            "scale": _rounded(self.scale),
            "coefficients": _rounded(self.coefficients),
            "intercept": round(self.intercept, 5),
            "slope": round(self.slope, 5),
            "offset": round(self.offset, 5),
        }


def from_json(row: Mapping[str, Any]) -> Logistic:
    """The model from plain values; raises KeyError when one is missing."""
    return Logistic(
        names=tuple(row["names"]),
        mean=np.array(row["mean"], dtype=np.float64),
        scale=np.array(row["scale"], dtype=np.float64),
        coefficients=np.array(row["coefficients"], dtype=np.float64),
        intercept=float(row["intercept"]),
        slope=float(row["slope"]),
        offset=float(row["offset"]),
    )


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Logistic]:
    """The trained models by name: `indexed` (with scores of the index), `bare` (text alone), `strip`."""
    text = (files("adapters.local") / "evaluator.json").read_text("utf-8")
    return {name: from_json(row) for name, row in json.loads(text)["models"].items()}


def squash(logits: Floats) -> Floats:
    """The logistic function, without overflow."""
    return 1.0 / (1.0 + np.exp(-np.clip(logits, -40.0, 40.0)))


def _rounded(values: Sequence[float] | Floats) -> list[float]:
    return [round(float(value), 5) for value in values]
