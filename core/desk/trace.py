"""A stored trace as it is asked about: which node said what, in which order. Knows no wording."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.answers import TOTAL, TraceEvent

Detail = Mapping[str, Any]

_REWRITES = ("rewrite_index", "rewrite_web")
STEPS = ("plan", "retrieve", "grade", "refine", "rewrite", "search", "generate", "check")
"""What people hear of, in the order of a straight run; the ends of a run ask nobody anything."""


def step_of(node: str) -> str:
    """What people hear of instead of the node."""
    if node in _REWRITES:
        return "rewrite"
    return "plan" if node == "reroute" else node if node in STEPS else "other"


@dataclass(frozen=True, slots=True)
class Trace:
    """The lines of one run, its sum apart."""

    events: Sequence[TraceEvent]

    @property
    def nodes(self) -> list[TraceEvent]:
        """One line for each time that a node ran."""
        return [event for event in self.events if event.node != TOTAL]

    @property
    def total(self) -> TraceEvent | None:
        """The sum, of a run that paid for models."""
        return next((event for event in self.events if event.node == TOTAL), None)

    @property
    def resumed(self) -> bool:
        """Whether the run had been interrupted."""
        return self.total is not None and bool(self.total.detail.get("resumed"))

    def of(self, step: str) -> list[Detail]:
        """What the nodes of a step said, in the order of the run."""
        return [event.detail for event in self.nodes if step_of(event.node) == step]

    def last(self, step: str) -> Detail:
        """What was said last; empty where the step never ran or said nothing."""
        return next((detail for detail in reversed(self.of(step)) if detail), {})

    def having(self, name: str) -> list[tuple[str, Detail]]:
        """The steps that said something by this name, with all they said."""
        return [(step_of(event.node), event.detail) for event in self.nodes if event.detail.get(name)]

    @property
    def web_searches(self) -> list[tuple[str, Detail]]:
        """What each search of the web said, with the query that was written for it; empty where that failed."""
        query, found = "", []
        for event in self.nodes:
            if event.node == "rewrite_web":
                query = event.detail.get("query", "")
            elif event.node == "search":
                found.append((query, event.detail))
        return found

    @property
    def written_again(self) -> int:
        """How often a text was written anew from what was there."""
        order = [event.node for event in self.nodes]
        return sum(pair == ("check", "generate") for pair in itertools.pairwise(order))

    @property
    def milliseconds(self) -> float:
        """From question to answer; for a run that was interrupted the time it was worked on."""
        if self.total is not None and not self.resumed:
            return self.total.milliseconds
        return sum(event.milliseconds for event in self.nodes)

    def by_step(self) -> dict[str, float]:
        """Milliseconds of each step; steps at the same time count each for itself."""
        spent: dict[str, float] = {}
        for event in self.nodes:
            spent[step_of(event.node)] = spent.get(step_of(event.node), 0.0) + event.milliseconds
        return spent
