"""The rewriter by a chat model: another wording for the index or for the web, from the standalone question."""

from __future__ import annotations

from contextlib import aclosing
from typing import Literal

from core.answers import Plan
from core.ports import ChatModel
from core.rag.model.accepting import acceptable
from core.rag.model.speaking import spoken
from core.rag.planning import clean_rewrite
from core.rag.prompts.rewriting import rewrite_request


class ModelRewriter:
    """Implements `core.ports.Rewriter` with plain text: structure helps no one to write one line."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def rewrite(self, question: str, plan: Plan, aim: Literal["index", "web"], missing: str) -> str:
        """The first real line, at most 400 characters; the question itself where that is no wording of it."""
        request = rewrite_request(question, aim, missing, plan.period)
        text = ""
        async with aclosing(spoken(self._model, request)) as chunks:
            async for chunk in chunks:
                text += chunk
        line = clean_rewrite(text)
        return line if acceptable(line, question, [missing, *_years(plan)]) else question


def _years(plan: Plan) -> list[str]:
    """Numbers of the time asked about, which a query may name though the question doesn't."""
    if plan.period is None:
        return []
    return [f"{day.year} {day.month:02d} {day.day:02d}" for day in (plan.period.start, plan.period.end)]
