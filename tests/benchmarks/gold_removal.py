"""The gold-removal test: questions over an index from which the golds of half of them were taken out.

Makes the cases that the local evaluator is trained and measured on, with the project's own retrieval.
Knows no model weights.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.answers import Retrieved
from core.documents import Passage, Scope
from core.evaluation.datasets import (
    Section,
    articles,
    conversations,
    heading_queries,
    readings,
    rewritten_turns,
    scifact_queries,
    sections,
)
from core.ports import Analyzer, Embedder
from core.retrieval.composition import LeadEmbedder
from core.retrieval.search import Retriever
from tests.retrieval.memory import MemoryIndex, passage

K = 5
"""How many passages are judged for each question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the documents (or sections) that answer it; none: unanswerable."""

    id: str
    text: str
    gold: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages by the id of the document (or section) that they are of."""

    name: str
    passages: tuple[tuple[str, Passage], ...]

    def without(self, taken: frozenset[str]) -> tuple[tuple[str, Passage], ...]:
        """What is left when these documents are taken out."""
        return tuple((key, one) for key, one in self.passages if key not in taken)


@dataclass(frozen=True, slots=True)
class Trial:
    """A set of questions over a corpus; `name` is what is reported, `family` what is left out together."""

    name: str
    family: str
    corpus: Corpus
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One question, what was retrieved for it, and which of that is gold."""

    trial: str
    family: str
    question: Asked
    retrieved: tuple[Retrieved, ...]
    relevant: tuple[bool, ...]
    flip: int


def taken_out(question: Asked, flip: int) -> bool:
    """Whether this question belongs to the half whose golds are removed; the other flip takes the other half."""
    return number(question.id) % 2 == flip


def fold(case: Case, folds: int) -> int:
    """Which fold a case is in: all wordings, languages and turns of one question or conversation together."""
    return number("fold" + case.question.id.split("<::>")[0]) % folds


@dataclass(frozen=True, slots=True)
class Emptied:
    """A trial's corpus without the golds of half of its questions, ready to be searched."""

    retriever: Retriever
    scope: Scope
    keys: Mapping[str, str]
    """What document (or section) each passage is of."""


async def emptied(trial: Trial, embedder: Embedder, analyzer: Analyzer, flip: int) -> Emptied:
    """The index where half of the golds are gone."""
    gone = frozenset(g for question in trial.questions if taken_out(question, flip) for g in question.gold)
    kept = trial.corpus.without(gone)
    vectors = await LeadEmbedder(embedder).embed([one.headed_text for _, one in kept], "passage")
    index = MemoryIndex([one for _, one in kept], vectors, analyzer)
    retriever = Retriever(index, index.words(), index, embedder, analyzer)
    return Emptied(retriever, index.scope(), {one.id: key for key, one in kept})


async def cases(trial: Trial, embedder: Embedder, analyzer: Analyzer, flip: int) -> list[Case]:
    """The questions of the trial, searched where half of the golds are gone."""
    left = await emptied(trial, embedder, analyzer, flip)
    found: list[Case] = []
    for question in trial.questions:
        hits = tuple(await left.retriever.retrieve(left.scope, [question.text], K))
        relevant = tuple(left.keys[hit.passage.id] in question.gold for hit in hits)
        found.append(Case(trial.name, trial.family, question, hits, relevant, flip))
    return found


def trials(data: Path) -> Iterable[Trial]:
    """All sets, smallest first."""
    yield from _documentation(data, "helm")
    yield from _documentation(data, "fastapi")
    yield from _conversations(data)
    yield _readings(data)
    abstracts = _articles(data, "scifact", 500)
    claims = tuple(Asked(q.id, q.text, frozenset(q.gold)) for q in scifact_queries(data))
    yield Trial("scifact", "scifact", abstracts, claims)


def _documentation(data: Path, name: str) -> Iterable[Trial]:
    asked = heading_queries(data, name)
    for documents in ("en", "ko"):
        corpus = Corpus(f"{name}-{documents}", tuple(_sections(data, name, documents)))
        for language in ("en", "ko"):
            texts = [(q, q.en if language == "en" else q.ko) for q in asked]
            questions = tuple(Asked(q.id, text, frozenset(q.gold)) for q, text in texts if text)
            yield Trial(f"{name} {language}→{documents}", name, corpus, questions)


def _sections(data: Path, name: str, language: str) -> Iterable[tuple[str, Passage]]:
    for section in sections(data, name, language):
        yield from section_passages(section, name, language)


def section_passages(section: Section, name: str, language: str) -> Iterable[tuple[str, Passage]]:
    """A section without its own heading, which is the question, by its id."""
    for place, text in enumerate(packed(section.text, 1000)):
        one = passage(text, document=section.document, language=language, title=section.title, collection=name)
        yield section.id, replace(one, id=f"{name}:{section.id}:{place}", heading_path=section.path)


def _conversations(data: Path) -> Iterable[Trial]:
    pool = _articles(data, "mtrag", 1000)
    known = frozenset(key for key, _ in pool.passages)
    turns = [turn for turn in conversations(data) if "UNDERSPECIFIED" not in turn.answerability]
    asked = tuple(
        Asked(t.id, standalone(t.question, [u.text for u in t.history if u.role == "user"]), frozenset(t.gold) & known)
        for t in turns
    )
    yield Trial("mtrag-un", "mtrag", pool, asked)
    # A question whose golds are not in the pool may well find other good passages there: no label at all.
    turns_with = [turn for turn in rewritten_turns(data) if turn.gold_in_pool]
    rewritten = tuple(Asked(t.id, t.rewrite, frozenset(t.gold_in_pool)) for t in turns_with)
    yield Trial("mtrag rewritten", "mtrag", pool, rewritten)


def _readings(data: Path) -> Trial:
    read = readings(data)
    found = [
        (one.id, replace(passage(text, document=one.id, title=one.title, collection="clapnq"), position=place))
        for one in read
        for place, text in enumerate(packed(one.passage, 1000))
    ]
    asked = tuple(Asked(one.id, one.question, frozenset([one.id] if one.answerable else [])) for one in read)
    return Trial("clapnq", "clapnq", Corpus("clapnq", tuple(found)), asked)


def _articles(data: Path, name: str, size: int) -> Corpus:
    found = []
    for article in articles(data, name):  # type: ignore[arg-type]
        for place, text in enumerate(sentence_groups(article.text.strip(), size)):
            one = passage(text, document=article.id, title=article.title, collection=name)
            found.append((article.id, replace(one, id=f"{name}:{article.id}:{place}")))
    return Corpus(name, tuple(found))


def packed(text: str, size: int) -> list[str]:
    """Paragraphs, or the sentences of long ones, put together up to about `size` characters."""
    parts = [part for block in re.split(r"\n\s*\n", text.strip()) for part in _parts(block, size)]
    found: list[str] = []
    for part in parts:
        if found and len(found[-1]) + len(part) <= size:
            found[-1] += "\n\n" + part
        else:
            found.append(part)
    return found


def _parts(block: str, size: int) -> Sequence[str]:
    if len(block) <= size * 1.5:
        return [block] if block.strip() else []
    return sentence_groups(block, size)


def sentence_groups(text: str, size: int) -> list[str]:
    """Neighbouring sentences put together up to `size` characters."""
    pieces: list[str] = []
    for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
        if pieces and len(pieces[-1]) + len(sentence) <= size:
            pieces[-1] += " " + sentence
        else:
            pieces.append(sentence)
    return pieces


_DEPENDENT = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|ones?|there|so|then)\b|\b(?:what|how) about\b",
    re.IGNORECASE,
)


def standalone(question: str, before: Sequence[str]) -> str:
    """A last turn as it would be searched: with the question before it where it leans on that."""
    if before and (_DEPENDENT.search(question) or len(question.split()) <= 4):
        return f"{before[-1].strip()} {question.strip()}"
    return question.strip()


def number(text: str) -> int:
    """A large number that only depends on the text: chance that can be repeated."""
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)
