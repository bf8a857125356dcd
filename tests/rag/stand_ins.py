"""Steps with fixed answers, and a context made of them: every test enters the graph by this door."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from adapters.memory.shelf import MemoryShelf
from core.answers import Check, Grade, Label, Plan, Refined, Retrieved, Scores, SentenceCheck, Strip
from core.documents import Generation, Passage, Scope
from core.errors import UpstreamError
from core.policy import PRESETS, Policy
from core.ports import PlanRequest, WriteRequest
from core.rag.context import RunContext, Steps
from core.rag.deadline import Deadline

P = {"correct": 0.9, "ambiguous": 0.5, "incorrect": 0.1}


def passage(id: str, *, origin: str = "index", text: str = "The upgrade takes 45 minutes.", **more: object) -> Passage:
    """A passage of the collection `docs`, or a web page."""
    return Passage(
        id=id,
        collection="docs" if origin == "index" else "web",
        document_id=f"{id}.md",
        document_hash="h",
        title=f"Title {id}",
        heading_path=("Duration",),
        text=text,
        position=0,
        language="en",
        origin=origin,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


@dataclass
class FixedPlanner:
    """Plans the same thing each time, or fails."""

    made: Plan | None = None
    fails: bool = False
    requests: list[PlanRequest] = field(default_factory=list)

    async def plan(self, request: PlanRequest) -> Plan:
        self.requests.append(request)
        if self.fails:
            raise UpstreamError
        return self.made or Plan(request.question, "collections")


@dataclass
class ListedSearcher:
    """Gives one prepared list after the other; the last one again when they run out."""

    lists: list[list[Passage]]
    asked: list[tuple[frozenset[str], tuple[str, ...]]] = field(default_factory=list)
    delay: float = 0.0

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> list[Retrieved]:
        self.asked.append((scope.collections, tuple(queries)))
        await asyncio.sleep(self.delay)
        place = min(len(self.asked) - 1, len(self.lists) - 1)
        return [Retrieved(each, Scores(rank=rank)) for rank, each in enumerate(self.lists[place])]


@dataclass
class LabelGrader:
    """Grades by a table of passage ids; what is not in it is `default`."""

    labels: Mapping[str, Label] = field(default_factory=dict)
    default: Label = "correct"
    reasons: Mapping[str, str] = field(default_factory=dict)
    calls: list[tuple[str, ...]] = field(default_factory=list)
    fails: bool = False

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        self.calls.append(tuple(each.passage.id for each in retrieved))
        if self.fails:
            raise UpstreamError
        found = [self.labels.get(each.passage.id, self.default) for each in retrieved]
        return [
            Grade(P[label], label, self.reasons.get(each.passage.id, ""))
            for label, each in zip(found, retrieved, strict=True)
        ]


@dataclass
class WholeRefiner:
    """Keeps each passage whole; `weak` as told."""

    weak: bool = False
    calls: list[tuple[str, ...]] = field(default_factory=list)

    async def refine(self, question: str, plan: Plan, passages: Sequence[Passage]) -> Refined:
        self.calls.append(tuple(each.id for each in passages))
        return Refined(tuple(Strip(each.id, each.text, 0.8) for each in passages), self.weak)


@dataclass
class NumberedRewriter:
    """Rewrites to a numbered text, and remembers for where and from what."""

    calls: list[tuple[str, str, str]] = field(default_factory=list)

    async def rewrite(self, question: str, plan: Plan, aim: str, missing: str) -> str:
        self.calls.append((question, aim, missing))
        return f"{aim} rewrite {len(self.calls)}"


@dataclass
class FixedWriter:
    """Writes the same text each time, in three chunks."""

    text: str = "It takes 45 minutes [1]."
    requests: list[WriteRequest] = field(default_factory=list)
    delay: float = 0.0

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        self.requests.append(request)
        third = max(1, len(self.text) // 3)
        for start in range(0, len(self.text), third):
            await asyncio.sleep(self.delay)
            yield self.text[start : start + third]


@dataclass
class FixedChecker:
    """Gives one prepared check after the other; the last one again when they run out."""

    checks: list[Check] = field(default_factory=lambda: [Check((SentenceCheck("It takes 45 minutes.", 0.9),))])
    calls: int = 0
    fails: bool = False

    async def check(self, question: str, answer: str, passages: Sequence[Passage]) -> Check:
        self.calls += 1
        if self.fails:
            raise UpstreamError
        return self.checks[min(self.calls - 1, len(self.checks) - 1)]


@dataclass
class ListedWeb:
    """A web of prepared pages, or one that is down."""

    lists: list[list[Passage]]
    queries: list[str] = field(default_factory=list)
    fails: bool = False

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        self.queries.append(query)
        if self.fails:
            raise UpstreamError
        return self.lists[min(len(self.queries) - 1, len(self.lists) - 1)]


@dataclass
class Recorder:
    """A listener that keeps what it heard."""

    statuses: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)

    async def status(self, key: str, fields: Mapping[str, object]) -> None:
        self.statuses.append(key)
        self.named += [str(each) for each in fields.values()]

    async def draft(self, text: str) -> None:
        self.drafts.append(text)


@dataclass
class Cast:
    """All steps of a run, each replaceable."""

    planner: FixedPlanner = field(default_factory=FixedPlanner)
    searcher: ListedSearcher = field(default_factory=lambda: ListedSearcher([[passage("a"), passage("b")]]))
    grader: LabelGrader = field(default_factory=LabelGrader)
    refiner: WholeRefiner = field(default_factory=WholeRefiner)
    rewriter: NumberedRewriter = field(default_factory=NumberedRewriter)
    writer: FixedWriter = field(default_factory=FixedWriter)
    checker: FixedChecker = field(default_factory=FixedChecker)
    web: ListedWeb | None = None
    listener: Recorder = field(default_factory=Recorder)

    def context(self, policy: Policy = PRESETS["adaptive"], *, seconds: float = 20.0, **more: object) -> RunContext:
        """A run of this cast over two published collections; call inside a running loop."""
        steps = Steps(
            self.planner,
            self.searcher,
            self.grader,
            self.refiner,
            self.rewriter,
            self.writer,
            self.checker,
            MemoryShelf(),
            self.web,
        )
        given: dict[str, object] = {
            "run": "t/1",
            "asked": "How long does the upgrade take?",
            "language": "en",
            "today": date(2026, 11, 30),
            "steps": steps,
            "policy": policy,
            "scope": two_collections(),
            "cards": (),
            "listener": self.listener,
            "deadline": Deadline(asyncio.get_running_loop().time() + seconds),
        }
        return RunContext(**{**given, **more})  # type: ignore[arg-type]


def two_collections() -> Scope:
    """A scope of the collections `docs` and `wiki`."""
    now = datetime(2026, 11, 30, tzinfo=UTC)
    return Scope(tuple(Generation(name, 1, "e", {"a.md": "h", "b.md": "h"}, "c1", now) for name in ("docs", "wiki")))
