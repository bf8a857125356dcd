"""The planner by a chat model: standalone question, route, sub-questions and time in one structured call.

It sees the Cards of the readers and no others. What it says is repaired here, never trusted: an unknown
collection, a forbidden web, a second question back, an answer in the place of a question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.answers import Plan
from core.history import shortened
from core.links import strip_foreign_links
from core.ports import ChatModel, PlanRequest
from core.rag.model.accepting import acceptable, ends_as_statement
from core.rag.model.forms import Routed, Understood
from core.rag.model.routes import Direction, direction
from core.rag.planning import SUB_QUESTIONS, clean_rewrite
from core.rag.prompts.planning import follows_up, plan_request
from core.rag.timing import timed
from core.wording import say

REPLY_CHARACTERS = 600


class ModelPlanner:
    """Implements `core.ports.Planner`. Raises what the model raises; the run then searches everything."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def plan(self, request: PlanRequest) -> Plan:
        """One call. Without a conversation the question stays the asker's, literally."""
        asked = request.question.strip()
        if follows_up(request):
            form: Routed = (await self._model.structured(plan_request(request), Understood)).value
        else:
            form = (await self._model.structured(plan_request(request), Routed)).value
        way = direction(form.route, form.sure, request.cards, _closed(request))
        question = _standalone(form, asked, request)
        plan = Plan(question, way.route, way.collections, confidence=form.sure, reason=way.reason)
        plan = replace(plan, queries=(asked,) if question != asked else (), time_sensitive=form.current)
        return timed(_completed(plan, form, way, request), asked, request.today)


def _closed(request: PlanRequest) -> frozenset[str]:
    """The routes that this run must not take."""
    return frozenset(
        ([] if request.web_allowed else ["web"]) + (["clarify"] if request.clarified_before else []),
    )


def _standalone(form: Routed, asked: str, request: PlanRequest) -> str:
    """The model's wording where it is a wording of the question; else the asker's own."""
    text = clean_rewrite(form.question) if isinstance(form, Understood) else ""
    if not text or ends_as_statement(text, asked) or not acceptable(text, asked, _given(request)):
        return asked
    return text


def _given(request: PlanRequest) -> Iterable[str]:
    """What numbers may come from: the conversation, and the years around today ("last year")."""
    for past in request.history:
        yield from (past.question, past.standalone, past.answer, *past.titles)
    yield from (message.text for message in request.context)
    yield " ".join(str(request.today.year + shift) for shift in (-1, 0, 1))


def _completed(plan: Plan, form: Routed, way: Direction, request: PlanRequest) -> Plan:
    """What belongs to the route: the question back, the reply, or the parts."""
    if way.route == "clarify":
        return replace(plan, clarification=_spoken(form.reply) or say("answer.clarify_open", request.language))
    if way.route == "direct":
        return replace(plan, reply=_spoken(form.reply))
    parts = _parts(form.parts, plan.question, [request.question, *_given(request)])
    return replace(plan, steps="multi" if parts else "single", sub_questions=parts)


def _parts(parts: Sequence[str], question: str, given: Sequence[str]) -> tuple[str, ...]:
    """Two to four different questions; fewer are no parts."""
    cleaned = [clean_rewrite(part) for part in parts]
    kept = [part for part in cleaned if part and part != question and acceptable(part, question, given)]
    distinct = tuple(dict.fromkeys(kept))[:SUB_QUESTIONS]
    return distinct if len(distinct) > 1 else ()


def _spoken(reply: str) -> str:
    """The model's own words for people: on one line, short, without links or mentions."""
    plain = strip_foreign_links(" ".join(reply.split()), ())
    return shortened(plain.replace("<!", "").replace("<@", "").replace("@", ""), REPLY_CHARACTERS).strip()
