"""A question and a passage taken apart for the features: tokens, sentences, cosines.

Knows no scores and no model. The idf of a question's tokens comes from the index; without it (a page
from the web) the length of a token has to stand in for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.local.expected import INTERROGATIVE, Fact, asked_for
from adapters.local.strips import Unit, units
from core.documents import Passage
from core.ports import Analyzer, Vectors

Floats = NDArray[np.float64]

MAX_UNITS = 24
"""Sentences of one passage that are looked at; a longer passage is rare and its tail seldom the reason."""

_OPENING = re.compile(
    r"\?\s*$|^\W*(?:is|are|was|were|do|does|did|can|could|should|will|would|may|must|has|have|tell|explain|show)\b"
    r"|(?:나요|까요?|죠|지|는지|니|줘|주세요|돼요?|되나)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the features need it: its tokens with their weight, and what kind of fact it asks for.

    `asking` tells a full question from a few keywords.
    """

    text: str
    ordered: tuple[str, ...]
    weights: Mapping[str, float]
    asking: bool
    facts: tuple[Fact, ...]


def asked(question: str, weights: Mapping[str, float], analyzer: Analyzer) -> Asked:
    """The question's own tokens, weighted by idf where the index knows it."""
    tokens = tuple(analyzer.tokens(question))
    typical = float(np.median(list(weights.values()))) if weights else 1.0
    known = {t: weights.get(t, typical) if weights else _guess(t) for t in dict.fromkeys(tokens)}
    facts = tuple(fact for fact in asked_for(question) if fact != "definition")
    return Asked(question, tokens, known, is_question(question), facts)


def is_question(text: str) -> bool:
    """Whether this is worded as a question or a request, not as a heading or keywords."""
    return bool(INTERROGATIVE.search(text) or _OPENING.search(text))


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
