"""What the local evaluator sees of a question and a passage, as numbers.

The same code runs in training and at run time. Knows no model weights, no index and no corpus: the idf
of a question's tokens comes with the scores, and without them (a page from the web) the length of a
token has to stand in for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adapters.local.strips import Unit, units
from core.answers import Scores
from core.documents import Passage
from core.ports import Analyzer, Vectors

Floats = NDArray[np.float64]

MAX_UNITS = 24
"""Sentences of one passage that are looked at; a longer passage is rare and its tail seldom the reason."""

_ASKS_NUMBER = re.compile(
    r"\bhow (?:many|much|long|often|far|old|big|large|late|soon|fast)\b|\bwhat (?:percentage|share|number|limit|price)"
    r"|몇|얼마|며칠|비용|기한|한도|기간",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(r"\bwhen\b|\bwhat (?:date|day|time|year)\b|언제|날짜|시각|마감", re.IGNORECASE)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|hundred|half|twice|daily|weekly"
    r"|monthly|yearly|annual(?:ly)?)\b|[한두세네열]\s?(?:번|명|개|달|시간|차례|주)|하루|이틀|사흘|일주일|매일|매주|매월|매년|절반",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\d{4}|\d{1,2}[:/.-]\d{1,2}|\b(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight|quarter)\b|\d+\s?[월일시년]|요일|분기",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the features need it: its tokens with their weight, and what kind of fact it asks for."""

    text: str
    ordered: tuple[str, ...]
    weights: Mapping[str, float]
    number: bool
    time: bool


def asked(question: str, weights: Mapping[str, float], analyzer: Analyzer) -> Asked:
    """The question's own tokens, weighted by idf where the index knows it."""
    tokens = tuple(analyzer.tokens(question))
    typical = float(np.median(list(weights.values()))) if weights else 1.0
    known = {t: weights.get(t, typical) if weights else _guess(t) for t in dict.fromkeys(tokens)}
    return Asked(question, tokens, known, bool(_ASKS_NUMBER.search(question)), bool(_ASKS_TIME.search(question)))


def _guess(token: str) -> float:
    return 2.0 + min(len(token), 12) / 3.0 if token.isascii() else 4.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A passage taken apart: its head, its sentences, and their tokens."""

    passage: Passage
    units: tuple[Unit, ...]
    ordered: tuple[tuple[str, ...], ...]
    tokens: tuple[frozenset[str], ...]
    headline: str
    head: frozenset[str]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The texts of the units."""
        return tuple(unit.text for unit in self.units)

    @property
    def texts(self) -> tuple[str, ...]:
        """What has to be embedded: title and headings with the text, title and headings, each sentence."""
        return (self.passage.headed_text, self.headline, *self.sentences)


def sheet(passage: Passage, analyzer: Analyzer) -> Sheet:
    """The passage taken apart, at most `MAX_UNITS` sentences of it."""
    found = units(passage.text)[:MAX_UNITS]
    ordered = tuple(tuple(analyzer.tokens(unit.text)) for unit in found)
    headline = " > ".join(part for part in (passage.title, *passage.heading_path) if part) or passage.text[:80]
    tokens = tuple(map(frozenset, ordered))
    return Sheet(passage, found, ordered, tokens, headline, frozenset(analyzer.tokens(headline)))


@dataclass(frozen=True, slots=True)
class Cosines:
    """Of the question with the headed passage, its head, each sentence, each pair of neighbours, all of them.

    `topics` are those of each sentence joined with the head: alone it seldom names what it is about.
    """

    whole: float
    head: float
    sentences: Floats
    pairs: Floats
    centre: float
    topics: Floats


def cosines(question: Vectors, vectors: Vectors) -> Cosines:
    """`vectors` are the rows of `Sheet.texts`.

    A pair's vector is the mean of its two: for an averaging encoder that is nearly the vector of
    the joined text, and it costs no call.
    """
    target, rows = question.astype(np.float64), vectors.astype(np.float64)
    single, body = rows @ target, rows[2:]
    if not len(body):
        return Cosines(float(single[0]), float(single[1]), single[2:], single[2:], float(single[0]), single[2:])
    pairs = _directions(body[:-1] + body[1:]) @ target if len(body) > 1 else single[2:]
    topics = _directions(body + rows[1]) @ target
    centre = float((_directions(body.sum(axis=0, keepdims=True)) @ target)[0])
    return Cosines(float(single[0]), float(single[1]), single[2:], pairs, centre, topics)


def _directions(rows: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths, 1e-9)


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


def table(question: Asked, looks: Sequence[Look]) -> dict[str, Floats]:
    """All features by name, one value for each passage, in order; deterministic and finite.

    The set is seen as a whole: a passage far ahead of its neighbours is a better sign than one
    among equals.
    """
    rows = [{**_by_meaning(look), **_by_words(question, look), **_by_form(question, look)} for look in looks]
    columns = {name: np.array([row[name] for row in rows], dtype=np.float64) for name in (rows[0] if rows else ())}
    if rows:
        columns |= _in_company(columns)
    return columns


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
    near = look.cosines.sentences
    best = look.sheet.sentences[int(near.argmax())] if len(near) else ""
    return {
        "number_missing": float(question.number and not _NUMBER.search(look.sheet.passage.text)),
        "number_far": float(question.number and not _NUMBER.search(best)),
        "time_missing": float(question.time and not _TIME.search(look.sheet.passage.text)),
        "length": float(np.log1p(len(look.sheet.passage.text)) / 8.0),
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
    }
    crossed = {f"across_{n}": across * columns[n] for n in ("dense", "z_dense", "sentence", "coverage", "z_lexical")}
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
            "number": float(question.number and bool(_NUMBER.search(text))),
            "number_missing": float(question.number and not _NUMBER.search(text)),
            "time": float(question.time and bool(_TIME.search(text))),
            "time_missing": float(question.time and not _TIME.search(text)),
            "length": float(np.log1p(len(text)) / 5.0),
            "opening": float(place == 0),
            "question_mark": float(text.rstrip().endswith("?")),
        }
