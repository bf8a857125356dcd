"""The grader by a chat model: all passages in one call, each judged by its own number.

What its dates rule out is settled before and costs nothing. A model's grades are words, no probabilities,
so they carry none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answers import Grade, Label, Plan, Retrieved
from core.ports import ChatModel
from core.rag.model.forms import Graded
from core.rag.prompts.grading import Scale, grade_request
from core.rag.timing import covers

UNGRADED = Grade(None, "ambiguous", "ungraded")

_WORDS: dict[str, Label] = dict.fromkeys(("yes", "y", "correct", "relevant", "true", "예", "네", "관련"), "correct")
_WORDS |= dict.fromkeys(("no", "not", "n", "incorrect", "irrelevant", "false", "아니요", "아니오", "무관"), "incorrect")
_WORDS |= dict.fromkeys(("partly", "partially", "partial", "ambiguous", "maybe", "unsure", "부분", "일부"), "ambiguous")

_PAIR = re.compile(r"(?<![\w.])(\d{1,3})\W{0,4}?[:=.)\]\"' \t,–-]{1,4}([^\W\d_]+)")


class ModelGrader:
    """Implements `core.ports.Grader`; `scale` is the policy's: three grades, or yes and no."""

    def __init__(self, model: ChatModel, scale: Scale = "three") -> None:
        self._model = model
        self._scale = scale

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        """One grade for each passage, in the same order; one call, or none where dates decide everything.

        The parts of a question over several steps stand in the same call. A passage that the model left out,
        or judged by neither yes nor no, is ambiguous.
        """
        grades = [_by_date(each, plan) for each in retrieved]
        open_ones = [place for place, grade in enumerate(grades) if grade is None]
        if open_ones:
            passages = [retrieved[place].passage for place in open_ones]
            request = grade_request(_asked(question, plan), passages, self._scale)
            words = (await self._model.structured(request, Graded)).value.grades
            for place, label in zip(open_ones, labels(words, len(passages)), strict=True):
                grades[place] = _graded(label)
        return [grade or UNGRADED for grade in grades]


def labels(words: str, count: int) -> list[Label | None]:
    """The label of each of `count` passages, None where there is none: ``1:yes 2:no 3:partly``.

    A number beyond the count is nobody's; one with two different grades has none. Words without numbers count
    only when there is exactly one for each passage.
    """
    found: dict[int, set[Label | None]] = {}
    for number, word in _PAIR.findall(words):
        found.setdefault(int(number), set()).add(_WORDS.get(word.lower()))
    if not found and not re.search(r"\d", words):
        bare = [_WORDS.get(word.lower()) for word in re.findall(r"[^\W\d_]+", words)]
        return bare if len(bare) == count else [None] * count
    return [next(iter(given)) if len(given := found.get(n, set())) == 1 else None for n in range(1, count + 1)]


def _asked(question: str, plan: Plan) -> list[str]:
    parts = plan.sub_questions if plan.steps == "multi" and question == plan.question else ()
    return [question, *parts]


def _by_date(each: Retrieved, plan: Plan) -> Grade | None:
    if plan.period is not None and not covers(each.passage, plan.period):
        return Grade(None, "incorrect", "stale")
    return None


def _graded(label: Label | None) -> Grade:
    return UNGRADED if label is None else Grade(None, label, "off_topic" if label == "incorrect" else "")
