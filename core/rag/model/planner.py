"""The planner by a chat model: standalone question, route, sub-questions and time in one structured call.

It sees the Cards of the readers and no others; where they are too many for the prompt, those that fit the
question best. What it says is repaired here, never trusted: an unknown collection, a forbidden web, a second
question back, an answer in the place of a question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from core.answers import Plan
from core.catalog.first_cut import Asked
from core.catalog.prompt import BUDGET, RouterPrompt, prompt_hash, rendered
from core.history import shortened
from core.links import strip_foreign_links
from core.ports import ChatModel, Embedder, PlanRequest
from core.rag.model.accepting import acceptable, ends_as_statement
from core.rag.model.forms import Routed, Understood
from core.rag.model.routes import Direction, direction, widened
from core.rag.planning import SUB_QUESTIONS, clean_rewrite
from core.rag.prompts.planning import follows_up, plan_request
from core.rag.timing import timed
from core.wording import say

REPLY_CHARACTERS = 600


class ModelPlanner:
    """Implements `core.ports.Planner`. Raises what the model raises; the run then searches everything.

    `embedder` is the one that Cards are made with; without it many Cards are told apart by their words alone.
    `tokens` is the budget of the router prompt.
    """

    def __init__(self, model: ChatModel, embedder: Embedder | None = None, *, tokens: int = BUDGET) -> None:
        self._model = model
        self._embedder = embedder
        self._tokens = tokens

    async def plan(self, request: PlanRequest) -> Plan:
        """One call. Without a conversation the question stays the asker's, literally."""
        asked = request.question.strip()
        prompt = await self._prompt(request)
        if follows_up(request):
            form: Routed = (await self._model.structured(plan_request(request, prompt.text), Understood)).value
        else:
            form = (await self._model.structured(plan_request(request, prompt.text), Routed)).value
        way = direction(form.route, form.sure, request.cards, _closed(request))
        if prompt.is_cut:
            way = widened(way, prompt.described, request.cards)
        question = _standalone(form, asked, request)
        plan = Plan(question, way.route, way.collections, confidence=form.sure, reason=way.reason)
        plan = replace(plan, queries=(asked,) if question != asked else (), time_sensitive=form.current)
        plan = replace(plan, prompt_hash=prompt_hash(prompt.text))
        return timed(_completed(plan, form, way, request), asked, request.today)

    async def _prompt(self, request: PlanRequest) -> RouterPrompt:
        """The router prompt; it depends on the question only where not all Cards have room in it."""
        render = partial(rendered, request.cards, web=request.web_allowed, budget=self._tokens)
        prompt = render()
        if not prompt.is_cut:
            return prompt
        # A hundred Cards of a thousand examples are a tenth of a second: not in the loop.
        return await asyncio.to_thread(render, asked=await self._asked(request))

    async def _asked(self, request: PlanRequest) -> Asked:
        """The message, and where it follows up on another question, that one too."""
        before = [past.standalone or past.question for past in request.history[-1:]]
        texts = tuple(dict.fromkeys([request.question.strip(), *before]))
        if self._embedder is None:
            return Asked(texts)
        return Asked(texts, await self._embedder.embed(texts, "query"), self._embedder.name)


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
