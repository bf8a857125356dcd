"""What stands around every node: its time limit, its line in the trace, and what happens when its step fails.

A step that fails never ends a run by itself: the run goes on with less (all collections, ungraded
passages, the question as it stands). Retrieval and writing have only an earlier draft to fall back to.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from core.answers import Check, TraceEvent
from core.errors import BudgetSpent, RefdeskError, UpstreamTimeout
from core.rag import nodes
from core.rag.context import RunContext
from core.rag.deadline import Limit
from core.rag.nodes import Node, Outcome
from core.rag.state import RunState, tally
from core.telemetry import Fact

log = logging.getLogger(__name__)

Fallback = Callable[[RunState, RunContext], RunState]

_ENDS = frozenset({"clarify", "not_found", "finish"})
"""Nodes without a time limit: they ask no step, and an ending must always be reached."""

STEP_OF = {"rewrite_index": "rewrite", "rewrite_web": "rewrite", "reroute": "plan"}
"""The step whose model a node asks, where it has another name."""

_TOLD = (
    *("route", "found", "new", "correct", "ambiguous", "incorrect", "kept", "weak", "aim", "characters", "evidence"),
    *("ahead", "grounded", "useful", "skipped", "stopped"),
)

SHARE = 0.25
"""Of the deadline, for each node that a run can do without; a service that hangs costs so much and no answer."""

GRACE = 1.0
"""Seconds in which a writer that the deadline cut short hands over the words it has."""


def _without_plan(_: RunState, ctx: RunContext) -> RunState:
    return {"plan": nodes.fallback_plan(ctx, "planner failed")}


def _without_rewrite(state: RunState, _: RunContext) -> RunState:
    return {"search": (state["plan"].question,), "rewrites": tally(state).rewrites + 1}


def _without_web(state: RunState, _: RunContext) -> RunState:
    return {"web_failed": True, "fresh": (), "searches": tally(state).searches + 1}


def _without_reroute(state: RunState, ctx: RunContext) -> RunState:
    """Where it was, unless that is a web whose searches are spent."""
    spent = state["plan"].route == "web" and tally(state).searches >= ctx.policy.max_web_searches
    return {"plan": replace(state["plan"], route="collections")} if spent else {}


def _with_nothing(_: RunState, __: RunContext) -> RunState:
    return {}


def _without_grades(state: RunState, _: RunContext) -> RunState:
    return {"verdict": "ambiguous" if state.get("found") else "incorrect"}


def _without_check(_: RunState, __: RunContext) -> RunState:
    return {"check": Check()}


FALLBACKS: dict[str, Fallback] = {
    "plan": _without_plan,
    "grade": _without_grades,
    "refine": _with_nothing,
    "rewrite_index": _without_rewrite,
    "reroute": _without_reroute,
    "rewrite_web": _without_rewrite,
    "search": _without_web,
    "check": _without_check,
}


async def conducted(name: str, node: Node, state: RunState, ctx: RunContext) -> RunState:
    """Run one node within the deadline; its update with one more line in the trace."""
    with ctx.tracer.span("node", name, run=ctx.run) as span:
        outcome, spent = await _timed(name, node, state, ctx)
        span.tell(**_facts(outcome))
    detail = {**outcome.detail, **_paid(name, ctx), **_decided(name, ctx)}
    return {**outcome.update, "trace": [TraceEvent(name, round(spent, 1), detail)]}


async def _timed(name: str, node: Node, state: RunState, ctx: RunContext) -> tuple[Outcome, float]:
    """What the node found out, or how the run goes on without it; and the milliseconds it took."""
    started = time.perf_counter()
    limit = _limit(name, ctx)
    try:
        async with limit:
            outcome = await node(state, ctx)
    except BudgetSpent:
        outcome = _over_budget(name, state, ctx)
    except Exception as error:  # noqa: BLE001  # a bug in one step must not cost the answer either
        outcome = _ended(name, state, ctx, error, expired=limit.expired())
    return outcome, (time.perf_counter() - started) * 1000


def _facts(outcome: Outcome) -> dict[str, Fact]:
    """What a span may tell of a node: counts and names of our own, no word of a question or an answer."""
    detail = outcome.detail
    facts: dict[str, Fact] = {name: detail[name] for name in _TOLD if isinstance(detail.get(name), str | int | bool)}
    return {**facts, "verdict": outcome.update.get("verdict"), "error": detail.get("failed")}


def _paid(name: str, ctx: RunContext) -> dict[str, Any]:
    """The node's own model calls; another node at the same time has its own."""
    own = ctx.ledger.untold(STEP_OF.get(name, name))
    return own.detail() if own.charges else {}


def _limit(name: str, ctx: RunContext) -> Limit | asyncio.Timeout:
    if name in _ENDS:
        return asyncio.timeout(None)
    if name in FALLBACKS:  # a run can do without it: it may not take the time that the answer needs
        return ctx.deadline.limit(ctx.policy.deadline * SHARE)
    return ctx.deadline.limit(grace=GRACE if name == "generate" else 0.0)


def _ended(name: str, state: RunState, ctx: RunContext, error: Exception, *, expired: bool) -> Outcome:
    """How a run goes on when a node ran out of time, or failed."""
    if expired and ctx.deadline.passed:
        return _late(name, state, ctx)
    return _failed(name, state, ctx, UpstreamTimeout(detail=name) if expired else error)


def _decided(name: str, ctx: RunContext) -> dict[str, Any]:
    """Of a step that two families share: who has had the last word in this run, and how often."""
    found = ctx.steps.decided.by_step().get(name) if ctx.steps.decided else None
    return {"decided": dict(found)} if found else {}


def _over_budget(name: str, state: RunState, ctx: RunContext) -> Outcome:
    return Outcome({**FALLBACKS.get(name, _with_nothing)(state, ctx), "stop": "budget"}, {"stopped": "budget"})


def _late(name: str, state: RunState, ctx: RunContext) -> Outcome:
    why = ctx.deadline.why
    return Outcome({**FALLBACKS.get(name, _with_nothing)(state, ctx), "stop": why}, {"stopped": why})


def _failed(name: str, state: RunState, ctx: RunContext, error: Exception) -> Outcome:
    """The run without this step; raises the error where nothing is left to go on with."""
    if name in _ENDS or (name not in FALLBACKS and not state.get("draft")):
        raise error
    known = error if isinstance(error, RefdeskError) else RefdeskError(detail=repr(error))
    log.warning("%s of %s failed in %s", name, ctx.run, known.id, exc_info=error)
    update: RunState = FALLBACKS[name](state, ctx) if name in FALLBACKS else {"stop": "failed"}
    return Outcome(update, {"failed": known.reason, "error_id": known.id})
