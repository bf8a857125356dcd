"""What a run is given: its steps, its limits, what it may read, and who listens. Never checkpointed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from core.answers import Retrieved
from core.documents import Card, Scope
from core.messages import Exchange, Language, ThreadMessage
from core.policy import Policy
from core.ports import Attributor, Checker, Grader, Planner, Refiner, Rewriter, RunPassages, WebSearch, Writer
from core.rag.ahead import Ahead
from core.rag.cascade import Decided
from core.rag.deadline import Deadline
from core.rag.ledger import Ledger
from core.telemetry import UNTRACED, Tracer


class Searcher(Protocol):
    """Hybrid retrieval: `core.retrieval.search.Retriever`, or a stand-in with fixed results."""

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> Sequence[Retrieved]:
        """The k best passages in the scope for these wordings of one question, best first."""
        ...


class Listener(Protocol):
    """Who follows a run while it goes on."""

    async def status(self, key: str, fields: Mapping[str, object]) -> None:
        """What is being done now, as a key of `core.wording`."""
        ...

    async def draft(self, text: str) -> None:
        """The whole text so far, footnotes renumbered; not checked yet."""
        ...


@dataclass(frozen=True, slots=True)
class Steps:
    """The implementations behind the graph's nodes; no node sees which family they are of."""

    planner: Planner
    searcher: Searcher
    grader: Grader
    refiner: Refiner
    rewriter: Rewriter
    writer: Writer
    checker: Checker
    passages: RunPassages
    web: WebSearch | None = None
    attributor: Attributor | None = None
    decided: Decided | None = None


StepsFor = Callable[[Ledger], Steps]
"""The steps of one run, whose model calls are charged to its ledger."""


@dataclass(frozen=True, slots=True)
class RunContext:
    """One run: ``turn/revision``, the question as asked, and everything it may use.

    Whoever asked may bring `deadline` forward. `defaults` are searched where the router is sure of no collection.
    `outside`: somebody from outside may read the answer, so the scope has only what is open to them.
    """

    run: str
    asked: str
    language: Language
    today: date
    steps: Steps
    policy: Policy
    scope: Scope
    cards: tuple[Card, ...]
    listener: Listener
    deadline: Deadline
    history: tuple[Exchange, ...] = ()
    thread: tuple[ThreadMessage, ...] = ()
    clarified_before: bool = False
    ledger: Ledger = field(default_factory=lambda: Ledger(None))
    ahead: Ahead = field(default_factory=Ahead)
    tracer: Tracer = UNTRACED
    defaults: tuple[str, ...] = ()
    outside: bool = False

    @property
    def web_allowed(self) -> bool:
        """Whether this run may search the web at all."""
        return self.steps.web is not None and self.policy.max_web_searches > 0
