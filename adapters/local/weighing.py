"""Sentences and passages to support: taken apart, embedded at one go, weighed by the small models of `support.json`.

What was taken apart or weighed a moment ago is remembered, since the same answer is checked and attributed.
Knows nothing of answers as wholes, of footnotes or of questions.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TypeVar

import numpy as np

from adapters.local.alignment import WordVectors
from adapters.local.evaluator import Floats, Logistic, from_json, squash
from adapters.local.stating import Reading, Source, Statement, reading, source, statement, unit_texts, vocabulary
from adapters.local.support import agreement
from core.documents import Passage
from core.indexing.text import language_of
from core.ports import Analyzer, Embedder, Vectors
from core.quoting import bare

VERBATIM = 0.98
NOTHING_CITED = 0.05

# Set by hand, in log-odds: a number that stands nowhere in the passage is a strong no, whatever the words; where
# the words are nearly the same, a negation on the sentence's side alone turns the meaning round.
NUMBER, NEGATION, NEARLY_THE_SAME = -4.0, -1.8, 0.75
# The models are fitted with as many wrong as right pairs; of the sentences that a writer cites, some seven in ten
# are right at the least. In log-odds.
PRIOR = 0.8

_WORDS_AT_ONCE = 2000

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Logistic]:
    """The trained models by name: `en`, `ko`, and `foreign` for a sentence and a passage in different languages."""
    text = (files("adapters.local") / "support.json").read_text("utf-8")
    return {name: from_json(row) for name, row in json.loads(text)["models"].items()}


class Weighing:
    """Takes sentences and passages apart and says how likely each passage supports each sentence."""

    def __init__(self, embedder: Embedder, analyzer: Analyzer, words: WordVectors | None = None) -> None:
        self._embedder = embedder
        self._analyzer = analyzer
        self._words = words or WordVectors(embedder)
        self._sources: Recent[Passage, Source | None] = Recent(64)
        self._statements: Recent[str, Statement] = Recent(256)

    async def sources(self, passages: Sequence[Passage]) -> list[Source | None]:
        """The passages taken apart, in order; None for one that says nothing."""
        found = {passage: self._sources.get(passage, _MISSING) for passage in passages}
        parts = {passage: unit_texts(passage) for passage, source in found.items() if source is _MISSING}
        read = await asyncio.to_thread(self._read, [text for texts in parts.values() for text in texts])
        rows = await self._rows(list(read))
        words = await self._word_rows([word for each in read.values() for word in each.words])
        for passage, texts in parts.items():
            own = [read[text] for text in texts]
            vectors = np.array([rows[text] for text in texts])
            of_words = np.array([words[word] for word in vocabulary(own)])
            found[passage] = self._sources[passage] = source(passage, own, vectors, of_words) if texts else None
        return [one for one in (found[passage] for passage in passages) if not isinstance(one, _Missing)]

    async def statements(self, sentences: Sequence[str]) -> list[Statement]:
        """The sentences taken apart, in order."""
        found = {text: self._statements.get(text) for text in sentences}
        new = [text for text, one in found.items() if one is None]
        read = await asyncio.to_thread(self._read, new)
        rows = await self._rows(new)
        words = await self._word_rows([word for each in read.values() for word in each.words])
        for text in new:
            of_words = np.array([words[word] for word in read[text].words])
            found[text] = self._statements[text] = statement(read[text], text, rows[text], of_words, self._analyzer)
        return [one for one in (found[text] for text in sentences) if one is not None]

    def _read(self, texts: Sequence[str]) -> dict[str, Reading]:
        return {text: reading(text, self._analyzer) for text in texts}

    async def _rows(self, texts: Sequence[str]) -> dict[str, Vectors]:
        return dict(zip(texts, await self._embedder.embed(texts, "passage"), strict=True)) if texts else {}

    async def _word_rows(self, words: Sequence[str]) -> dict[str, Vectors]:
        different = list(dict.fromkeys(words))
        rows: dict[str, Vectors] = {}
        for start in range(0, len(different), _WORDS_AT_ONCE):
            part = different[start : start + _WORDS_AT_ONCE]
            rows.update(zip(part, await self._words.of(part), strict=True))
        return rows


class _Missing:
    """Stands for what is not remembered, since None is a value."""


_MISSING = _Missing()


def weighed(
    pairs: Sequence[tuple[Statement, Source | None]], models: Mapping[str, Logistic] | None = None
) -> list[float]:
    """For each pair the probability (0-1) that the passage says what the sentence says."""
    chances = [NOTHING_CITED] * len(pairs)
    judged: dict[str, list[tuple[int, dict[str, float]]]] = {}
    for place, (said, against) in enumerate(pairs):
        if against is not None and stands(said.text, against):
            chances[place] = VERBATIM
        elif against is not None:
            row = agreement(said, against)
            judged.setdefault(kind(said.text, against.languages), []).append((place, row))
    for name, rows in judged.items():
        model = (models or shipped())[name]
        columns = {column: np.array([row[column] for _, row in rows]) for column in rows[0][1]}
        for (place, _), p in zip(rows, judged_by(model, columns), strict=True):
            chances[place] = float(p)
    return chances


def judged_by(model: Logistic, columns: Mapping[str, Floats]) -> Floats:
    """The model's word on each row of the columns, and the hand-set no to a strange number or a negation."""
    turned = columns["negated"] * (columns["soft_here"] > NEARLY_THE_SAME)
    doubt = NUMBER * columns["number_missing"] + NEGATION * turned
    return squash(model.slope * model.logits(columns) + model.offset + PRIOR + doubt)


def kind(sentence: str, languages: frozenset[str]) -> str:
    """Which model judges: by the language that both are in, or `foreign`."""
    own = language_of(sentence)
    if own in ("ko", "en") and own not in languages and languages & {"ko", "en"}:
        return "foreign"
    return "ko" if own == "ko" or (own == "und" and languages == {"ko"}) else "en"


def stands(sentence: str, against: Source) -> bool:
    """Whether the sentence stands in the passage word for word; a row or a shortened one by its pieces."""
    own = bare(sentence)
    if own in against.bare or own in against.bare_units:
        return True
    pieces = [bare(piece) for piece in re.split(r"…|;\s|:\s", sentence)]
    return len(pieces) > 1 and all(piece in against.bare for piece in pieces)


class Recent(OrderedDict[K, V]):
    """The last few values by their key."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
