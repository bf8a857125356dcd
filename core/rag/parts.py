"""Graders that read one question at a time, for questions over several steps. Knows no family of steps."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from core.answers import Grade, Plan, Retrieved
from core.ports import Grader
from core.rag.planning import SUB_QUESTIONS


class EachPart:
    """Grades against the question and against each of its steps; a passage keeps the best of its grades.

    A passage that answers one step alone would else be thrown out for not answering the others.
    """

    def __init__(self, inner: Grader) -> None:
        self._inner = inner

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order."""
        parts = plan.sub_questions[:SUB_QUESTIONS] if plan.steps == "multi" else ()
        lists = await asyncio.gather(*(self._inner.grade(asked, plan, retrieved) for asked in (question, *parts)))
        return [max(grades, key=lambda grade: grade.rank) for grades in zip(*lists, strict=True)]
