"""Cards: what each collection is about, generated from its own metadata whenever the index changes.

Knows documents only as the catalog does (titles, headings, counts) and texts only as Digests. Other
collections rank a Card's words and never put one into it, so a Card may be shown to whoever may read
its collection.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from core.catalog.terms import key_terms, terms_of
from core.documents import Card, Digest, DocumentRecord, TimeSpan
from core.ports import Embedder

TERMS = 4000
"""Key terms of a Card. People see the first dozen; the local router weighs a question against them all."""

EXAMPLES = 1000
"""Phrases with vectors: 1 MB of float16 at 512 dimensions. More headings than that count by their words."""

HEADINGS = 3000
SHOWN = 40
QUESTIONS = 12
_PHRASE = 160

_QUESTION = re.compile(
    r"[?？]\s*$|^(?:who|what|when|where|which|why|how|can|could|do|does|is|are|should|may)\b"
    r"|(?:나요|까요|은가요|는가|하기|방법|하려면)\s*[?？]?\s*$",
    re.IGNORECASE,
)
_FAQ = re.compile(r"\bfaqs?\b|frequently asked|q\s?&\s?a|자주\s*(?:묻는|하는)|질문", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"\{#[^}]*\}|[`*]|^\s*#+\s*")


class Cards:
    """Makes the Cards of all collections together, since they are set apart from one another."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    async def make(
        self,
        records: Mapping[str, Sequence[DocumentRecord]],
        digests: Sequence[Digest],
        hints: Mapping[str, str],
        titles: Mapping[str, str],
        previous: Sequence[Card] = (),
    ) -> list[Card]:
        """One Card for each collection in `records`, in the order of their names.

        `previous` Cards lend their vectors, so an unchanged phrase is not embedded again. The same
        content gives the same version.
        """
        by_name = {digest.collection: digest for digest in digests}
        known = _known_vectors(previous, self._embedder.name)
        cards = []
        for name in sorted(records):
            own = by_name.get(name, Digest(name, 0))
            others = [by_name[other] for other in sorted(by_name) if other != name and other in records]
            bare = await asyncio.to_thread(_described, records[name], own, others)
            bare = replace(bare, title=titles.get(name, "") or name, hint=hints.get(name, ""))
            cards.append(await self._with_vectors(bare, known))
        return cards

    async def _with_vectors(self, card: Card, known: dict[str, bytes]) -> Card:
        fresh = [phrase for phrase in card.examples if phrase not in known]
        if fresh:
            # As questions: an example stands for what somebody would ask, not for a passage.
            rows = (await self._embedder.embed(fresh, "query")).astype(np.float16)
            known.update(zip(fresh, (row.tobytes() for row in rows), strict=True))
        vectors = b"".join(known[phrase] for phrase in card.examples)
        whole = replace(card, vectors=vectors, embedding=self._embedder.name)
        return replace(whole, version=version_of(whole))


def describe(collection: str, records: Sequence[DocumentRecord], terms: tuple[str, ...]) -> Card:
    """The Card without vectors and version: a pure function of the records (in any order) and key terms."""
    ordered = sorted(records, key=lambda record: record.id)
    titles = _distinct(record.title for record in ordered)
    headings = _distinct(_round_robin(ordered))
    dates = [record.date for record in ordered if record.date]
    return Card(
        collection=collection,
        version="",
        title=collection,
        terms=terms,
        headings=_most_telling(headings, terms, HEADINGS),
        titles=_most_telling(titles, terms, SHOWN),
        questions=_sample_questions(ordered),
        languages=dict(sorted(Counter(record.language for record in ordered).items())),
        documents=len(ordered),
        passages=sum(record.passages for record in ordered),
        dates=TimeSpan(min(dates), max(dates)) if dates else None,
        examples=_distinct((*titles, *headings))[:EXAMPLES],
    )


def _described(records: Sequence[DocumentRecord], own: Digest, others: Sequence[Digest]) -> Card:
    """Takes seconds for ten thousand documents: not in the loop that answers questions."""
    return describe(own.collection, records, key_terms(own, others, TERMS))


def version_of(card: Card) -> str:
    """16 hexadecimal digits of the content; vectors follow from the examples and the embedder's name."""
    content = asdict(replace(card, version="", vectors=b""))
    basis = json.dumps(content, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(basis.encode()).hexdigest()[:16]


def asks(heading: str) -> bool:
    """Whether a heading is worded as a question or as a task."""
    return bool(_QUESTION.search(heading))


def _sample_questions(records: Sequence[DocumentRecord]) -> tuple[str, ...]:
    """Headings worded as questions, those of FAQ pages first; then the longer of the others."""
    faq = [record for record in records if _FAQ.search(record.title) or _FAQ.search(record.id)]
    asked = [h for h in _round_robin(faq) if asks(h)] + [h for h in _round_robin(records) if asks(h)]
    told = [h for h in _round_robin(records) if len(h.split()) >= 3]
    return _distinct((*asked, *told))[:QUESTIONS]


def _round_robin(records: Sequence[DocumentRecord]) -> Iterator[str]:
    """The first heading of each document, then the second of each …: a cut leaves no document out."""
    longest = max((len(record.headings) for record in records), default=0)
    for place in range(longest):
        for record in records:
            if place < len(record.headings):
                yield record.headings[place]


def _most_telling(phrases: Sequence[str], terms: Sequence[str], limit: int) -> tuple[str, ...]:
    """The phrases that hold most of what sets the collection apart first; equals in their own order."""
    weight = {term: 1.0 / (10 + rank) for rank, term in enumerate(terms)}

    def telling(phrase: str) -> float:
        return sum(weight.get(term, 0.0) for term in set(terms_of(phrase)))

    return tuple(sorted(phrases, key=telling, reverse=True)[:limit])


def _distinct(phrases: Iterable[str]) -> tuple[str, ...]:
    plain = (" ".join(_MARKUP.sub("", _LINK.sub(r"\1", phrase)).split())[:_PHRASE] for phrase in phrases)
    return tuple(dict.fromkeys(phrase for phrase in plain if phrase))


def _known_vectors(cards: Sequence[Card], embedding: str) -> dict[str, bytes]:
    known: dict[str, bytes] = {}
    for card in cards:
        if card.embedding == embedding and card.examples:
            width = len(card.vectors) // len(card.examples)
            known.update((text, card.vectors[i * width : (i + 1) * width]) for i, text in enumerate(card.examples))
    return known
