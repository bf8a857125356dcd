"""Why this answer? The stored trace of a turn in plain words."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from core.answers import Answer, TraceEvent
from core.messages import Language, Turn
from core.wording import say


def explain(turn: Turn | None, language: Language) -> str:
    """Route, question as searched, what was graded out, verdict, support, loops and time; one line each."""
    if turn is None or turn.answer is None:
        return say("why.nothing", language)
    lines = [f"{say(key, language)}: {value}" for key, value in _facts(turn.answer, language) if value]
    return "\n".join(lines)


def _facts(answer: Answer, language: Language) -> Iterable[tuple[str, str]]:
    plan = answer.plan
    if plan is not None:
        where = ", ".join(answer.searched) or ", ".join(plan.collections)
        yield "why.route", say(f"why.route.{plan.route}", language, collections=where)
        yield "why.question", plan.question if plan.route != "direct" else ""
    graded = _last(answer.trace, "grade")
    if graded:
        yield "why.found", str(sum(graded.get(label, 0) for label in ("correct", "ambiguous", "incorrect")))
        yield "why.graded_out", _graded_out(graded)
    if answer.verdict is not None and plan is not None and plan.route != "direct":
        yield "why.verdict", say(f"why.verdict.{answer.verdict}", language)
    if answer.citations:
        yield "why.check", ", ".join(f"[{each.number}] {each.title}" for each in answer.citations)
    loops = _again(answer.trace)
    yield "why.loops", str(loops) if loops else ""
    yield "why.time", _time(answer.trace)


def _last(trace: Iterable[TraceEvent], node: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = {}
    for event in trace:
        if event.node == node and event.detail:
            found = event.detail
    return found


def _again(trace: Iterable[TraceEvent]) -> int:
    """Rewritten searches, and texts written anew from what was there."""
    nodes = [event.node for event in trace]
    rewritten = sum(node in ("rewrite_index", "rewrite_web") for node in nodes)
    return rewritten + sum(pair == ("check", "generate") for pair in itertools.pairwise(nodes))


def _graded_out(graded: Mapping[str, Any]) -> str:
    reasons = graded.get("reasons") or {}
    told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
    return f"{graded.get('incorrect', 0)}" + (f" ({told})" if told else "")


def _time(trace: Iterable[TraceEvent]) -> str:
    events = list(trace)
    parts = ", ".join(f"{event.node} {event.milliseconds:.0f}" for event in events)
    return f"{sum(event.milliseconds for event in events):.0f} ms ({parts})" if events else ""
