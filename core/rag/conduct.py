"""What stands around every node: its time limit, its line in the trace, and what happens when its step fails.

A step that fails never ends a run by itself: the run goes on with less (all collections, ungraded
passages, the question as it stands). Only retrieval and writing have nothing to fall back to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from core.answers import Check, TraceEvent
from core.errors import UpstreamError
from core.rag import nodes
from core.rag.context import RunContext
from core.rag.nodes import Node, Outcome
from core.rag.state import RunState, tally

Fallback = Callable[[RunState, RunContext], RunState]

_ENDS = frozenset({"clarify", "not_found", "finish"})
"""Nodes without a time limit: they ask no step, and an ending must always be reached."""


def _without_plan(_: RunState, ctx: RunContext) -> RunState:
    return {"plan": nodes.fallback_plan(ctx, "planner failed")}


def _without_rewrite(state: RunState, _: RunContext) -> RunState:
    return {"search": (state["plan"].question,), "rewrites": tally(state).rewrites + 1}


def _without_web(state: RunState, _: RunContext) -> RunState:
    return {"web_failed": True, "fresh": (), "searches": tally(state).searches + 1}


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
    "rewrite_web": _without_rewrite,
    "search": _without_web,
    "check": _without_check,
}

_LATE: dict[str, Fallback] = {**FALLBACKS, "retrieve": _with_nothing, "generate": _with_nothing}


async def conducted(name: str, node: Node, state: RunState, ctx: RunContext) -> RunState:
    """Run one node within the deadline; its update with one more line in the trace."""
    started = time.perf_counter()
    try:
        if name in _ENDS:
            outcome = await node(state, ctx)
        else:
            async with asyncio.timeout_at(ctx.deadline):
                outcome = await node(state, ctx)
    except TimeoutError:
        outcome = Outcome({**_LATE[name](state, ctx), "stop": "deadline"}, {"stopped": "deadline"})
    except UpstreamError as error:
        if name not in FALLBACKS:
            raise
        outcome = Outcome(FALLBACKS[name](state, ctx), {"failed": error.reason, "error_id": error.id})
    spent = (time.perf_counter() - started) * 1000
    return {**outcome.update, "trace": [TraceEvent(name, round(spent, 1), outcome.detail)]}
