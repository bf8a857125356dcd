"""One ranking from the dense and the lexical list, by standardised scores within each document language.

Pure. Ranks are not used: reciprocal ranks lost on every set measured, and in an index of two
languages they let the few pages in the question's language push everything else out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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


def fuse(forms: Sequence[Lists], weights: Weights | None = None) -> list[Candidate]:
    """All hits, best first; a passage's score is the mean over the wordings. Ties go by passage id."""
    rules = weights or Weights()
    scored = [_one(form, rules) for form in forms]
    if len(scored) == 1:  # nothing to merge: hundreds of copies less for the usual question
        return _ranked(scored[0].values())
    everywhere = {key: candidate for ranking in reversed(scored) for key, candidate in ranking.items()}
    floors = [min((c.scores.fused for c in ranking.values()), default=0.0) for ranking in scored]
    merged = [
        replace(candidate, scores=_merged([ranking.get(key) for ranking in scored], floors))
        for key, candidate in everywhere.items()
    ]
    return _ranked(merged)


def _ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    return sorted(candidates, key=lambda c: (-c.scores.fused, c.hit.passage_id))


def _merged(found: Sequence[Candidate | None], floors: Sequence[float]) -> Scores:
    """The best wording's scores, with the mean of the fused ones; where a wording missed it, its floor counts."""
    values = [c.scores.fused if c else floor for c, floor in zip(found, floors, strict=True)]
    best = max((c for c in found if c), key=lambda c: c.scores.fused)
    return replace(best.scores, fused=sum(values) / len(values))


def _one(form: Lists, weights: Weights) -> dict[str, Candidate]:
    dense, lexical = _by_id(form.dense), _by_id(form.lexical)
    floors = _floors(form.dense)
    return {
        key: Candidate(
            hit,
            _scores(hit, dense.get(key), lexical.get(key), form, floor=floors.get(hit.language, 0.0), weights=weights),
        )
        for key, hit in {**lexical, **dense}.items()
    }


def _scores(hit: Hit, dense: Hit | None, lexical: Hit | None, form: Lists, *, floor: float, weights: Weights) -> Scores:
    same = form.language in {hit.language, UNKNOWN}
    z_dense = _z(dense.score, form.dense.moments.get(hit.language)) if dense else None
    z_lexical = _z(lexical.score if lexical else 0.0, form.lexical.moments.get(hit.language))
    meaning = floor if z_dense is None else z_dense
    if same:
        fused = weights.dense * meaning + weights.lexical * z_lexical
    else:
        fused = weights.over(form.language) * (meaning + weights.names * min(z_lexical, weights.cap))
    return Scores(
        dense=dense.score if dense else None,
        lexical=lexical.score if lexical else None,
        z_dense=z_dense,
        z_lexical=z_lexical if lexical else None,
        fused=fused,
        same_language=same,
    )


def _by_id(hits: Hits) -> Mapping[str, Hit]:
    return {hit.passage_id: hit for hit in hits.hits}


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
