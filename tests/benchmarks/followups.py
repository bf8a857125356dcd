"""Follow-ups: what the planner's standalone question finds, against the last turn alone.

MTRAG-UN turns with official judgements whose golds are all in the pool, planned turn after turn as a
thread would be. Turns complete by themselves are told independently of the planner: those that a person,
asked to make them standalone, left word for word as they were; and first questions of conversations,
asked in the middle of a thread on another subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.answers import Plan
from core.evaluation.datasets import ConversationTurn, RewrittenTurn, articles, conversations, rewritten_turns
from core.evaluation.metrics import ndcg
from core.messages import Exchange, Language
from core.ports import Embedder, PlanRequest
from core.rag.planning import search_wordings
from core.retrieval.analysis import BigramAnalyzer
from core.retrieval.language import question_language
from core.retrieval.search import Retriever
from tests.benchmarks.gold_removal import sentence_groups
from tests.benchmarks.rows import Row
from tests.retrieval.memory import MemoryIndex, passage

TODAY = date(2026, 11, 30)
CUT = 5


@dataclass(frozen=True, slots=True)
class Scored:
    """nDCG of one turn, searched as typed and as planned."""

    kind: str
    raw: float
    planned: float


@dataclass(frozen=True, slots=True)
class Search:
    """The pool, searched by the default retrieval."""

    index: MemoryIndex
    retriever: Retriever

    async def documents(self, wordings: Sequence[str]) -> list[str]:
        """Documents by their best passage, best first."""
        hits = await self.retriever.retrieve(self.index.scope(), wordings, 4 * CUT)
        return list(dict.fromkeys(hit.passage.document_id for hit in hits))


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "mtrag").is_dir():
        return []
    async with USEEmbedder() as embedder:
        search = await pool(data, embedder)
        planner = LocalPlanner(embedder)
        known = set(search.index.scope().generations[0].documents)
        judged = [turn for turn in conversations(data) if turn.official and turn.gold and set(turn.gold) <= known]
        follow = [await follow_up(turn, planner, search) for turn in judged]
        people = [turn for turn in rewritten_turns(data) if turn.gold_in_pool]
        alone = [await complete(turn, planner, search) for turn in people if turn.turn > 1 and untouched(turn)]
        firsts = [*first_questions(judged), *((t.question, t.gold_in_pool) for t in people if t.turn == 1)]
        switched = [await switch(*first, judged, planner, search) for first in firsts]
    return [
        *_rows("last turns", follow, gain=6.0),
        *_rows("  of these left as they are by the planner", [s for s in follow if s.kind == "complete"]),
        *_rows("  of these written out", [s for s in follow if s.kind != "complete"]),
        *_rows("complete turns (left untouched by a person)", alone, loss=1.0),
        *_rows("complete turns (first questions in another thread)", switched, loss=1.0),
    ]


def _rows(name: str, scored: Sequence[Scored], gain: float | None = None, loss: float | None = None) -> list[Row]:
    raw, planned = (100 * sum(values) / max(1, len(scored)) for values in _columns(scored))
    change = planned - raw
    target, met = "", None
    if gain is not None:
        target, met = f"≥ {gain:g} above the last turn alone", change >= gain
    if loss is not None:
        target, met = f"loss ≤ {loss:g}", change >= -loss
    title = f"follow-ups, {name} (n={len(scored)})"
    return [
        Row(f"{title}: nDCG@{CUT} of the turn alone", round(raw, 1), ""),
        Row(f"{title}: nDCG@{CUT} as planned", round(planned, 1), ""),
        Row(f"{title}: change", round(change, 1), "", target, met=met),
    ]


def _columns(scored: Sequence[Scored]) -> tuple[list[float], list[float]]:
    return [one.raw for one in scored], [one.planned for one in scored]


async def pool(data: Path, embedder: Embedder) -> Search:
    """The gold passages of all conversations, cut as documents are."""
    rows = []
    for article in articles(data, "mtrag"):
        for place, text in enumerate(sentence_groups(article.text.strip(), 1000)):
            one = passage(text, document=article.id, title=article.title, collection="mtrag")
            rows.append(replace(one, id=f"mtrag:{article.id}:{place}"))
    vectors = await embedder.embed([row.headed_text for row in rows], "passage")
    analyzer = BigramAnalyzer()
    index = MemoryIndex(rows, vectors, analyzer)
    return Search(index, Retriever(index, index.words(), index, embedder, analyzer))


async def follow_up(turn: ConversationTurn, planner: LocalPlanner, search: Search) -> Scored:
    """A judged last turn, after its whole thread was planned."""
    history = await _thread(turn, planner)
    plan = await _plan(turn.question, history, planner)
    return await _score(turn.question, plan, dict(turn.gold), search)


async def complete(turn: RewrittenTurn, planner: LocalPlanner, search: Search) -> Scored:
    """A turn that needs nothing; its thread is known without the answers."""
    history: list[Exchange] = []
    for question in turn.user_turns[:-1]:
        history.append(_exchange(question, await _plan(question, history, planner), ""))
    plan = await _plan(turn.question, history, planner)
    return await _score(turn.question, plan, dict.fromkeys(turn.gold_in_pool, 1.0), search)


async def switch(
    question: str, gold: Sequence[str], threads: Sequence[ConversationTurn], planner: LocalPlanner, search: Search
) -> Scored:
    """A first question asked in a thread that has none of its golds."""
    others = [thread for thread in threads if thread.history and not set(thread.gold) & set(gold)]
    thread = others[sum(map(ord, question)) % len(others)]
    plan = await _plan(question, await _thread(thread, planner), planner)
    return await _score(question, plan, dict.fromkeys(gold, 1.0), search)


def first_questions(turns: Sequence[ConversationTurn]) -> list[tuple[str, tuple[str, ...]]]:
    """Questions that opened a conversation, with their golds."""
    return [(turn.question, tuple(turn.gold)) for turn in turns if not turn.history]


def untouched(turn: RewrittenTurn) -> bool:
    """Whether the person's standalone wording has the same words as the turn itself."""
    return re.findall(r"\w+", turn.question.lower()) == re.findall(r"\w+", turn.rewrite.lower())


async def _thread(turn: ConversationTurn, planner: LocalPlanner) -> list[Exchange]:
    history: list[Exchange] = []
    said = list(turn.history)
    for place, utterance in enumerate(said):
        if utterance.role == "user":
            answer = said[place + 1].text if place + 1 < len(said) and said[place + 1].role != "user" else ""
            plan = await _plan(utterance.text, history, planner)
            history.append(_exchange(utterance.text, plan, answer))
    return history


def _exchange(question: str, plan: Plan, answer: str) -> Exchange:
    # These assistants never asked back; a clarification would change the thread that was judged.
    return Exchange(question, plan.question, answer, "collections" if plan.route == "clarify" else plan.route)


async def _plan(question: str, history: Sequence[Exchange], planner: LocalPlanner) -> Plan:
    language: Language = "ko" if question_language(question) == "ko" else "en"
    return await planner.plan(PlanRequest(question, language, TODAY, (), tuple(history), clarified_before=True))


async def _score(question: str, plan: Plan, gold: dict[str, float], search: Search) -> Scored:
    raw = ndcg(await search.documents([question]), gold, CUT)
    planned = ndcg(await search.documents(search_wordings(plan, question, ())[0]), gold, CUT)
    return Scored("complete" if plan.reason in ("complete", "talk") else plan.reason, raw, planned)
