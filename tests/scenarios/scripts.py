"""What the models say at each step, by a script; and what they were asked, as lines to compare. No test here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.openai_server.replies import Reply, Say, Value
from tests.openai_server.server import Call

Cue = Reply | Callable[[Call], Reply]
Cues = Cue | Sequence[Cue]

_SIGNS = (('"unsupported"', "check"), ('"grades"', "grade"), ('"route"', "plan"), ("new wording alone", "rewrite"))
_PASSAGE = re.compile(r'<passage-\w+ n="(?P<n>\d+)" title="(?P<title>[^"]*)"[^>]*>\n(?P<text>.*?)\n</passage-', re.S)

PLANNED, UNDERSTOOD = "small Routed", "small Understood"
GRADED, CHECKED = "small Graded", "small Checked"
REWRITTEN, WRITTEN = "small text streamed", "large text streamed"
STRAIGHT = [PLANNED, GRADED, WRITTEN, CHECKED]
"""The calls of a run in which nothing goes wrong."""


def line(call: Call) -> str:
    """Model, structure and whether it was streamed."""
    return f"{call.model} {call.schema or 'text'}{' streamed' if call.stream else ''}"


def step_of(call: Call) -> str:
    """For which step a request was made, whichever way it asks for structure."""
    system = "\n".join(str(each["content"]) for each in call.messages if each["role"] in ("system", "developer"))
    return step_in(system)


def step_in(system: str) -> str:
    """The step that a system message belongs to."""
    return next((step for sign, step in _SIGNS if sign in system), "write")


def user(call: Call) -> str:
    """The last message: where all data stands."""
    return str(call.messages[-1]["content"])


def passages_in(call: Call) -> dict[int, str]:
    """Titles and texts of the passages in a prompt, by their numbers."""
    return {int(m["n"]): f"{m['title']}\n{m['text']}" for m in _PASSAGE.finditer(user(call))}


class Script:
    """One cue a step, or several: then in order, the last one again and again. Calls it as the server does."""

    def __init__(self, **cues: Cues) -> None:
        given: dict[str, Cues] = {
            "plan": routed(),
            "grade": grading(),
            "rewrite": echo(),
            "write": Say("It takes ten minutes [1]."),
            "check": checked(),
        }
        self._cues = {step: list(c) if isinstance(c, Sequence) else [c] for step, c in {**given, **cues}.items()}
        self._used: Counter[str] = Counter()

    def __call__(self, call: Call) -> Reply:
        step = step_of(call)
        cues = self._cues[step]
        cue = cues[min(self._used[step], len(cues) - 1)]
        self._used[step] += 1
        return cue(call) if callable(cue) else cue


def routed(*names: str, **more: Any) -> Value:
    """A plan; without names all collections."""
    route = list(names) or ["handbook", "runbooks", "faq"]
    return Value({"route": route, "parts": [], "current": False, "sure": 0.9, "reply": "", **more})


def understood(question: str, *names: str, **more: Any) -> Value:
    """A plan in a conversation."""
    return routed(*names, question=question, **more)


def grading(words: Mapping[str, str] | None = None, default: str = "yes") -> Callable[[Call], Reply]:
    """Grades by what stands in a passage's title or text; `default` for all others."""

    def grade(call: Call) -> Reply:
        def label(text: str) -> str:
            return next((said for sign, said in (words or {}).items() if sign in text), default)

        return Value({"grades": " ".join(f"{n}:{label(text)}" for n, text in passages_in(call).items())})

    return grade


def only(*signs: str) -> Callable[[Call], Reply]:
    """Yes to passages that hold one of these words, no to all others."""
    return grading(dict.fromkeys(signs, "yes"), "no")


def none() -> Callable[[Call], Reply]:
    """No to every passage."""
    return grading(default="no")


def checked(*unsupported: int, missing: str = "") -> Value:
    """A check; useful unless something is missing."""
    return Value({"unsupported": list(unsupported), "useful": not missing, "missing": missing})


def echo(text: str = "") -> Callable[[Call], Reply]:
    """A rewrite: this text, or the question with its words in another order."""

    def rewrite(call: Call) -> Reply:
        found = re.search(r"<question-\w+>\n(.*?)\n</question-", user(call), re.S)
        words = (found[1] if found else "?").rstrip("?.").split()
        return Say(text or " ".join([*words[1:], words[0].lower()]))

    return rewrite
