"""The values of a run: the plan, what was retrieved and how it was graded, the answer and its trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, get_args

from core.documents import Origin, Passage, TimeSpan

Route = Literal["direct", "collections", "web", "clarify"]
ROUTES: frozenset[str] = frozenset(get_args(Route))
"""No collection may be called as one of them: a model names its route as it names a collection."""
Label = Literal["correct", "ambiguous", "incorrect"]
Verdict = Label
Standing = Literal["supported", "closest", "unchecked", "not_found", "direct", "clarify", "partial"]
"""How far an answer can be trusted: `supported` by its sources, only the `closest` passages, `partial`
(a cap, budget or deadline ended the run early), or no answer at all."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the router decided for a turn; made once, travels in the state for the whole run.

    `queries` are further wordings to search beside the standalone question (the user's own among
    them). `period` is the time that the question asks about. `confidence` is in 0–1 or None.
    `prompt_hash` names the router prompt that a model decided by; a local planner reads none.
    """

    question: str
    route: Route
    collections: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    steps: Literal["single", "multi"] = "single"
    sub_questions: tuple[str, ...] = ()
    time_sensitive: bool = False
    period: TimeSpan | None = None
    confidence: float | None = None
    intent: str = ""
    clarification: str = ""
    reason: str = ""
    reply: str = ""
    prompt_hash: str = ""


@dataclass(frozen=True, slots=True)
class Scores:
    """What retrieval knows of a hit; the local evaluator judges from it.

    `dense` is a cosine, `lexical` a BM25 value (higher is better), `z_*` the same standardised,
    `fused` their sum; `coverage` is the share (0–1) of the question's idf mass found in the passage;
    `exact` says that an identifier of the question stands in it verbatim. None: that list did not
    see it. `weights` is the idf of each token of the question in what was searched (one mapping shared by
    all hits; empty when no list knows it).
    """

    dense: float | None = None
    lexical: float | None = None
    z_dense: float | None = None
    z_lexical: float | None = None
    fused: float = 0.0
    coverage: float | None = None
    exact: bool = False
    rank: int = 0
    same_language: bool = True
    weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A passage with the scores it was found by."""

    passage: Passage
    scores: Scores


_MIDDLE: Mapping[Label, float] = {"correct": 0.85, "ambiguous": 0.5, "incorrect": 0.15}


@dataclass(frozen=True, slots=True)
class Grade:
    """The judgement of one passage: probability of relevance in 0–1 (None from a yes/no judge), label, reason."""

    p: float | None
    label: Label
    reason: str = ""

    @property
    def rank(self) -> float:
        """How far up it belongs, in 0–1: its probability, or the middle of what its label means."""
        return self.p if self.p is not None else _MIDDLE[self.label]


@dataclass(frozen=True, slots=True)
class Strip:
    """A knowledge strip (one to three sentences of one passage) that survived refinement."""

    passage_id: str
    text: str
    p: float


@dataclass(frozen=True, slots=True)
class Refined:
    """The strips kept, in reading order; `weak` when none passed and only the best was kept."""

    strips: tuple[Strip, ...]
    weak: bool = False


@dataclass(frozen=True, slots=True)
class SentenceCheck:
    """One sentence of an answer and the probability (0–1) that its cited passages support it."""

    sentence: str
    p: float


@dataclass(frozen=True, slots=True)
class Check:
    """Is the answer grounded in its passages, and does it answer the question?"""

    sentences: tuple[SentenceCheck, ...] = ()
    grounded: bool = True
    useful: bool = True
    missing: str = ""

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The sentences that the passages do not support."""
        return tuple(s.sentence for s in self.sentences if s.p < 0.5)


@dataclass(frozen=True, slots=True)
class Citation:
    """A footnote: number, document, passage, link, the quoted words."""

    number: int
    collection: str
    document_id: str
    passage_id: str
    title: str
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    date: date | None = None
    link: str | None = None
    quote: str = ""
    origin: Origin = "index"


TOTAL = "total"
"""The last line of a trace whose run paid for models, or was taken up again: what it spent in all."""


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One node of a run: what it decided, how long it took, what it cost."""

    node: str
    milliseconds: float
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to the thread: Markdown with ``[n]`` markers, and its footnotes.

    `nearest` names the nearest documents of an answer that was not found; `notes` are lines under
    the answer (its limits, the date of what it rests on). `titles` are those of the collections among `searched`, by
    name; `askable`: somebody is named whom one could ask instead. `card_versions` are all Cards that the run could
    read, `context` the collections that the conversation before it rested on.
    """

    text: str
    standing: Standing
    citations: tuple[Citation, ...] = ()
    nearest: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    plan: Plan | None = None
    verdict: Verdict | None = None
    trace: tuple[TraceEvent, ...] = ()
    searched: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    askable: bool = True
    card_versions: Mapping[str, str] = field(default_factory=dict)
    prompt_hash: str = ""
    context: tuple[str, ...] = ()
