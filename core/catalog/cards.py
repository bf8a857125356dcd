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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Protocol

import numpy as np

from core.catalog.faq import asks, collects_questions
from core.catalog.holding import held_back
from core.catalog.phrases import distinct, fold, plain, round_robin
from core.catalog.terms import key_terms, terms_of
from core.documents import Card, Digest, DocumentRecord, TimeSpan
from core.ports import Embedder

TERMS = 4000
"""Key terms of a Card. People see the first dozen; the local router weighs a question against them all."""

EXAMPLES = 1000
"""Phrases with vectors: 1 MB of float16 at 512 dimensions. More headings than that count by their words."""

HEADINGS = 3000
SHOWN = 40

EDITION = 1
"""Raise it when the same documents give another Card: the next sync then makes it anew."""

QUESTIONS = 12
_LONG = 3


_PARTS = re.compile(r"[.,;:!?。、·]\s+|\n")


class QuestionWriter(Protocol):
    """Words the sample questions of a Card."""

    async def write(self, card: Card) -> tuple[str, ...]:
        """A few questions in the collection's language; none when it can't. Never raises for what a service does."""
        ...


class Cards:
    """Makes the Cards of all collections together, since they are set apart from one another."""

    def __init__(self, embedder: Embedder, questions: QuestionWriter | None = None) -> None:
        self._embedder = embedder
        self._questions = questions

    @property
    def embedding(self) -> str:
        """The name of the embedder that the examples' vectors are by."""
        return self._embedder.name

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
        before = {card.collection: card for card in previous}
        cards = []
        for name in sorted(records):
            own = by_name.get(name, Digest(name, 0))
            others = [by_name[other] for other in sorted(by_name) if other != name and other in records]
            bare = await asyncio.to_thread(_described, records[name], own, others)
            bare = _named(bare, titles.get(name, "") or name, hints.get(name, ""))
            cards.append(await self._with_vectors(await self._with_questions(bare, before.get(name)), known))
        return cards

    async def _with_questions(self, card: Card, before: Card | None) -> Card:
        """Questions that a model words, kept until what it worded them from is another; else the headings'."""
        if self._questions is None or not card.documents:
            return card
        basis = basis_of(card)
        if before is not None and before.questions_of == basis:
            return replace(card, questions=before.questions, questions_of=basis)
        written = await self._questions.write(card)
        return replace(card, questions=written[:QUESTIONS], questions_of=basis) if written else card

    async def _with_vectors(self, card: Card, known: dict[str, bytes]) -> Card:
        fresh = [phrase for phrase in card.examples if phrase not in known]
        if fresh:
            # As questions: an example stands for what somebody would ask, not for a passage.
            rows = (await self._embedder.embed(fresh, "query")).astype(np.float16)
            known.update(zip(fresh, (row.tobytes() for row in rows), strict=True))
        vectors = b"".join(known[phrase] for phrase in card.examples)
        whole = replace(card, vectors=vectors, embedding=self._embedder.name)
        return replace(whole, version=version_of(whole))


def describe(
    collection: str, records: Sequence[DocumentRecord], terms: tuple[str, ...], asked: Sequence[str] = ()
) -> Card:
    """The Card without vectors and version: a pure function of the records (in any order), key terms and questions.

    `asked` are questions that stand in the texts. What is held back is on the Card as `held` alone.
    """
    ordered = sorted(records, key=lambda record: record.id)
    held = held_back(ordered)
    unseen = frozenset(map(fold, held))
    titles = _without(unseen, distinct(record.title for record in ordered))
    headings = _without(unseen, distinct(round_robin(ordered)))
    dates = [record.date for record in ordered if record.date]
    return Card(
        collection=collection,
        version="",
        title=collection,
        terms=terms,
        headings=_most_telling(headings, terms, HEADINGS),
        titles=_most_telling(titles, terms, SHOWN),
        questions=_first(_sample_questions(ordered, asked), unseen),
        languages=dict(sorted(Counter(record.language for record in ordered).items())),
        documents=len(ordered),
        passages=sum(record.passages for record in ordered),
        dates=TimeSpan(min(dates), max(dates)) if dates else None,
        examples=distinct((*titles, *headings))[:EXAMPLES],
        held=held,
        edition=EDITION,
    )


def _described(records: Sequence[DocumentRecord], own: Digest, others: Sequence[Digest]) -> Card:
    """Takes seconds for ten thousand documents: not in the loop that answers questions."""
    return describe(own.collection, records, key_terms(own, others, TERMS), own.questions)


def _named(card: Card, title: str, hint: str) -> Card:
    """With what people say of the collection; a router that compares with examples must hear of it too."""
    said = distinct((title if title != card.collection else "", hint, *_PARTS.split(hint)))
    return replace(card, title=title, hint=hint, examples=distinct((*said, *card.examples))[:EXAMPLES])


def version_of(card: Card) -> str:
    """16 hexadecimal digits of the content.

    Vectors follow from the examples and the embedder's name; the day of a change is no content.
    """
    content = asdict(replace(card, version="", vectors=b"", updated=None))
    basis = json.dumps(content, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(basis.encode()).hexdigest()[:16]


def basis_of(card: Card) -> str:
    """16 hexadecimal digits of what questions are worded from: nothing that other collections have a say in."""
    basis = json.dumps([EDITION, card.title, *card.examples], ensure_ascii=False)
    return hashlib.sha256(basis.encode()).hexdigest()[:16]


def _sample_questions(records: Sequence[DocumentRecord], asked: Sequence[str]) -> Iterator[str]:
    """Headings of FAQ pages, questions in texts, other headings worded as questions; then the longer of the others."""
    yield from filter(asks, round_robin([record for record in records if collects_questions(record)]))
    yield from asked
    yield from filter(asks, round_robin(records))
    yield from (heading for heading in round_robin(records) if len(heading.split()) >= _LONG)


def _first(questions: Iterator[str], unseen: frozenset[str]) -> tuple[str, ...]:
    """As many as a Card has, each once; the rest of a large collection is not looked at."""
    usable = (question for question in map(plain, questions) if question and fold(question) not in unseen)
    found: dict[str, None] = {}
    while len(found) < QUESTIONS and (question := next(usable, None)) is not None:
        found[question] = None
    return tuple(found)


def _without(unseen: frozenset[str], phrases: Sequence[str]) -> tuple[str, ...]:
    return tuple(phrase for phrase in phrases if fold(phrase) not in unseen)


def _most_telling(phrases: Sequence[str], terms: Sequence[str], limit: int) -> tuple[str, ...]:
    """The phrases that hold most of what sets the collection apart first; equals in their own order."""
    weight = {term: 1.0 / (10 + rank) for rank, term in enumerate(terms)}

    def telling(phrase: str) -> float:
        return sum(weight.get(term, 0.0) for term in set(terms_of(phrase)))

    return tuple(sorted(phrases, key=telling, reverse=True)[:limit])


def _known_vectors(cards: Sequence[Card], embedding: str) -> dict[str, bytes]:
    known: dict[str, bytes] = {}
    for card in cards:
        if card.embedding == embedding and card.examples:
            width = len(card.vectors) // len(card.examples)
            known.update((text, card.vectors[i * width : (i + 1) * width]) for i, text in enumerate(card.examples))
    return known
