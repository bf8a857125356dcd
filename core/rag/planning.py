"""What may be made of a planner's word: pure rules that repair a plan and the wordings to search.

A planner (above all a model) may name collections that do not exist, send a run to a web that is not
allowed, or ask back twice; none of that may reach the graph.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from core.answers import Plan
from core.indexing.text import printable
from core.rag.context import RunContext

REWRITE_LIMIT = 400
"""Characters of a rewritten question; longer ones are cut at a word."""

SUB_QUESTIONS = 4
"""Sub-questions that are followed."""

_LABEL = re.compile(
    r"^\s*(?:[-*#>\d.)\s]*)(?:(?:rewritten|standalone|search|web)?\s*(?:query|question)|질문|검색어)\s*[:：]\s*",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(
    r"^\s*(?:here(?:'s| is| are)|sure|certainly|of course|ok(?:ay)?|(?:다음|아래)(?:은|는)?)\b[^:：?\n]{0,80}[:：]\s*",
    re.IGNORECASE,
)
_QUOTES = "\"'`“”‘’「」*"


def settled(plan: Plan, ctx: RunContext) -> Plan:
    """The plan with everything repaired that cannot be carried out; unsure means all collections, never the web.

    Or those that the channel has chosen: a router that names all of them has chosen none.
    """
    here = ctx.scope.collections
    known = tuple(name for name in plan.collections if name in here)
    route = plan.route if ctx.policy.router else "collections"
    if route == "web" and not ctx.web_allowed:
        route = "collections"
    if route == "clarify" and (ctx.clarified_before or not plan.clarification):
        route = "collections"
    sure = known if ctx.policy.router and set(known) != here else ()
    chosen = sure or ctx.defaults or (known if ctx.policy.router else ()) or tuple(sorted(here))
    question = printable(plan.question).strip() or ctx.asked
    multi = plan.steps if ctx.policy.router and plan.sub_questions else "single"
    asked_back, reply = printable(plan.clarification), printable(plan.reply)
    plan = replace(plan, clarification=asked_back, reply=reply)
    return replace(plan, question=question, route=route, collections=chosen, steps=multi)


def widened(plan: Plan, ctx: RunContext) -> Plan:
    """The plan for another try: what the channel has chosen did not hold the answer, so everything is searched."""
    if not ctx.defaults or plan.collections != ctx.defaults:
        return plan
    return replace(plan, collections=tuple(sorted(ctx.scope.collections)))


def search_wordings(plan: Plan, asked: str, rewritten: Sequence[str]) -> list[tuple[str, ...]]:
    """The searches to make side by side, each a set of wordings that are fused.

    The user's own wording is always among them, so that a bad rewrite can't lose what it would have found.
    """
    if rewritten:
        return [_distinct((*rewritten, plan.question))]
    whole = _distinct((plan.question, *plan.queries[:2], asked))
    if plan.steps == "multi":
        return [whole, *((sub,) for sub in plan.sub_questions[:SUB_QUESTIONS])]
    return [whole]


def fresh_from(plan: Plan, today: date) -> date | None:
    """From which day on web pages are wanted: the start of the time asked about, once it has begun."""
    return plan.period.start if plan.period is not None and plan.period.start <= today else None


def clean_rewrite(text: str) -> str:
    """The first real line of a rewriter's output: no label, preamble or quotes, at most 400 characters."""
    for line in text.splitlines():
        bare = _LABEL.sub("", _PREAMBLE.sub("", line)).strip().strip(_QUOTES).strip()
        if not bare or (bare.endswith((":", "：")) and len(bare) < len(text.strip())):
            continue
        return _cut(bare)
    return ""


def _cut(text: str) -> str:
    if len(text) <= REWRITE_LIMIT:
        return text
    head = text[: REWRITE_LIMIT + 1]
    at_word = head.rfind(" ")
    return (head[:at_word] if at_word > 0 else head[:REWRITE_LIMIT]).strip()


def _distinct(wordings: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.strip() for text in wordings if text.strip()))
