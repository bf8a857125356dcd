"""Hybrid retrieval: dense and lexical lists at the same time, fused, the k best different passages with their scores.

Knows the ports of the index and nothing of how they are stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.answers import Retrieved, Scores
from core.documents import Passage, Scope
from core.ports import Analyzer, Embedder, LexicalIndex, PassageStore, VectorIndex
from core.retrieval.embeddings import Embeddings
from core.retrieval.fusion import UNKNOWN, Candidate, Lists, Weights, fuse
from core.retrieval.meaning import Meaning
from core.retrieval.names import by_name, names
from core.retrieval.queries import QueryForm, query_forms
from core.retrieval.ranked import Ranked
from core.retrieval.selection import select, verbatim
from core.retrieval.within import Within


@dataclass(frozen=True, slots=True)
class Depth:
    """How far down the lists are read: hits a list, candidates whose text is fetched, verbatim hits an identifier."""

    hits: int = 200
    candidates: int = 5
    exact: int = 20


class Retriever:
    """Searches a scope for the wordings of one question.

    A generation of another embedding than the configured is searched with questions of its own embedder, which
    `embeddings` finds; without it every generation counts as `embedder`'s.
    """

    def __init__(
        self,
        vectors: VectorIndex,
        lexical: LexicalIndex,
        passages: PassageStore,
        embedder: Embedder,
        analyzer: Analyzer,
        *,
        weights: Weights | None = None,
        depth: Depth | None = None,
        embeddings: Embeddings | None = None,
    ) -> None:
        self._lexical = lexical
        self._passages = passages
        self._analyzer = analyzer
        self._weights = weights or Weights()
        self._depth = depth or Depth()
        self._meaning = Meaning(vectors, embedder, embeddings)

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> Ranked:
        """The k best passages in the scope, best first, each with all that retrieval knows of it.

        The first of `queries` is the standalone question; coverage is measured against it.
        """
        forms = query_forms(queries)
        if not forms or not scope.generations or k < 1:
            return Ranked()
        (lists, by_words), exact = await asyncio.gather(self._lists(scope, forms), self._exact(scope, forms))
        ranking = fuse(lists, self._weights, k * self._depth.candidates)
        wanted = [c.hit.passage_id for c in ranking]
        texts = await self._passages.get(scope, [*wanted, *(key for key in exact if key not in wanted)])
        texts = Within(scope).passages(texts)
        ranked = by_name(_in_order(ranking, texts, exact), names(forms[0].text))
        chosen = select(ranked, forms[0].identifiers, k)
        weights = lists[0].lexical.weights
        return Ranked((self._finished(found, place, forms, weights) for place, found in enumerate(chosen)), by_words)

    async def _lists(self, scope: Scope, forms: Sequence[QueryForm]) -> tuple[list[Lists], frozenset[str]]:
        """For each wording its lists; and the collections that could only be searched by words."""
        texts = [form.text for form in forms]
        dense, lexical = await asyncio.gather(
            self._meaning.search(scope, texts, self._depth.hits),
            asyncio.gather(*(self._lexical.search(scope, text, self._depth.hits) for text in texts)),
        )
        inside = Within(scope).hits
        lists = [
            Lists(form.language, *map(inside, found)) for form, *found in zip(forms, dense.lists, lexical, strict=True)
        ]
        return lists, dense.lost

    async def _exact(self, scope: Scope, forms: Sequence[QueryForm]) -> list[str]:
        terms = list(dict.fromkeys(term for form in forms for term in form.identifiers))[:6]
        found = await asyncio.gather(*(self._passages.exact(scope, [term], self._depth.exact) for term in terms))
        return list(dict.fromkeys(key for keys in found for key in keys))

    def _finished(
        self, found: Retrieved, place: int, forms: Sequence[QueryForm], weights: Mapping[str, float]
    ) -> Retrieved:
        """The scores that need the text."""
        text = found.passage.headed_text
        return replace(
            found,
            scores=replace(
                found.scores,
                rank=place + 1,
                weights=weights,
                coverage=coverage(self._analyzer.tokens(forms[0].text), self._analyzer.tokens(text), weights),
                exact=any(verbatim(found.passage, term) for form in forms for term in form.identifiers),
                same_language=forms[0].language in {found.passage.language, UNKNOWN},
            ),
        )


def coverage(question: Sequence[str], passage: Sequence[str], weights: Mapping[str, float]) -> float | None:
    """The share of the question's idf mass whose tokens stand in the passage; None for a question without tokens.

    A token that no list knows weighs as much as the rarest: nothing here speaks of it.
    """
    rarest = max(weights.values(), default=1.0)
    mass = {token: weights.get(token, rarest) for token in question}
    total = sum(mass.values())
    if total <= 0:
        return None
    present = set(passage)
    return sum(weight for token, weight in mass.items() if token in present) / total


def _in_order(ranking: Sequence[Candidate], texts: Mapping[str, Passage], exact: Sequence[str]) -> list[Retrieved]:
    """Ranked passages, then those that only the verbatim look-up found."""
    ranked = [Retrieved(texts[c.hit.passage_id], c.scores) for c in ranking if c.hit.passage_id in texts]
    known = {found.passage.id for found in ranked}
    floor = min((found.scores.fused for found in ranked), default=0.0)
    return ranked + [Retrieved(texts[key], Scores(fused=floor)) for key in exact if key in texts and key not in known]
