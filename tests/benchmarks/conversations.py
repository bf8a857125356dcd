"""Three conversations of three turns over the bundled handbook, scored by kind of turn: as typed against as planned.

The thread is planned turn after turn; what the assistant answered is the best passage it would have quoted.
Every row says which kind of turn it scores.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from adapters.embedded.index import EmbeddedIndex
from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from bots.compose import opened
from bots.places import demo
from core.documents import Card, Scope
from core.evaluation.metrics import ndcg, recall
from core.messages import Exchange, Language
from core.ports import PlanRequest
from core.rag.planning import search_wordings
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.language import question_language
from core.retrieval.search import Retriever
from tests.benchmarks.rows import Row

SOURCE = Path(__file__).parent / "answers" / "conversations.jsonl"
KINDS = ("first", "elliptical", "complete")
TODAY = date(2026, 11, 30)
CUT = 3


@dataclass(frozen=True, slots=True)
class Handbook:
    """The synced handbook, ready to be planned over and searched."""

    cards: tuple[Card, ...]
    scope: Scope
    planner: LocalPlanner
    retriever: Retriever

    async def found(self, scope: Scope, wordings: tuple[str, ...]) -> tuple[list[str], str]:
        """Documents by their best passage as ``collection/path``, and the text of the best passage."""
        hits = await self.retriever.retrieve(scope, wordings, 4 * CUT)
        names = [f"{hit.passage.collection}/{hit.passage.document_id}" for hit in hits]
        return list(dict.fromkeys(names)), hits[0].passage.text if hits else ""


async def run(data: Path | None) -> list[Row]:
    """All rows; the handbook and the conversations come with the project."""
    talks = [json.loads(line) for line in SOURCE.read_text(encoding="utf-8").splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        settings = demo().model_copy(update={"data_dir": Path(folder)})
        async with opened(settings, quiet=True) as app:
            await app.prepare(refresh=False)
            cards, scope = tuple(await app.cards()), await app.scope()
        analyzer = BigramAnalyzer()
        async with USEEmbedder() as embedder, EmbeddedIndex(settings.index_path, analyzer) as index:
            retriever = Retriever(index.vectors, index.lexical, index.passages, embedder, analyzer)
            book = Handbook(cards, scope, LocalPlanner(embedder), retriever)
            scored: dict[str, list[tuple[list[str], list[str], list[str]]]] = defaultdict(list)
            for talk in talks:
                for kind, raw, planned, gold in await _scored(talk, book):
                    scored[kind].append((raw, planned, gold))
    return [row for kind in KINDS for row in _rows(kind, scored[kind])]


async def _scored(talk: dict[str, Any], book: Handbook) -> list[tuple[str, list[str], list[str], list[str]]]:
    history: list[Exchange] = []
    results = []
    for turn in talk["turns"]:
        question = turn["question"]
        language: Language = "ko" if question_language(question) == "ko" else "en"
        plan = await book.planner.plan(PlanRequest(question, language, TODAY, book.cards, tuple(history)))
        scope = book.scope.narrowed(plan.collections or [card.collection for card in book.cards])
        raw, _ = await book.found(book.scope, (question,))
        planned, answer = await book.found(scope, search_wordings(plan, question, ())[0])
        history.append(Exchange(question, plan.question, answer, plan.route))
        results.append((turn["kind"], raw, planned, turn["documents"]))
    return results


def _rows(kind: str, scored: list[tuple[list[str], list[str], list[str]]]) -> list[Row]:
    rows = []
    for name, measure in (("recall", recall), ("nDCG", lambda r, g, k: ndcg(r, dict.fromkeys(g, 1.0), k))):
        raw = 100 * sum(measure(r, g, CUT) for r, _, g in scored) / max(1, len(scored))
        planned = 100 * sum(measure(p, g, CUT) for _, p, g in scored) / max(1, len(scored))
        title = f"conversations, {kind} turn (n={len(scored)}): {name}@{CUT}"
        target, met = "", None
        if kind == "elliptical":
            target, met = "above the turn as typed", planned > raw
        if kind == "complete":
            target, met = "no loss", planned >= raw
        rows += [
            Row(f"{title} as typed", round(raw, 1), "%"),
            Row(f"{title} as planned", round(planned, 1), "%", target, met=met),
        ]
    return rows
