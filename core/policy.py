"""How careful the graph is: which steps run, thresholds, loop caps, budgets; and the presets.

Every variant of corrective retrieval from the literature is one of these, never another graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Trigger = Literal["never", "any", "all", "ratio", "fewer_than_2", "verdict"]
"""When retrieval is corrected: if any passage was rejected, if all were, if more than half were, if
fewer than two survived, or by the verdict of three grades."""

Correction = Literal["none", "index", "web", "verdict"]
"""What follows: rewrite for the index, search the web, or what the verdict asks for."""

Reroute = Literal["keep", "again"]
"""Where a rewritten question goes: back to the source that the plan chose, or wherever the router sends it now."""
Grades = Literal["off", "binary", "three"]
"""Whether passages are graded, and on which scale."""

LEAST_ROUTER_TOKENS = 500
"""Room for the router's task and a few Cards; with less it would choose among names."""

_WORDS = {
    name: get_args(kind)
    for name, kind in (("grades", Grades), ("trigger", Trigger), ("correction", Correction), ("reroute", Reroute))
}
_COUNTS = (
    "max_regenerations",
    "max_rewrites",
    "max_loops",
    "max_web_searches",
    "max_model_calls",
    "history_turns",
)
_LEAST = {**dict.fromkeys(_COUNTS, 0), "router_tokens": LEAST_ROUTER_TOKENS}


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings of one run. Probabilities in 0–1, times in seconds.

    `router_tokens` bounds the prompt that a model routes by: with more Cards than fit, a first cut picks them.
    With `speculate` the answer is begun while its passages are graded; its words are held until the verdict.
    """

    name: str = "adaptive"
    router: bool = True
    grades: Grades = "three"
    trigger: Trigger = "verdict"
    correction: Correction = "verdict"
    refine: bool = True
    check_grounded: bool = True
    check_useful: bool = True
    regrade_loop: bool = True
    k: int = 6
    correct_above: float = 0.7
    incorrect_below: float = 0.3
    strip_above: float = 0.2
    max_regenerations: int = 2
    max_rewrites: int = 2
    max_loops: int = 3
    max_web_searches: int = 2
    max_model_calls: int = 12
    speculate: bool = False
    reroute: Reroute = "keep"
    deadline: float = 60.0
    history_turns: int = 6
    history_characters: int = 6000
    router_tokens: int = 3000

    def __post_init__(self) -> None:
        """Raises ValueError for a value that no run could keep."""
        for field in ("correct_above", "incorrect_below", "strip_above"):
            if not 0 <= getattr(self, field) <= 1:
                raise ValueError(f"{field} must be between 0 and 1")
        if self.incorrect_below > self.correct_above:
            raise ValueError("incorrect_below must not be above correct_above")
        for field, words in _WORDS.items():
            if getattr(self, field) not in words:
                raise ValueError(f"{field} must be one of {', '.join(words)}")
        for field in ("k", "deadline", "history_characters"):
            if getattr(self, field) <= 0:
                raise ValueError(f"{field} must be above 0")
        for field, least in _LEAST.items():
            if getattr(self, field) < least:
                raise ValueError(f"{field} must " + (f"be at least {least}" if least else "not be negative"))


PRESETS: dict[str, Policy] = {
    "chain": Policy(
        "chain",
        router=False,
        grades="off",
        trigger="never",
        correction="none",
        refine=False,
        check_grounded=False,
        check_useful=False,
        regrade_loop=False,
        max_rewrites=0,
        max_regenerations=0,
        max_loops=0,
    ),
    "self": Policy("self", router=False, grades="binary", trigger="all", correction="index", refine=False),
    "crag-any": Policy(
        "crag-any",
        router=False,
        grades="binary",
        trigger="any",
        correction="web",
        refine=False,
        check_grounded=False,
        check_useful=False,
        regrade_loop=False,
        max_regenerations=0,
    ),
    "crag": Policy(
        "crag",
        router=False,
        check_grounded=False,
        check_useful=False,
        regrade_loop=False,
        max_regenerations=0,
    ),
    "crag-loop": Policy("crag-loop", router=False, grades="binary", trigger="all", correction="web", refine=False),
    "adaptive": Policy(),
}
