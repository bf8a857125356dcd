"""How far a passage says what a sentence says, as numbers: the columns that the support model reads.

Words, numbers, names, negation, opposites and the nearest stretch of the passage. The same code runs in
fitting and at run time. Knows no weights and no question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from adapters.local.contrasts import opposed, prefixed, signs
from adapters.local.stating import Floats, Reading, Source, Statement, is_hangul, joined, verb_stem

# A verb that the passage lacks is mostly another wording; a noun that it lacks is mostly another fact.
_VERB = re.compile(r"[a-z](?:ed|ing)$|[가-힣](?:다|요|고|며|서|지|게|면|니|는|은|던|한|할|된|될)$")

_LONG = 5
"""Letters of a Latin word that may also count where it stands inside another."""


def agreement(said: Statement, against: Source) -> dict[str, float]:
    """The columns of one sentence and one passage; finite, most of them in 0-1."""
    stretch = _nearest(said, against)
    met = _met(said, against, stretch)
    return {**_by_meaning(said, against, stretch), **_by_words(said, met), **_by_facts(said, against, stretch)} | (
        _by_order(said, against, stretch, met)
    )


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The part of the passage that is nearest to the sentence: one unit, or two neighbours."""

    place: int
    members: tuple[int, ...]
    reading: Reading
    cosines: Floats
    covers: Floats
    cover_all: float


@dataclass(frozen=True, slots=True)
class _Met:
    """For each word of the sentence its best counterpart (0-1) in the passage and in the stretch."""

    anywhere: Floats
    here: Floats
    exact: NDArray[np.bool_]
    exact_here: NDArray[np.bool_]


def _nearest(said: Statement, against: Source) -> _Stretch:
    count = len(against.units)
    held = np.array([[token in unit.tokens for unit in against.units] for token in said.tokens], dtype=bool)
    held = held.reshape(len(said.tokens), count)
    total = max(float(said.token_weights.sum()), 1e-9)
    covers = said.token_weights @ np.hstack([held, held[:, :-1] | held[:, 1:]]) / total
    cosines = (against.vectors @ said.vector).astype(np.float64)
    place = int(np.argmax(cosines + covers))
    members = (place,) if place < count else (place - count, place - count + 1)
    cover_all = float(said.token_weights @ held.any(axis=1)) / total
    return _Stretch(place, members, joined([against.units[i] for i in members]), cosines, covers, cover_all)


def _met(said: Statement, against: Source, stretch: _Stretch) -> _Met:
    near = said.rows @ against.rows.T if len(against.rows) else np.zeros((len(said.rows), 1), np.float32)
    columns = [against.places[word] for word in stretch.reading.words]
    exact, exact_here = _standing(said, against.whole), _standing(said, stretch.reading)
    beside = near[:, columns].max(axis=1) if columns else np.zeros(len(near))
    return _Met(
        np.where(exact, 1.0, near.max(axis=1)).astype(np.float64),
        np.where(exact_here, 1.0, beside).astype(np.float64),
        exact,
        exact_here,
    )


def _standing(said: Statement, text: Reading) -> NDArray[np.bool_]:
    keys = frozenset(text.keys)
    return np.array([_stands(w, k, keys, text) for w, k in zip(said.reading.words, said.reading.keys, strict=True)])


def _stands(word: str, key: str, keys: frozenset[str], text: Reading) -> bool:
    if key in keys:
        return True
    if is_hangul(word):
        return len(word) > 1 and (verb_stem(word) in text.stems or key in text.folded)
    return len(word) >= _LONG and word.casefold() in text.folded


def _by_meaning(said: Statement, against: Source, stretch: _Stretch) -> dict[str, float]:
    mine, theirs = said.reading.grams, stretch.reading.grams
    return {
        "cosine": float(stretch.cosines[stretch.place]),
        "cosine_best": float(stretch.cosines.max()),
        "cover": float(stretch.covers[stretch.place]),
        "cover_unit": float(stretch.covers[: len(against.units)].max()),
        "cover_all": stretch.cover_all,
        "grams": len(mine & theirs) / len(mine) if mine else 0.0,
    }


def _by_words(said: Statement, met: _Met) -> dict[str, float]:
    weights = said.weights / max(float(said.weights.sum()), 1e-9)
    missing = 1.0 - met.here
    new = [word for word, exact in zip(said.reading.words, met.exact, strict=True) if not exact]
    return {
        "exact": float(weights @ met.exact),
        "exact_here": float(weights @ met.exact_here),
        "soft": float(weights @ met.anywhere),
        "soft_here": float(weights @ met.here),
        "least": float(met.anywhere.min()),
        "least_here": float(met.here.min()),
        "unmet": float(np.log1p((~met.exact).sum())),
        "unmet_here": float(np.log1p((~met.exact_here).sum())),
        "unmet_near": float(met.anywhere[~met.exact].mean()) if not met.exact.all() else 1.0,
        "deficit": float(np.log1p(missing.sum())),
        "unmet_verbs": float(np.log1p(sum(map(bool, map(_VERB.search, new))))),
        "predicate": float(met.here[-1]),
        "words": float(np.log1p(len(missing))),
    }


def _by_facts(said: Statement, against: Source, stretch: _Stretch) -> dict[str, float]:
    mine, here, whole = said.reading, stretch.reading, against.whole
    said_signs, here_signs = signs(mine.folded), signs(here.folded)
    negated, denied = bool(said_signs.negations), bool(here_signs.negations)
    return {
        "number_missing": float(not mine.numbers <= whole.numbers),
        "number_elsewhere": float(not mine.numbers <= here.numbers),
        "numbers": float(bool(mine.numbers)),
        "name_missing": _share([name not in whole.folded for name in said.names]),
        "name_elsewhere": _share([name not in here.folded for name in said.names]),
        "names": float(bool(said.names)),
        "negated": float(negated and not denied),
        "denied": float(denied and not negated),
        "turned": float(negated != denied) * float(stretch.covers[stretch.place]),
        "absolute": float(bool(said_signs.absolutes - here_signs.absolutes)),
        "hedge_lost": float(here_signs.hedged and not said_signs.hedged),
        "hedge_new": float(said_signs.hedged and not here_signs.hedged),
        "opposite": float(min(opposed(said_signs, here_signs), 2)),
    }


def _by_order(said: Statement, against: Source, stretch: _Stretch, met: _Met) -> dict[str, float]:
    keys, here = said.reading.keys, stretch.reading.keys
    pairs = list(pairwise(keys))
    kept = [pair in against.near for pair in pairs]
    turned = [(b, a) in against.near and (a, b) not in against.near for a, b in pairs]
    unmet = [key for key, exact in zip(keys, met.exact_here, strict=True) if not exact]
    return {
        "order": _common(keys, here) / len(keys),
        "pairs": _share(kept) if pairs else float(met.exact_here.mean()),
        "reversed": _share(turned),
        "prefixed": float(prefixed(unmet, frozenset(here))),
        "covered": _share([key in keys for key in here]),
        "longer": float(np.log1p(len(keys)) - np.log1p(len(here))),
        "units": float(np.log1p(len(against.units))),
    }


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words of the one stand in the other in the same order."""
    one, other = [each for each in one if each in other], [each for each in other if each in one]
    before = [0] * (len(other) + 1)
    for mine in one:
        row = [0]
        for place, theirs in enumerate(other):
            row.append(before[place] + 1 if mine == theirs else max(before[place + 1], row[place]))
        before = row
    return before[-1]
