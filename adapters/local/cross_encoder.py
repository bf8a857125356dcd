"""Grading with any reranker or NLI model by name (`pip install 'refdesk[rerankers]'`).

A reranker reads (question, passage) and gives one score; an NLI model reads (passage, question) and counts
by its entailment. Raw scores become probabilities by a logistic curve, whose slope and offset belong to the
model: without fitted ones the thresholds mean less than they do for the bundled evaluator.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adapters.local.grader import graded
from core.answers import Grade, Plan, Retrieved
from core.errors import ConfigError

_LONGEST = 4000
"""Characters handed over; the models cut at their own 512 tokens or so."""

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A loaded model: logits of shape (pairs,) or (pairs, labels), and the names of its labels."""

    logits: Callable[[Pairs], NDArray[np.floating[Any]]]
    labels: tuple[str, ...] = ()

    @property
    def entailment(self) -> int | None:
        """The column that says yes; None for a reranker, which has one column."""
        if len(self.labels) < 2:
            return None
        return next((n for n, label in enumerate(self.labels) if label.lower().startswith("entail")), 1)


class CrossEncoderGrader:
    """Implements `core.ports.Grader`; loads the model when it is first used, in a thread."""

    def __init__(
        self, name: str, *, slope: float = 1.0, offset: float = 0.0, load: Callable[[str], Encoder] | None = None
    ) -> None:
        self._name = name
        self._curve = (slope, offset)
        self._load = load or _installed
        self._encoder: Encoder | None = None
        self._one_at_a_time = asyncio.Lock()

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order; raises ConfigError when the model can't be used."""
        if not retrieved:
            return ()
        async with self._one_at_a_time:  # one pass fills the machine; two would only wait for each other
            chances = await asyncio.to_thread(self._chances, question, retrieved)
        return tuple(graded(float(p), each.passage, plan) for p, each in zip(chances, retrieved, strict=True))

    def _chances(self, question: str, retrieved: Sequence[Retrieved]) -> NDArray[np.floating[Any]]:
        if self._encoder is None:
            self._encoder = self._load(self._name)
        texts = [each.passage.headed_text[:_LONGEST] for each in retrieved]
        yes = self._encoder.entailment
        pairs = [(text, question) if yes is not None else (question, text) for text in texts]
        logits = np.asarray(self._encoder.logits(pairs), np.float64).reshape(len(texts), -1)
        if yes is None:
            scores = logits[:, 0]
        else:  # the odds of yes against all other labels together
            others = np.delete(logits, yes, axis=1)
            scores = logits[:, yes] - np.logaddexp.reduce(others, axis=1)
        slope, offset = self._curve
        return 1.0 / (1.0 + np.exp(-np.clip(slope * scores + offset, -50, 50)))


def _installed(name: str) -> Encoder:
    """The model through sentence-transformers, giving logits whatever its card says about activations."""
    try:
        library = importlib.import_module("sentence_transformers")
        torch = importlib.import_module("torch")
    except ImportError as error:
        raise ConfigError("error.reranker_missing") from error
    try:
        model = library.CrossEncoder(name)
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError("error.reranker_unusable", name=name, detail=str(error)) from error
    names = getattr(model.model.config, "id2label", None) or {}
    labels = tuple(str(names[place]) for place in sorted(names)) if len(names) > 1 else ()
    raw = torch.nn.Identity()

    def logits(pairs: Pairs) -> NDArray[np.floating[Any]]:
        return np.asarray(model.predict(list(pairs), activation_fn=raw, show_progress_bar=False))

    return Encoder(logits, labels)
