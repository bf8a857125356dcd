"""Word by word: does each word of a question have a counterpart in the passage, in whatever words or language?

A sentence's vector averages its words away; the vectors of single words still meet their synonyms and
translations ("hotel" and 숙소). Knows words and their vectors, no model weights.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.local.sheets import Asked, Floats, Sheet
from core.ports import Analyzer, Embedder, Vectors
from core.retrieval.analysis import without_particle

MOST_WORDS = 260
"""Different words of one passage that are looked at."""

_WORD = re.compile(r"\w[\w./-]*\w|\w")
_EMPTY_TEXT = (
    "a an the i we you he she it they me us my our your his her its their this that these those there here am is are"
    " was were be been do does did have has had will would can could should may might must of for to in on at by with"
    " from and or not no if as so than then what which who whom whose when where why how about into out up down over"
    " under again any some get got need much many long often let s t d ll re ve m"
)
_EMPTY_ENGLISH = frozenset(_EMPTY_TEXT.split())
_EMPTY_KOREAN = re.compile(
    r"^(?:뭐|뭔|뭘|무엇|어떻게|어떡|어디|언제|왜|누구|누가|얼마|며칠|몇|어느|어떤|해|하|돼|되|있|없|나|내|저|제|우리|좀|"
    r"알려|줘|주|거|게|걸|건|것|수|때|그|이|저|그럼|혹시|지금)(?:[가-힣]{0,2})$"
)


def content_words(text: str) -> tuple[str, ...]:
    """The words that carry the meaning, each once: Korean without particles, English without function words."""
    found: dict[str, None] = {}
    for word in _WORD.findall(text):
        if "가" <= word[0] <= "힣":
            bare = without_particle(word)
            if not _EMPTY_KOREAN.match(bare):
                found.setdefault(bare)
        elif word.lower() not in _EMPTY_ENGLISH:
            found.setdefault(word if word.isupper() else word.lower())
    return tuple(found)


class WordVectors:
    """The vectors of single words, kept: a collection's words come up again with every question."""

    def __init__(self, embedder: Embedder, most: int = 20_000) -> None:
        self._embedder = embedder
        self._most = most
        self._rows: dict[str, Vectors] = {}

    async def of(self, words: Sequence[str]) -> Vectors:
        """One row of length 1 for each word, shape (len(words), dimension)."""
        held = {word: self._rows[word] for word in words if word in self._rows}  # others may clear it meanwhile
        missing = [word for word in dict.fromkeys(words) if word not in held]
        if missing:
            rows = await self._embedder.embed(missing, "passage")
            held.update(zip(missing, rows.astype(np.float16), strict=True))
            if len(self._rows) + len(missing) > self._most:
                self._rows.clear()
            self._rows.update(held)
        known = [held[word] for word in words]
        return np.asarray(known, dtype=np.float32).reshape(len(known), self._embedder.dimension)


@dataclass(frozen=True, slots=True)
class Alignment:
    """For each content word of the question its best counterpart in the passage (0–1), and its weight."""

    best: Floats
    weights: Floats

    def mean(self, power: float = 1.0) -> float:
        """The weighted mean; a high power counts the rarest words most."""
        scaled = self.weights**power
        return float((scaled * self.best).sum() / scaled.sum()) if len(self.best) else 0.0

    @property
    def heaviest(self) -> float:
        """The counterpart of the rarest word."""
        return float(self.best[int(self.weights.argmax())]) if len(self.best) else 0.0

    @property
    def least(self) -> float:
        """The word that finds least."""
        return float(self.best.min()) if len(self.best) else 0.0


async def aligned(question: Asked, sheets: Sequence[Sheet], words: WordVectors, analyzer: Analyzer) -> list[Alignment]:
    """One alignment for each passage, in order."""
    asked = content_words(question.text) or (question.text,)
    texts = [content_words(sheet.passage.headed_text)[:MOST_WORDS] or ("-",) for sheet in sheets]
    every = list(dict.fromkeys([*asked, *(word for text in texts for word in text)]))
    rows = dict(zip(every, await words.of(every), strict=True))
    tokens = [analyzer.tokens(word) for word in asked]
    target = _Target(np.stack([rows[word] for word in asked]), tokens, _weights(tokens, question.weights))
    return await asyncio.to_thread(
        lambda: [
            _one(target, np.stack([rows[word] for word in text]), sheet)
            for sheet, text in zip(sheets, texts, strict=True)
        ]
    )


@dataclass(frozen=True, slots=True)
class _Target:
    """The question's content words: their vectors, their tokens in the lexical list, their weights."""

    rows: Vectors
    tokens: Sequence[Sequence[str]]
    weights: Floats


def _one(target: _Target, rows: Vectors, sheet: Sheet) -> Alignment:
    near = (target.rows @ rows.T).max(axis=1)
    everything = sheet.head.union(*sheet.tokens)
    said = [sum(t in everything for t in own) / len(own) if own else 0.0 for own in target.tokens]
    return Alignment(np.maximum(near.astype(np.float64), said), target.weights)


def _weights(words: Sequence[Sequence[str]], weights: Mapping[str, float]) -> Floats:
    """A word weighs the mean idf of its tokens; one that the index does not know, as much as the rarest."""
    rarest = max(weights.values(), default=1.0)
    return np.array([sum(weights.get(t, rarest) for t in own) / len(own) if own else rarest for own in words])
