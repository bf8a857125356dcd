"""What the local evaluator sees of a question and a passage, as numbers.

The same code runs in training and at run time. Knows no model weights, no index and no corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from adapters.local.alignment import Alignment
from adapters.local.expected import holds
from adapters.local.sheets import Asked, Cosines, Floats, Sheet
from core.answers import Scores

_ASKED = (
    "sentence",
    "pair",
    "first",
    "centre",
    "z_dense",
    "z_lexical",
    "coverage_rare",
    "window_rare",
    "top_z",
    "fact_cosine",
    "fact_share",
    "met",
)


def share(weights: Mapping[str, float], tokens: frozenset[str] | set[str], power: float = 1.0) -> float:
    """The share (0-1) of the question's weight that stands in `tokens`; a high power counts the rarest most."""
    total = sum(w**power for w in weights.values())
    return sum(w**power for t, w in weights.items() if t in tokens) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """One passage looked at for one question: its sheet, its scores, its cosines."""

    sheet: Sheet
    scores: Scores
    cosines: Cosines
    alignment: Alignment | None = None


def table(question: Asked, looks: Sequence[Look]) -> dict[str, Floats]:
    """All features by name, one value for each passage, in order; deterministic and finite.

    The set is seen as a whole: a passage far ahead of its neighbours is a better sign than one
    among equals.
    """
    rows = [
        {**_by_meaning(look), **_by_words(question, look), **_by_form(question, look), **_by_counterparts(look)}
        for look in looks
    ]
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in (rows[0] if rows else ())}
    if rows:
        columns |= _in_company(columns)
        columns |= by_asking(question.asking, columns)
    return columns


def by_asking(asking: bool, columns: Mapping[str, Floats]) -> dict[str, Floats]:
    """A full question is answered by one sentence, a few keywords by a whole section: weights of their own."""
    form = float(asking)
    crossed = {f"asking_{name}": form * columns[name] for name in _ASKED}
    return {"asking": np.full(len(columns["dense"]), form), **crossed}


def _by_meaning(look: Look) -> dict[str, float]:
    near, scores = look.cosines, look.scores
    best = np.sort(near.sentences)[::-1] if len(near.sentences) else np.array([near.whole])
    z_dense, z_lexical = scores.z_dense or 0.0, scores.z_lexical or 0.0
    return {
        "dense": near.whole if scores.dense is None else scores.dense,
        "head_cosine": near.head,
        "sentence": float(best[0]),
        "sentences3": float(best[:3].mean()),
        "pair": float(near.pairs.max()) if len(near.pairs) else near.whole,
        "first": float(near.sentences[0]) if len(near.sentences) else near.whole,
        "centre": near.centre,
        "peak": float(best[0] - best.mean()),
        "beyond_head": near.centre - near.head,
        "z_dense": z_dense,
        "z_lexical": z_lexical,
        "z_both": min(z_dense, z_lexical),
    }


def _by_counterparts(look: Look) -> dict[str, float]:
    """How well the question's words are met, one by one."""
    met = look.alignment or Alignment(np.zeros(0), np.zeros(0))
    return {
        "met": met.mean(),
        "met_rare": met.mean(2.0),
        "met_heaviest": met.heaviest,
        "met_least": met.least,
        "asked_words": float(np.log1p(len(met.best))),
    }


def _by_words(question: Asked, look: Look) -> dict[str, float]:
    sheet, weights = look.sheet, question.weights
    everything = sheet.head.union(*sheet.tokens)
    spans = [a | b for a, b in zip(sheet.tokens, sheet.tokens[1:], strict=False)] or list(sheet.tokens)
    body = [token for sentence in sheet.ordered for token in sentence]
    missing = [w for t, w in weights.items() if t not in everything]
    heaviest = max(weights.values(), default=1.0) or 1.0
    return {
        "coverage": share(weights, everything),
        "coverage_rare": share(weights, everything, 3.0),
        "window": max((share(weights, span) for span in spans), default=0.0),
        "window_rare": max((share(weights, span, 3.0) for span in spans), default=0.0),
        "head": share(weights, sheet.head),
        "body": share(weights, set(body)),
        "body_rare": share(weights, set(body), 3.0),
        "density": _density(weights, body),
        "phrase": _phrases(question.ordered, sheet.ordered),
        "missing_top": max(missing, default=0.0) / heaviest,
        "missing_idf": max(missing, default=0.0) / 8.0,
        "heaviest": heaviest / 8.0,
        "mass": float(np.log1p(sum(weights.values()))),
        "terms": float(np.log1p(len(weights))),
        "exact": float(look.scores.exact),
        "across": float(not look.scores.same_language),
    }


def _density(weights: Mapping[str, float], body: Sequence[str]) -> float:
    counts = Counter(token for token in body if token in weights)
    total = sum(weights.values()) or 1.0
    return sum(weights[token] * float(np.log1p(n)) for token, n in counts.items()) / total


def _phrases(question: Sequence[str], sentences: Sequence[Sequence[str]]) -> float:
    asked_pairs = set(pairwise(question))
    found = {pair for sentence in sentences for pair in pairwise(sentence) if pair in asked_pairs}
    return len(found) / len(asked_pairs) if asked_pairs else 0.0


def _by_form(question: Asked, look: Look) -> dict[str, float]:
    """Does the passage hold the kind of fact asked for, and does it stand where the question is spoken of?"""
    near, sheet, facts = look.cosines, look.sheet, question.facts
    found = {
        "length": float(np.log1p(len(sheet.passage.text)) / 8.0),
        "fact_missing": 0.0,
        "fact_far": 0.0,
        "fact_cosine": float(near.sentences.max()) if len(near.sentences) else near.whole,
        "fact_share": max((share(question.weights, tokens) for tokens in sheet.tokens), default=0.0),
    }
    if not facts or not sheet.sentences:
        return found
    held = np.array([holds(facts, sentence) for sentence in sheet.sentences])
    words = np.array([share(question.weights, tokens) for tokens in sheet.tokens])
    return found | {
        "fact_missing": 1.0 - float(held.max()),
        "fact_far": 1.0 - float(held[int(near.sentences.argmax())]),
        "fact_cosine": float((held * near.sentences).max()),
        "fact_share": float((held * words).max()),
    }


def _in_company(columns: Mapping[str, Floats]) -> dict[str, Floats]:
    across, fused = columns["across"], columns["z_dense"] + columns["z_lexical"] * (1.0 - columns["across"])
    order = np.sort(fused)[::-1]
    rank = np.argsort(np.argsort(-fused, kind="stable"), kind="stable")
    rival = np.where(rank == 0, order[1] if len(order) > 1 else 0.0, order[0])
    company = {
        "margin": fused - rival,
        "rank": np.log1p(rank.astype(np.float64)),
        "top_z": np.full(len(fused), order[0]),
        "spread": np.full(len(fused), order[0] - order[-1]),
        "sentence_lead": columns["sentence"] - columns["sentence"].max(),
        "window_lead": columns["window_rare"] - columns["window_rare"].max(),
        "z_best": np.full(len(fused), columns["z_dense"].max()),
        "sentence_best": np.full(len(fused), columns["sentence"].max()),
        "window_best": np.full(len(fused), columns["window_rare"].max()),
        "met_lead": columns["met"] - columns["met"].max(),
        "met_best": np.full(len(fused), columns["met"].max()),
    }
    crossed = {
        f"across_{n}": across * columns[n] for n in ("dense", "z_dense", "sentence", "coverage", "z_lexical", "met")
    }
    return {**company, **crossed}


def sentence_table(question: Asked, looks: Sequence[Look]) -> dict[str, Floats]:
    """Features of every sentence of every passage, in reading order, by name."""
    rows = [row for look in looks for row in _sentences(question, look)]
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in (rows[0] if rows else ())}
    for name in ("cosine", "topic", "near", "share_near") if rows else ():
        columns[f"{name}_lead"] = columns[name] - columns[name].max()
    return columns


def _sentences(question: Asked, look: Look) -> Iterator[dict[str, float]]:
    near, tokens, weights = look.cosines, look.sheet.tokens, question.weights
    for place, text in enumerate(look.sheet.sentences):
        around = frozenset().union(*tokens[max(0, place - 1) : place + 2])
        beside = near.pairs[max(0, place - 1) : place + 1]
        yield {
            "cosine": float(near.sentences[place]),
            "topic": float(near.topics[place]),
            "near": float(beside.max()),
            "share": share(weights, tokens[place]),
            "share_rare": share(weights, tokens[place], 3.0),
            "share_near": share(weights, around | look.sheet.head),
            "whole": near.whole,
            "centre": near.centre,
            "fact": holds(question.facts, text) if question.facts else 0.0,
            "fact_missing": 1.0 - holds(question.facts, text) if question.facts else 0.0,
            "length": float(np.log1p(len(text)) / 5.0),
            "opening": float(place == 0),
            "question_mark": float(text.rstrip().endswith("?")),
        }
