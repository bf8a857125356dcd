"""How often the `fast` profile needs no second word: plan and grades over the turns of MTRAG-UN, cascaded as composed.

The second steps are stand-ins that only count: what they would say changes no share. The collections are the
sets that the conversations are about; a thread is planned turn after turn, as in `followups`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from adapters.local.grader import LocalGrader
from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.answers import Grade, Plan, Retrieved
from core.catalog.cards import Cards
from core.catalog.terms import DigestBuilder
from core.documents import Card, DocumentRecord, Passage
from core.evaluation.datasets import Article, ConversationTurn, articles, conversations
from core.messages import Exchange, Language
from core.ports import Embedder, Grader, Planner, PlanRequest
from core.rag.cascade import CascadeGrader, CascadePlanner, Decided, reaching
from core.rag.parts import EachPart
from core.rag.planning import search_wordings
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.language import question_language
from core.retrieval.recent import RecentEmbedder
from core.retrieval.search import Retriever
from tests.benchmarks.gold_removal import sentence_groups
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.rows import Row
from tests.retrieval.memory import MemoryIndex, passage

TODAY = date(2026, 11, 30)
K = 6


@dataclass(frozen=True, slots=True)
class SecondPlanner:
    """Would be the model; says what the first has said."""

    first: Planner

    async def plan(self, request: PlanRequest) -> Plan:
        """The first one's plan."""
        return await self.first.plan(request)


@dataclass(frozen=True, slots=True)
class SecondGrader:
    """Would be the model; counts what it is asked."""

    asked: list[int] = field(default_factory=list)

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """Yes to all."""
        self.asked.append(len(retrieved))
        return [Grade(None, "correct")] * len(retrieved)


@dataclass(frozen=True, slots=True)
class Desk:
    """The steps of a run up to its grades."""

    cards: tuple[Card, ...]
    index: MemoryIndex
    retriever: Retriever
    local: Planner
    planner: Planner
    grader: Grader

    def request(self, question: str, history: Sequence[Exchange]) -> PlanRequest:
        """One turn, to be planned."""
        language: Language = "ko" if question_language(question) == "ko" else "en"
        return PlanRequest(question, language, TODAY, self.cards, tuple(history))

    async def graded(self, question: str, plan: Plan) -> None:
        """Retrieve and grade, where the plan leads to the documents."""
        scope = self.index.scope().narrowed(plan.collections)
        found = await self.retriever.retrieve(scope, search_wordings(plan, question, ())[0], K)
        if found:
            await self.grader.grade(plan.question, plan, found)


async def stayed(data: Path) -> list[Row]:
    """The shares over all turns of MTRAG-UN; the threads before them are planned but not counted."""
    turns = conversations(data)
    decided, second, quick, left = Decided(), SecondGrader(), 0, 0
    async with USEEmbedder() as inner:
        embedder = RecentEmbedder(KeptVectors(inner))
        desk = await _desk(data, embedder, decided, second)
        for turn in turns:
            history = await _thread(turn, desk)
            before = dict(decided.counts)
            plan = await desk.planner.plan(desk.request(turn.question, history))
            if plan.route == "collections":
                await desk.graded(turn.question, plan)
            asked = sum(decided.counts[step, "second"] - before.get((step, "second"), 0) for step in ("plan", "grade"))
            quick += asked == 0
            left += plan.route != "collections"
    share = {step: 100 * (decided.stayed(step) or 0.0) for step in ("plan", "grade")}
    title = f"latency: fast, MTRAG-UN turns (n={len(turns)})"
    return [
        Row(f"{title}: plans that stayed local", round(share["plan"], 1), "%"),
        Row(f"{title}: grading steps that stayed local", round(share["grade"], 1), "%"),
        Row(f"{title}: passages of {K} asked where not", round(sum(second.asked) / max(1, len(second.asked)), 1), ""),
        Row(f"{title}: turns without a call before the answer", round(100 * quick / len(turns), 1), "%"),
        Row(f"{title}: turns that searched no documents", round(100 * left / len(turns), 1), "%"),
    ]


async def _thread(turn: ConversationTurn, desk: Desk) -> list[Exchange]:
    """What was said before, each turn planned by the local planner alone."""
    history: list[Exchange] = []
    said = list(turn.history)
    for place, utterance in enumerate(said):
        if utterance.role == "user":
            answer = said[place + 1].text if place + 1 < len(said) and said[place + 1].role != "user" else ""
            plan = await desk.local.plan(desk.request(utterance.text, history))
            # These assistants never asked back.
            route = "collections" if plan.route == "clarify" else plan.route
            history.append(Exchange(utterance.text, plan.question, answer, route))
    return history


async def _desk(data: Path, embedder: Embedder, decided: Decided, second: SecondGrader) -> Desk:
    passages = [each for article in articles(data, "mtrag") for each in _passages(article)]
    analyzer = BigramAnalyzer()
    index = MemoryIndex(passages, await embedder.embed([p.headed_text for p in passages], "passage"), analyzer)
    local = LocalPlanner(embedder)
    return Desk(
        cards=tuple(await _cards(passages, embedder)),
        index=index,
        retriever=Retriever(index, index.words(), index, embedder, analyzer),
        local=local,
        planner=CascadePlanner(local, SecondPlanner(local), decided, sure=reaching(0.7)),
        grader=CascadeGrader(EachPart(LocalGrader(embedder, analyzer)), second, decided),
    )


def _passages(article: Article) -> list[Passage]:
    """An article cut as documents are."""
    texts = sentence_groups(article.text.strip(), 1000)
    cut = [passage(text, document=article.id, title=article.title, collection=article.domain) for text in texts]
    return [replace(each, id=f"{article.domain}:{article.id}:{place}") for place, each in enumerate(cut)]


async def _cards(passages: Sequence[Passage], embedder: Embedder) -> list[Card]:
    builders: dict[str, DigestBuilder] = {}
    records: dict[str, dict[str, DocumentRecord]] = {}
    for each in passages:
        builders.setdefault(each.collection, DigestBuilder(each.collection)).add(each.document_id, each.text)
        record = DocumentRecord(each.document_id, "", "", each.title, each.language, 1)
        records.setdefault(each.collection, {})[each.document_id] = record
    digests = [builder.build() for builder in builders.values()]
    return await Cards(embedder).make({name: list(r.values()) for name, r in records.items()}, digests, {}, {})
