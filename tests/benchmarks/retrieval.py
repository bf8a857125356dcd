"""Hybrid retrieval against its own lexical list, within a language, across two, and in an index of both.

The product's own path: splitter, embedder, embedded index, Retriever. Each section of a documentation
is a document whose own heading is taken away; a document ranks by its best passage. The index is kept
in build/, so that a second run embeds nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import track

from adapters.embedded.index import EmbeddedIndex
from adapters.local.use import USEEmbedder
from adapters.parsers.splitter import MarkdownSplitter
from core.documents import Generation, Parsed, Passage, Scope, passage_id
from core.evaluation.datasets import articles, heading_queries, scifact_queries, sections
from core.evaluation.metrics import ndcg
from core.ports import Embedder, IndexEntry
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.composition import LeadEmbedder
from core.retrieval.search import Retriever
from tests.benchmarks.rows import Row

FOLDER = Path("build/bench-index")
_AT_ONCE = 256
_DEEP = 30  # passages read, to have ten different documents
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_CORPORA = ("fastapi", "helm")
_PAIRS = (("en", "en"), ("ko", "ko"), ("ko", "en"), ("en", "ko"))

Question = tuple[str, Mapping[str, float]]
Entry = tuple[str, str, tuple[str, ...], str]  # id, title, headings above, text
Texts = Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Bench:
    """The open index with everything that searches it."""

    index: EmbeddedIndex
    embedder: Embedder
    retriever: Retriever


async def run(data: Path | None) -> list[Row]:
    """The rows of the default retrieval; none without data."""
    if data is None:
        return []
    async with USEEmbedder() as embedder:
        return await measure(data, LeadEmbedder(embedder), "")


async def measure(data: Path, embedder: Embedder, mark: str) -> list[Row]:
    """All rows with one embedder; `mark` stands before their names."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    analyzer = BigramAnalyzer()
    path = FOLDER / f"{embedder.name}-{analyzer.name}.sqlite"
    async with EmbeddedIndex(path, analyzer) as index:
        retriever = Retriever(index.vectors, index.lexical, index.passages, embedder, analyzer)
        bench = Bench(index, embedder, retriever)
        rows = await _same_and_cross(bench, data)
    return [Row(f"{mark}{row.name}", row.value, row.unit, row.target, row.command, row.met) for row in rows]


async def _same_and_cross(bench: Bench, data: Path) -> list[Row]:
    scopes = {
        (corpus, language): await _indexed(bench, f"{corpus}-{language}", language, _sections(data, corpus, language))
        for corpus in _CORPORA
        for language in ("en", "ko")
    }
    scifact = await _indexed(bench, "scifact", "en", [(a.id, a.title, (), a.text) for a in articles(data, "scifact")])
    claims: list[Question] = [(q.text, q.gold) for q in scifact_queries(data)]
    same = {"SciFact": await _pair(bench, scifact, claims)}
    cross: dict[tuple[str, str, str], tuple[float, float]] = {}
    for corpus in _CORPORA:
        for asked, language in _PAIRS:
            found = await _pair(bench, scopes[corpus, language], _questions(data, corpus, asked))
            cross[corpus, asked, language] = found
            if asked == language:
                same[f"{corpus} {asked.upper()}→{language.upper()}"] = found
    rows = _same_rows(same) + _cross_rows(cross)
    return rows + await _mixed_rows(bench, data, scopes, cross)


def _same_rows(same: Mapping[str, tuple[float, float]]) -> list[Row]:
    rows = []
    for name, (hybrid, lexical) in same.items():
        rows.append(Row(f"{name}: BM25 alone, nDCG@10", round(lexical, 1), ""))
        rows.append(Row(f"{name}: hybrid, nDCG@10", round(hybrid, 1), "", "not below BM25", met=hybrid >= lexical))
    gain = sum(hybrid - lexical for hybrid, lexical in same.values()) / len(same)
    return [*rows, Row("hybrid over BM25, mean", round(gain, 1), "points", "≥ 2, aim 5", met=gain >= 2)]


def _cross_rows(cross: Mapping[tuple[str, str, str], tuple[float, float]]) -> list[Row]:
    rows = [
        Row(f"{corpus} {asked.upper()}→{language.upper()}: hybrid, nDCG@10", round(hybrid, 1), "")
        for (corpus, asked, language), (hybrid, _) in cross.items()
        if asked != language
    ]
    for asked, language, least in (("ko", "en", 65), ("en", "ko", 58)):
        over = sum(cross[corpus, asked, language][0] for corpus in _CORPORA)
        share = 100 * over / sum(cross[corpus, asked, asked][0] for corpus in _CORPORA)
        name = f"{asked.upper()}→{language.upper()} as a share of {asked.upper()}→{asked.upper()}"
        rows.append(Row(name, round(share, 1), "%", f"≥ {least}, aim 80", met=share >= least))
    return rows


async def _mixed_rows(
    bench: Bench,
    data: Path,
    scopes: Mapping[tuple[str, str], Scope],
    alone: Mapping[tuple[str, str, str], tuple[float, float]],
) -> list[Row]:
    """One index of both languages; for *cross only* every gold section is taken out of the question's language."""
    either, only = [], []
    for corpus in _CORPORA:
        both = Scope((*scopes[corpus, "en"].generations, *scopes[corpus, "ko"].generations))
        for asked, other in (("en", "ko"), ("ko", "en")):
            questions = _questions(data, corpus, asked)
            golds = {document for _, gold in questions for document in gold}
            elsewhere = Scope((*scopes[corpus, other].generations, *_without(scopes[corpus, asked], golds)))
            either.append(alone[corpus, asked, asked][0] - await _hybrid(bench, both, questions))
            only.append(alone[corpus, asked, other][0] - await _hybrid(bench, elsewhere, questions))
    rows = []
    for name, losses, most in (("either", either, 2), ("cross only", only, 5)):
        loss = sum(losses) / len(losses)
        each = ", ".join(f"{value:.1f}" for value in losses)
        title = f"mixed index, {name}: loss against one language alone (FastAPI EN, KO, Helm EN, KO: {each})"
        rows.append(Row(title, round(loss, 1), "points", f"≤ {most}", met=loss <= most))
    return rows


def _without(scope: Scope, golds: set[str]) -> tuple[Generation, ...]:
    """The same collection with only its distractors."""
    (generation,) = scope.generations
    kept = {document: digest for document, digest in generation.documents.items() if document not in golds}
    return (replace(generation, number=2, documents=kept),)


async def _hybrid(bench: Bench, scope: Scope, questions: Sequence[Question]) -> float:
    """nDCG@10 of hybrid retrieval; a section that stands in both languages counts at its first place."""
    total = 0.0
    for text, gold in questions:
        found = await bench.retriever.retrieve(scope, [text], 2 * _DEEP)
        total += ndcg([r.passage.document_id for r in found], gold)
    return 100 * total / len(questions)


async def _pair(bench: Bench, scope: Scope, questions: Sequence[Question]) -> tuple[float, float]:
    """nDCG@10 of hybrid retrieval and of the lexical list alone."""
    hybrid = lexical = 0.0
    for text, gold in questions:
        found, words = await asyncio.gather(
            bench.retriever.retrieve(scope, [text], _DEEP), bench.index.lexical.search(scope, text, 200)
        )
        hybrid += ndcg([r.passage.document_id for r in found], gold)
        lexical += ndcg([hit.document_id for hit in words.hits], gold)
    return 100 * hybrid / len(questions), 100 * lexical / len(questions)


async def _indexed(bench: Bench, collection: str, language: str, texts: Texts) -> Scope:
    """Put what is not there yet into the index; the scope that holds exactly these texts."""
    passages = [p for text in texts for p in _passages(collection, language, text)]
    for start in track(range(0, len(passages), _AT_ONCE), f"index {collection}", transient=True):
        part = passages[start : start + _AT_ONCE]
        known = await bench.index.passages.known(collection, [p.id for p in part], bench.embedder.name)
        fresh = [p for p in part if p.id not in known]
        if not fresh:
            continue
        rows = await bench.embedder.embed([p.headed_text for p in fresh], "passage")
        entries = [IndexEntry(p, row) for p, row in zip(fresh, rows, strict=True)]
        await bench.index.vectors.upsert(collection, bench.embedder.name, entries)
        await bench.index.lexical.upsert(collection, bench.embedder.name, entries)
    documents = {p.document_id: p.document_hash for p in passages}
    return Scope((Generation(collection, 1, bench.embedder.name, documents, "1", _NOW),))


def _passages(collection: str, language: str, entry: Entry) -> list[Passage]:
    id, title, path, text = entry
    pieces = MarkdownSplitter().split(Parsed(title, text))
    digest = hashlib.sha256("\x1f".join([title, *path, text]).encode()).hexdigest()
    made: list[Passage] = []
    for position, piece in enumerate(pieces):
        headings = (*path, *piece.heading_path)
        occurrence = sum((p.heading_path, p.text) == (headings, piece.text) for p in made)
        made.append(
            Passage(
                id=passage_id(collection, id, headings, piece.text, occurrence),
                collection=collection,
                document_id=id,
                document_hash=digest,
                title=title,
                heading_path=headings,
                text=piece.text,
                position=position,
                language=language,
            )
        )
    return made


def _sections(data: Path, corpus: str, language: str) -> Texts:
    return [(s.id, s.title, s.path, s.text) for s in sections(data, corpus, language)]


def _questions(data: Path, corpus: str, language: str) -> list[Question]:
    """The headings in one language; those that are the same in both are asked in English alone."""
    pick: Callable[..., str | None] = (lambda q: q.en) if language == "en" else (lambda q: q.ko)
    return [(text, q.gold) for q in heading_queries(data, corpus) if (text := pick(q))]
