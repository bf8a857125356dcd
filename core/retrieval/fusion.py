"""One ranking from the dense and the lexical list, by standardised scores within each document language.

Pure. Ranks are not used: reciprocal ranks lost on every set measured, and in an index of two
languages they let the few pages in the question's language push everything else out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.answers import Scores
from core.ports import Hit, Hits, Moments

UNKNOWN = "und"
"""A question of digits or an unknown script: no document is in another language than it."""
_BIGRAMS = frozenset({"ko"})


@dataclass(frozen=True, slots=True)
class Weights:
    """What a list counts, by whether the document is in the question's language.

    Words that a document of another language shares with the question are names, code and loan words:
    they count little, and at most `cap` deviations, since so few documents have any. As next to nothing
    comes from words there, the whole is raised by `cross`, or it would stand below every document in the
    question's language. Questions read as bigrams (`cross_bigrams`) need more: half-words meet everywhere.
    """

    dense: float = 1.0
    lexical: float = 1.0
    names: float = 0.3
    cap: float = 12.0
    cross: float = 1.65
    cross_bigrams: float = 2.1

    def over(self, question_language: str) -> float:
        """What a document of another language is raised by."""
        return self.cross_bigrams if question_language in _BIGRAMS else self.cross


@dataclass(frozen=True, slots=True)
class Lists:
    """What one wording of the question found."""

    language: str
    dense: Hits
    lexical: Hits


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that a list found, with its scores."""

    hit: Hit
    scores: Scores


def fuse(forms: Sequence[Lists], weights: Weights | None = None, limit: int | None = None) -> list[Candidate]:
    """The best `limit` hits (None: all), best first; a passage's score is the mean over the wordings.

    Ties go by passage id.
    """
    views = [_View(form, weights or Weights()) for form in forms]
    scored = [view.fused() for view in views]
    floors = [min(values.values(), default=0.0) for values in scored]
    mean = {
        key: sum(values.get(key, floor) for values, floor in zip(scored, floors, strict=True)) / len(scored)
        for key in dict.fromkeys(key for values in scored for key in values)
    }
    best = sorted(mean, key=lambda key: (-mean[key], key))[:limit]
    return [_candidate(key, mean[key], views, scored) for key in best]


def _candidate(key: str, fused: float, views: Sequence[_View], scored: Sequence[Mapping[str, float]]) -> Candidate:
    """The scores of the wording that found it best, with the mean of all."""
    place = max((n for n, values in enumerate(scored) if key in values), key=lambda n: scored[n][key])
    return views[place].candidate(key, fused)


class _View:
    """One wording's two lists, by passage id. Hundreds are scored and few are shown, so scores stay bare numbers."""

    def __init__(self, form: Lists, weights: Weights) -> None:
        self._form = form
        self._weights = weights
        self._dense = {hit.passage_id: hit for hit in form.dense.hits}
        self._lexical = {hit.passage_id: hit for hit in form.lexical.hits}
        self._floors = _floors(form.dense)

    def fused(self) -> dict[str, float]:
        """Every hit of either list with its score."""
        return {key: self._fused(key, hit) for key, hit in {**self._lexical, **self._dense}.items()}

    def candidate(self, key: str, fused: float) -> Candidate:
        """What is known of one of them."""
        dense, lexical = self._dense.get(key), self._lexical.get(key)
        hit = dense or lexical
        assert hit is not None, key
        scores = Scores(
            dense=dense.score if dense else None,
            lexical=lexical.score if lexical else None,
            z_dense=_z(dense.score, self._form.dense.moments.get(hit.language)) if dense else None,
            z_lexical=_z(lexical.score, self._form.lexical.moments.get(hit.language)) if lexical else None,
            fused=fused,
            same_language=self._same(hit),
        )
        return Candidate(hit, scores)

    def _fused(self, key: str, hit: Hit) -> float:
        dense, lexical = self._dense.get(key), self._lexical.get(key)
        form, weights = self._form, self._weights
        z_lexical = _z(lexical.score if lexical else 0.0, form.lexical.moments.get(hit.language))
        if dense is None:
            meaning = self._floors.get(hit.language, 0.0)
        else:
            meaning = _z(dense.score, form.dense.moments.get(hit.language))
        if self._same(hit):
            return weights.dense * meaning + weights.lexical * z_lexical
        return weights.over(form.language) * (meaning + weights.names * min(z_lexical, weights.cap))

    def _same(self, hit: Hit) -> bool:
        return self._form.language in {hit.language, UNKNOWN}


def _floors(hits: Hits) -> Mapping[str, float]:
    """For each language what a passage gets that the list missed: halfway from its lowest score to the mean."""
    lowest: dict[str, float] = {}
    for hit in hits.hits:
        z = _z(hit.score, hits.moments.get(hit.language))
        lowest[hit.language] = min(z, lowest.get(hit.language, z))
    return {language: z / 2 for language, z in lowest.items()}


def _z(score: float, moments: Moments | None) -> float:
    if moments is None or moments.deviation <= 0:
        return 0.0
    return (score - moments.mean) / moments.deviation
