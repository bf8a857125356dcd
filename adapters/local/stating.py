"""A sentence of an answer and a passage, taken apart for the support check: words, numbers, names, signs, vectors.

Each is taken apart once, however many others it is compared with. Knows no weights and no question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adapters.local.alignment import content_words
from adapters.local.quantities import as_digits, numbers
from core.documents import Passage
from core.ports import Analyzer, Vectors
from core.quoting import bare
from core.retrieval.analysis import stem, without_particle
from core.sentences import units

Floats = NDArray[np.float64]

MOST_UNITS = 80
"""Units of one passage that are compared; a passage has about ten."""

_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w&.'-]*\w|\b[A-Z]{2,}\w*|\b\w+[_/.-]\w[\w/.-]*")
_STEM = 5
"""Letters (jamo) by which a Korean verb is known, whatever ending it takes."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a stretch of text holds; `keys` are its content words in the form in which words are compared."""

    folded: str
    tokens: frozenset[str]
    words: tuple[str, ...]
    keys: tuple[str, ...]
    stems: frozenset[str]
    numbers: frozenset[str]
    grams: frozenset[str]


def joined(parts: Sequence[Reading]) -> Reading:
    """Several stretches as one."""
    if len(parts) == 1:
        return parts[0]
    return Reading(
        folded=" ".join(part.folded for part in parts),
        tokens=frozenset().union(*(part.tokens for part in parts)),
        words=tuple(word for part in parts for word in part.words),
        keys=tuple(key for part in parts for key in part.keys),
        stems=frozenset().union(*(part.stems for part in parts)),
        numbers=frozenset().union(*(part.numbers for part in parts)),
        grams=frozenset().union(*(part.grams for part in parts)),
    )


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer: `rows` and `weights` belong to its words, `token_weights` to its tokens."""

    text: str
    reading: Reading
    vector: Vectors
    rows: Vectors
    weights: Floats
    tokens: tuple[str, ...]
    token_weights: Floats
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """A passage, or several together: its units, their vectors and those of pairs, its words with their rows."""

    languages: frozenset[str]
    bare: str
    units: tuple[Reading, ...]
    bare_units: frozenset[str]
    vectors: Vectors
    words: tuple[str, ...]
    places: Mapping[str, int]
    rows: Vectors
    whole: Reading
    near: frozenset[tuple[str, str]]


def reading(text: str, analyzer: Analyzer) -> Reading:
    """The stretch taken apart."""
    words = content_words(text) or (text,)
    folded = unicodedata.normalize("NFC", text).casefold()
    return Reading(
        folded=folded,
        tokens=frozenset(analyzer.tokens(text)),
        words=words,
        keys=tuple(map(key, words)),
        stems=frozenset(verb_stem(word) for word in words if is_hangul(word)),
        numbers=frozenset(numbers(text)),
        grams=_grams(folded),
    )


def unit_texts(passage: Passage) -> list[str]:
    """What a passage is compared by, in reading order."""
    return [unit.text for unit in units(passage.text)[:MOST_UNITS]]


def statement(read: Reading, text: str, vector: Vectors, rows: Vectors, analyzer: Analyzer) -> Statement:
    """A sentence with its vector and those of its words."""
    tokens = tuple(dict.fromkeys(analyzer.tokens(text)))
    return Statement(
        text=text,
        reading=read,
        vector=vector,
        rows=rows,
        weights=np.array([_word_weight(word, analyzer) for word in read.words]),
        tokens=tokens,
        token_weights=np.array([weight(token) for token in tokens]),
        names=frozenset(name.casefold() for name in _NAME.findall(text)),
    )


def source(passage: Passage, read: Sequence[Reading], vectors: Vectors, rows: Vectors) -> Source:
    """A passage from its units' readings, their vectors, and the rows of `vocabulary(read)`."""
    head = " ".join([passage.title, *passage.heading_path])
    words = tuple(vocabulary(read))
    return Source(
        languages=frozenset({passage.language}),
        bare=bare(f"{head} {passage.text}"),
        units=tuple(read),
        bare_units=frozenset(bare(unit.folded) for unit in read),
        vectors=_with_pairs(vectors),
        words=words,
        places={word: place for place, word in enumerate(words)},
        rows=rows,
        whole=joined(read),
        near=frozenset(pair for each in read for pair in _near(each.keys)),
    )


def together(several: Sequence[Source]) -> Source:
    """Passages cited for one sentence, read as one."""
    if len(several) == 1:
        return several[0]
    rows = {word: row for each in several for word, row in zip(each.words, each.rows, strict=True)}
    units = tuple(unit for each in several for unit in each.units)
    return Source(
        languages=frozenset().union(*(each.languages for each in several)),
        bare="".join(each.bare for each in several),
        units=units,
        bare_units=frozenset().union(*(each.bare_units for each in several)),
        vectors=_with_pairs(np.vstack([each.vectors[: len(each.units)] for each in several])),
        words=tuple(rows),
        places={word: place for place, word in enumerate(rows)},
        rows=np.stack(list(rows.values())),
        whole=joined(units),
        near=frozenset().union(*(each.near for each in several)),
    )


def vocabulary(read: Sequence[Reading]) -> list[str]:
    """The different words of the units, in reading order."""
    return list(dict.fromkeys(word for each in read for word in each.words))


def key(word: str) -> str:
    """The form in which two words are the same: Korean without particle, English without ending, *eleven* as 11."""
    if "가" <= word[-1] <= "힣":
        return without_particle(word)
    return as_digits(word.casefold()) or stem(word.casefold().removesuffix("'s"))


def verb_stem(word: str) -> str:
    """The first letters of a Korean word: the same for *이용하는* and *이용할*."""
    return unicodedata.normalize("NFD", word)[:_STEM]


def is_hangul(word: str) -> bool:
    """Whether the word is written in Korean."""
    return "가" <= word[0] <= "힣"


def weight(token: str) -> float:
    """A guess of a token's idf from its form: long, numeric and mixed tokens are rare."""
    if any(map(str.isdigit, token)):
        return 4.0
    return 1.0 + min(len(token), 10) / 2.5 if token.isascii() else 3.0


def _with_pairs(vectors: Vectors) -> Vectors:
    """The vectors of the units, then those of neighbours: of an averaging encoder, the mean of the two."""
    pairs = vectors[:-1] + vectors[1:]
    return np.vstack([vectors, pairs / np.maximum(np.linalg.norm(pairs, axis=1, keepdims=True), 1e-9)])


def _word_weight(word: str, analyzer: Analyzer) -> float:
    tokens = analyzer.tokens(word)
    return sum(map(weight, tokens)) / len(tokens) if tokens else 1.0


def _near(keys: Sequence[str]) -> set[tuple[str, str]]:
    """Words that stand in this order at most three apart."""
    return {(one, other) for place, one in enumerate(keys) for other in keys[place + 1 : place + 4]}


def _grams(folded: str) -> frozenset[str]:
    letters = "".join(folded.split())
    return frozenset(one + other for one, other in pairwise(letters))
