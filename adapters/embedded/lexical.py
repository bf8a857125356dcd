"""The lexical list: BM25 over the postings in memory, with the statistics of the scope alone.

Pure over mirror and view. SQLite's own full-text ranking took 140 ms for a question at 100,000
passages and knows neither scopes nor moments; adding up postings takes a few.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from adapters.embedded.blocks import ROWS
from adapters.embedded.mirror import Mirror
from adapters.embedded.terms import code_of
from adapters.embedded.views import View
from core.ports import Hits

Found = Mapping[str, tuple[NDArray[np.int64], NDArray[np.float32]]]
"""For each token the rows that hold it, and how often."""

_LARGE = 20_000
_COMMON = 0.3
_GAIN = 2.2  # BM25's k1 + 1; K (`View.weight`) holds k1 and b


def lexical_search(mirror: Mirror, view: View, questions: Sequence[Sequence[str]], limits: Sequence[int]) -> list[Hits]:
    """For the tokens of each question the best rows; rows without any of them count as 0 in the moments."""
    found = _find(mirror, view, list(dict.fromkeys(token for tokens in questions for token in tokens)))
    idf = {token: _idf(view.count, rows, view) if view.count else 0.0 for token, (rows, _) in found.items()}
    return [
        _best(mirror, view, _Question(tokens, found, idf), limit)
        for tokens, limit in zip(questions, limits, strict=True)
    ]


class _Question:
    """The postings of one question's tokens, and how often it says each."""

    def __init__(self, tokens: Sequence[str], found: Found, idf: Mapping[str, float]) -> None:
        self.times = Counter(tokens)
        self.found = {token: found[token] for token in self.times}
        self.idf = {token: idf[token] for token in self.times}


def _best(mirror: Mirror, view: View, question: _Question, limit: int) -> Hits:
    if not view.count or not question.times:
        return Hits((), weights=question.idf)
    scores = np.zeros(mirror.capacity, np.float32)
    for token in _telling(view, question.found):
        rows, counts = question.found[token]
        gain = np.float32(question.idf[token] * question.times[token] * _GAIN)
        scores[rows] += gain * counts / (counts + view.weight[rows])
    places = np.flatnonzero(scores)
    moments = view.languages.moments_of(places, scores[places])
    places = places[view.published[places]]
    if len(places) > limit:
        places = places[np.argpartition(scores[places], len(places) - limit)[-limit:]]
    places = places[np.lexsort((places, -scores[places]))]
    return Hits(tuple(view.hits(mirror, places, scores[places])), moments, question.idf)


def rows_with_all(mirror: Mirror, view: View, tokens: list[str], limit: int) -> list[str]:
    """Ids of at most `limit` published passages that hold every one of the tokens."""
    if not tokens or not view.count:
        return []
    found = _find(mirror, view, list(dict.fromkeys(tokens)))
    rows = min((rows for rows, _ in found.values()), key=len)
    for others, _ in found.values():
        rows = rows[np.isin(rows, others)]
    return [mirror.names[row] for row in rows[view.published[rows]][:limit].tolist()]


def _find(mirror: Mirror, view: View, tokens: Sequence[str]) -> Found:
    """For each token the rows that hold it, and how often."""
    codes = np.array([code_of(token) for token in tokens], np.uint32)
    rows: list[list[NDArray[np.int64]]] = [[] for _ in tokens]
    counts: list[list[NDArray[np.uint16]]] = [[] for _ in tokens]
    for number in view.blocks:
        postings = mirror.blocks[number].postings
        for place, stretch in postings.find(codes):
            rows[place].append(postings.rows[stretch] + np.int64(number * ROWS))
            counts[place].append(postings.counts[stretch])
    return {
        token: (
            np.concatenate(rows[place]) if rows[place] else np.zeros(0, np.int64),
            np.concatenate(counts[place]).astype(np.float32) if counts[place] else np.zeros(0, np.float32),
        )
        for place, token in enumerate(tokens)
    }


def _telling(view: View, found: Found) -> list[str]:
    """The tokens that are scored: in a large scope not those of every third passage, if there are rarer ones."""
    if view.count < _LARGE:
        return list(found)
    rare = [token for token, (rows, _) in found.items() if 0 < len(rows) <= _COMMON * view.count]
    return rare or list(found)


def _idf(count: int, rows: NDArray[np.int64], view: View) -> float:
    holding = len(rows) if view.whole else int(view.published[rows].sum())
    return math.log(1 + (count - holding + 0.5) / (holding + 0.5))
