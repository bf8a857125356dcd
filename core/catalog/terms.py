"""The surface terms of a text, and which of them set one collection apart from the others; pure.

Must not know how documents are stored or embedded. Korean nouns are approximated by stripping the
common particles from each eojeol: good enough to name a topic, not a morphological analysis.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from core.documents import Digest
from core.retrieval.analysis import without_particle

KEPT_TERMS = 4000
"""Terms that a Digest keeps; rarer ones could not characterise a collection anyway."""

_CROWDED = 60_000
_WORD = re.compile(r"[가-힣]{2,}|[A-Za-z][A-Za-z0-9_+#]*(?:[-.][A-Za-z0-9_]+)*|[^\W\d_A-Za-z가-힣]{2,}")
_COMMON_TEXT = (
    " a about above after again all also an and any are as at back be because been before being below between"
    " both but by can cannot could did do does doing done down each either else even every few first for from"
    " further get gets give go had has have having he her here his how however i if in into is it its itself just"
    " know last let like made make makes many may me might more most much must my need needs new no nor not now"
    " of off on once one only or other our out over own per please same see she should so some still such take"
    " than that the their them then there these they this those through to too two under until up upon us use"
    " used user uses using very via want was way we well were what when where whether which while who whom whose"
    " why will with within without would yes you your yourself http https www com org html png 그리고 그러나"
    " 하지만 또는 그래서 때문에 위해 위한 대한 대해 경우 있는 있다 있습니다 없는 없다 없습니다 하는 하고 하며"
    " 한다 합니다 됩니다 된다 되는 이것 그것 저것 이런 그런 어떤 모든 다른 같은 여러 다음 또한 통해 따라 따른"
    " 매우 가장 이미 바로 사용하는 사용하여 사용할 사용합니다 예를 들어 것입니다 것은 것이 것을 수도 있으며 있고"
    " 않습니다 않는 않고 입니다 해야 하기"
)
_COMMON = frozenset(_COMMON_TEXT.split())


def terms_of(text: str) -> Iterator[str]:
    """Lower-case terms in order, duplicates kept, without the words that every text has."""
    for found in _WORD.finditer(unicodedata.normalize("NFC", text)):
        word = found.group().lower()
        if word[0] >= "가":
            word = word if word in _COMMON else without_particle(word)
        if len(word) >= 2 and word not in _COMMON:
            yield word


class DigestBuilder:
    """Counts in how many documents each term stands, from texts that come document after document."""

    def __init__(self, collection: str) -> None:
        self._collection = collection
        self._counts: Counter[str] = Counter()
        self._documents: set[str] = set()
        self._latest = ""
        self._latest_terms: set[str] = set()

    def add(self, document_id: str, text: str) -> None:
        """Count a text. More of the latest document may follow; of an earlier one it is ignored."""
        if document_id != self._latest or document_id not in self._documents:
            if document_id in self._documents:
                return
            self._documents.add(document_id)
            self._latest, self._latest_terms = document_id, set()
        fresh = set(terms_of(text)) - self._latest_terms
        self._latest_terms |= fresh
        self._counts.update(fresh)
        if len(self._counts) > _CROWDED:  # bounds memory: hapax legomena can't become key terms
            self._counts = Counter({term: n for term, n in self._counts.items() if n > 1})

    def build(self) -> Digest:
        """The statistics so far, the most frequent few thousand terms in a fixed order."""
        ranked = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:KEPT_TERMS]
        return Digest(self._collection, len(self._documents), dict(ranked))


def digest(collection: str, documents: Iterable[tuple[str, str]]) -> Digest:
    """The statistics of (document id, text) pairs, read once."""
    builder = DigestBuilder(collection)
    for document_id, text in documents:
        builder.add(document_id, text)
    return builder.build()


def key_terms(own: Digest, others: Sequence[Digest], limit: int) -> tuple[str, ...]:
    """The collection's own terms, those first that it uses more than the others do.

    Log-odds with an informative Dirichlet prior, as a z-score (Monroe, Colaresi and Quinn 2008): a
    frequent difference counts more than a lucky rare one. The others only rank, they add no word.
    """
    rest: Counter[str] = Counter()
    for other in others:
        rest.update(other.terms)
    if not rest:
        return _without_contrast(own, limit)
    totals = sum(own.terms.values()), sum(rest.values())
    scored = {term: _log_odds(own.terms[term], rest.get(term, 0), totals) for term in own.terms}
    ranked = sorted(scored.items(), key=lambda item: (-item[1], item[0]))
    return tuple(term for term, z in ranked[:limit] if z > 0)


def _log_odds(here: int, there: int, totals: tuple[int, int]) -> float:
    total_own, total_rest = totals
    # The pooled corpus is the prior, scaled to about the weight of the smaller side.
    mass = min(total_own, total_rest)
    prior = mass * (here + there) / (total_own + total_rest)
    odds_here = math.log((here + prior) / (total_own + mass - here - prior + 1))
    odds_there = math.log((there + prior) / (total_rest + mass - there - prior + 1))
    return (odds_here - odds_there) / math.sqrt(1 / (here + prior) + 1 / (there + prior))


def _without_contrast(own: Digest, limit: int) -> tuple[str, ...]:
    """Alone, a term says most when it recurs but does not stand everywhere."""

    def weight(count: int) -> float:
        return count * math.log(1 + own.documents / count)

    ranked = sorted(own.terms.items(), key=lambda item: (-weight(item[1]), item[0]))
    return tuple(term for term, _ in ranked[:limit])
