"""Where a run goes next: pure functions of policy and state, one for each fork of the graph.

Nothing here calls a step or knows LangGraph; the graph only looks the answers up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from core.answers import Grade, Plan, Verdict
from core.policy import Policy
from core.rag.state import RunState, counts, kept, tally

AfterPlan = Literal["clarify", "generate", "retrieve", "rewrite_web"]
AfterGrade = Literal["refine", "rewrite_web", "rewrite_index", "not_found", "finish"]
AfterRewrite = Literal["reroute", "retrieve"]
AfterReroute = Literal["rewrite_web", "retrieve"]
AfterCheck = Literal["finish", "generate", "rewrite_web", "rewrite_index"]


def verdict_of(grades: Mapping[str, Grade]) -> Verdict:
    """Correct if any passage is; incorrect if all are, or none were retrieved; else ambiguous."""
    if any(grade.label == "correct" for grade in grades.values()):
        return "correct"
    if all(grade.label == "incorrect" for grade in grades.values()):
        return "incorrect"
    return "ambiguous"


def triggered(policy: Policy, grades: Mapping[str, Grade]) -> bool:
    """Whether the policy's trigger asks for a correction of what was retrieved."""
    tallied = counts(grades)
    total = len(grades)
    survivors = total - tallied.incorrect
    match policy.trigger:
        case "never":
            return False
        case "any":
            return tallied.incorrect > 0 or total == 0
        case "all":
            return survivors == 0
        case "ratio":
            return total == 0 or tallied.incorrect / total > 0.5
        case "fewer_than_2":
            return survivors < 2
        case "verdict":
            return verdict_of(grades) != "correct"


def after_plan(plan: Plan) -> AfterPlan:
    """The plan's route decides, once."""
    match plan.route:
        case "clarify":
            return "clarify"
        case "direct":
            return "generate"
        case "web":
            return "rewrite_web"
        case "collections":
            return "retrieve"


def after_grade(policy: Policy, state: RunState, *, web: bool) -> tuple[AfterGrade, ...]:
    """One or two places to go on to (two: at the same time).

    `web` says that the web is configured and allowed for this run. A run that the plan sent to the
    web stays there; every correcting search uses the web rewrite.
    """
    if state.get("stop"):
        return ("finish",) if state.get("draft") else _best_so_far(state)
    if state.get("draft") and not state.get("fresh"):
        return ("finish",)  # the search for what was missing brought nothing new to write from
    if state["plan"].route == "web" or tally(state).searches:
        return _after_web_grade(policy, state)
    if policy.grades == "off" or not triggered(policy, state.get("grades", {})):
        return _best_so_far(state)
    return _correction(policy, state, web=web)


def _after_web_grade(policy: Policy, state: RunState) -> tuple[AfterGrade, ...]:
    if kept(state):
        return ("refine",)
    again = policy.regrade_loop and may_rewrite(policy, state) and tally(state).searches < policy.max_web_searches
    return ("rewrite_web",) if again and not state.get("web_failed") else ("not_found",)


def _correction(policy: Policy, state: RunState, *, web: bool) -> tuple[AfterGrade, ...]:
    by_web = policy.correction in ("web", "verdict") and web and tally(state).searches < policy.max_web_searches
    if by_web:
        return ("refine", "rewrite_web") if kept(state) else ("rewrite_web",)
    if kept(state):
        return ("refine",)
    looping = policy.correction == "index" or (policy.correction != "none" and policy.regrade_loop)
    if looping and may_rewrite(policy, state) and state.get("fresh"):
        return ("rewrite_index",)
    return ("not_found",)


def _best_so_far(state: RunState) -> tuple[AfterGrade, ...]:
    return ("refine",) if kept(state) else ("not_found",)


def after_check(policy: Policy, state: RunState, *, web: bool) -> AfterCheck:
    """Grounded and useful ends the run; so does any cap. Else write again, or search for what is missing."""
    check = state["check"]
    rounds = tally(state)
    if state.get("stop") or (check.grounded and check.useful):
        return "finish"
    if not check.grounded:
        within = rounds.regenerations < policy.max_regenerations and rounds.loops < policy.max_loops
        return "generate" if within else "finish"
    if not may_rewrite(policy, state) or state["plan"].route == "direct":
        return "finish"
    if state["plan"].route == "web" and policy.reroute == "keep":
        return "rewrite_web" if web and rounds.searches < policy.max_web_searches else "finish"
    return "rewrite_index"


def after_rewrite(policy: Policy) -> AfterRewrite:
    """A rewritten question goes back to its source; it is routed again only where that is set."""
    return "reroute" if policy.reroute == "again" and policy.router else "retrieve"


def after_reroute(plan: Plan) -> AfterReroute:
    """Where the router sent the rewritten question."""
    return "rewrite_web" if plan.route == "web" else "retrieve"


def may_rewrite(policy: Policy, state: RunState) -> bool:
    """Whether one more rewrite stays within the caps."""
    rounds = tally(state)
    return rounds.rewrites < policy.max_rewrites and rounds.loops < policy.max_loops


def labelled(policy: Policy, p: float | None) -> Literal["correct", "ambiguous", "incorrect"]:
    """The label of a probability under the policy: three grades, or yes/no at one half."""
    if p is None:
        return "ambiguous"
    if policy.grades == "binary":
        return "correct" if p >= 0.5 else "incorrect"
    if p > policy.correct_above:
        return "correct"
    return "incorrect" if p < policy.incorrect_below else "ambiguous"
