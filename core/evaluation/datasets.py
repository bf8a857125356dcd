"""Readers for the benchmark data: files to small frozen values.

The folder is handed in; this file never looks for it and never reads the environment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Article:
    """A document of a retrieval set."""

    id: str
    title: str
    text: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A question with the documents that answer it, by id and gain."""

    id: str
    text: str
    gold: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a real documentation. `heading` is its own, `path` holds those above it."""

    id: str
    document: str
    title: str
    heading: str
    path: tuple[str, ...]
    anchor: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class HeadingQuery:
    """A section's heading as a question, in English and (where it differs) in Korean."""

    id: str
    en: str
    ko: str | None
    gold: Mapping[str, float]
    question_like: bool
    translated: bool


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message of a recorded conversation."""

    role: Literal["user", "agent"]
    text: str


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """The last question of a conversation (MTRAG-UN), with what was said before it."""

    id: str
    domain: str
    turn: int
    history: tuple[Utterance, ...]
    question: str
    answer: str
    answerability: str
    gold: Mapping[str, float]
    official: bool


@dataclass(frozen=True, slots=True)
class RewrittenTurn:
    """A question of a conversation (MTRAG) with a person's standalone wording of it."""

    id: str
    domain: str
    turn: int
    question: str
    user_turns: tuple[str, ...]
    rewrite: str
    gold: tuple[str, ...]
    gold_in_pool: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A question and one passage (CLAPnq): does the passage answer it?"""

    id: str
    question: str
    title: str
    passage: str
    answerable: bool
    answer: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A document and a summary of it that is consistent, or was edited so that it is not."""

    id: str
    domain: str
    document: str
    summary: str
    consistent: bool


@dataclass(frozen=True, slots=True)
class Inference:
    """A premise and a hypothesis: entailment, contradiction or neutral."""

    premise: str
    hypothesis: str
    label: str


@dataclass(frozen=True, slots=True)
class Example:
    """A message of a routing set; `label` says what it is, `fields` holds the rest of the row."""

    text: str
    label: str
    fields: Row = field(default_factory=dict)


RoutingSet = Literal["chitchat_ko", "clinc150_small", "freshqa", "web_en"]
_TEXT_FIELD = {"chitchat_ko": "q", "clinc150_small": "text", "freshqa": "question", "web_en": "question"}
_LABEL_FIELD = {"chitchat_ko": "label", "clinc150_small": "intent", "freshqa": "fact_type"}


def articles(data: Path, name: Literal["scifact", "mtrag"]) -> tuple[Article, ...]:
    """The corpus of a retrieval set."""
    return tuple(
        Article(r["_id"], r.get("title", ""), r["text"], r.get("domain", ""))
        for r in rows(data / name / "corpus.jsonl")
    )


def scifact_queries(data: Path) -> tuple[Query, ...]:
    """The claims of SciFact with their abstracts."""
    return tuple(Query(r["qid"], r["question"], _gold(r["gold"])) for r in rows(data / "scifact" / "queries.jsonl"))


def sections(data: Path, corpus: str, language: str) -> tuple[Section, ...]:
    """The sections of `fastapi`, `helm` (en, ko) or `handbook18f` (en), in reading order."""
    return tuple(
        Section(r["_id"], r["doc"], r["doc_title"], r["heading"], tuple(r["path"]), r["anchor"], r["level"], r["text"])
        for r in rows(data / "corpora" / corpus / language / "sections.jsonl")
    )


def heading_queries(data: Path, corpus: str) -> tuple[HeadingQuery, ...]:
    """The heading queries of `fastapi` or `helm`; the gold ids are the same in both languages."""
    return tuple(
        HeadingQuery(r["qid"], r["en"], r["ko"], _gold(r["gold"]), r["question_like"], r["ko_section_translated"])
        for r in rows(data / "corpora" / corpus / "heading_queries.jsonl")
    )


def conversations(data: Path) -> tuple[ConversationTurn, ...]:
    """MTRAG-UN; score the rows that are `official` and whose golds are in the corpus."""
    return tuple(
        ConversationTurn(
            id=r["qid"],
            domain=r["domain"],
            turn=r["turn"],
            history=tuple(Utterance(u["role"], u["text"]) for u in r["history"]),
            question=r["question"],
            answer=r["answer"],
            answerability=" ".join(r["answerability"]),
            gold=_gold(r["gold"]),
            official=bool(r["official_qrels"]),
        )
        for r in rows(data / "mtrag" / "mtragun_queries.jsonl")
    )


def rewritten_turns(data: Path) -> tuple[RewrittenTurn, ...]:
    """MTRAG's own conversations with rewrites."""
    return tuple(
        RewrittenTurn(
            id=r["qid"],
            domain=r["domain"],
            turn=r["turn"],
            question=r["last_turn"],
            user_turns=tuple(r["all_user_turns"]),
            rewrite=r["rewrite"],
            gold=tuple(r["gold"]),
            gold_in_pool=tuple(r["gold_in_pool"]),
        )
        for r in rows(data / "mtrag" / "mtrag_queries.jsonl")
    )


def readings(data: Path) -> tuple[Reading, ...]:
    """CLAPnq, development half."""
    return tuple(
        Reading(r["id"], r["question"], r["title"], r["passage"], bool(r["answerable"]), _text(r.get("answer")))
        for r in rows(data / "clapnq" / "dev.jsonl")
    )


def summaries(data: Path) -> tuple[Summary, ...]:
    """SummEdits, development half."""
    return tuple(
        Summary(r["id"], r["domain"], r["doc"], r["summary"], bool(r["label"]))
        for r in rows(data / "summedits" / "dev.jsonl")
    )


def inferences(data: Path) -> tuple[Inference, ...]:
    """Korean natural-language inference (KLUE)."""
    return tuple(Inference(r["premise"], r["hypothesis"], r["label"]) for r in rows(data / "ko_nli" / "klue_nli.jsonl"))


def routing(data: Path, name: RoutingSet) -> tuple[Example, ...]:
    """Messages for the router: small talk, out of scope, questions about the world."""
    label = _LABEL_FIELD.get(name)
    return tuple(
        Example(r[_TEXT_FIELD[name]], str(r[label]) if label else name, r)
        for r in rows(data / "routing" / f"{name}.jsonl")
    )


def rows(path: Path) -> list[Row]:
    """The objects of a JSON-lines file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _gold(value: Mapping[str, Any] | list[str]) -> Mapping[str, float]:
    if isinstance(value, list):
        return dict.fromkeys(value, 1.0)
    return {key: float(gain) for key, gain in value.items()}


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(str(each) for each in value)
    return "" if value is None else str(value)
