"""What the scripted server says, and how long it takes for it: the same for all systems. Knows no system."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tests.openai_server.replies import Pace, Reply, Say, Value
from tests.openai_server.server import Call

PACE = Pace(first=0.4, token=0.02)
SMALL, LARGE = "judge", "writer"

CONTEXTUALISE, PLAN, ROUTE, GRADE, GRADE_EACH, ANSWER, CHECK = 15, 40, 10, 10, 5, 150, 20
"""Tokens. A batch of grades takes five a passage: thirty for six."""

_FIRST = re.compile(r"<passage-\w+ n=\"1\"[^>]*>\n(.*?)\n</passage|^\[1\] (.*?)(?=\n\n\[2\]|\n\nQuestion)", re.S | re.M)
_SENTENCES = 6

_JUDGED: Mapping[str, Reply] = {
    "Checked": Value({"unsupported": [], "useful": True, "missing": ""}, tokens=CHECK),
    "Datasource": Value({"datasource": "documents"}, tokens=ROUTE),
    "Relevant": Value({"score": "yes"}, tokens=GRADE),
    "Grounded": Value({"score": "yes"}, tokens=CHECK),
    "Useful": Value({"score": "yes"}, tokens=CHECK),
}


def script(standalone: Mapping[str, str]) -> Callable[[Call], Reply]:
    """Answers every call of every system; `standalone` words each elliptical question in full."""

    def reply(call: Call) -> Reply:
        last = str(call.messages[-1]["content"])
        if call.schema == "Graded":
            return _grades(len(re.findall(r"<passage-", last)))
        if call.schema in ("Understood", "Routed"):
            return Value(_plan(_worded(last, standalone)), tokens=PLAN)
        if call.schema:
            return _JUDGED[call.schema]
        if call.model == SMALL:
            return Say(_worded(last, standalone), tokens=CONTEXTUALISE)
        return Say(_quoted(last), tokens=ANSWER)

    return reply


def _grades(count: int) -> Reply:
    grades = " ".join(f"{number}:yes" for number in range(1, count + 1))
    return Value({"grades": grades}, tokens=max(GRADE, GRADE_EACH * count))


def _quoted(prompt: str) -> str:
    """Sentences of the first passage, each with its footnote: an answer that every check finds supported."""
    found = _FIRST.search(prompt)
    text = " ".join((found[1] or found[2]).split()) if found else "There is nothing to say."
    sentences = [each.rstrip(".!?") for each in re.split(r"(?<=[.!?])\s+", text) if re.search(r"\w", each)]
    return " ".join(f"{each} [1]." for each in sentences[:_SENTENCES])


def _worded(text: str, standalone: Mapping[str, str]) -> str:
    found = [full for elliptical, full in standalone.items() if elliptical in text]
    return found[0] if found else "What do the documents say?"


def _plan(question: str) -> Mapping[str, object]:
    route = ["runbooks", "policies", "product"]
    return {"route": route, "parts": [], "current": False, "sure": 0.9, "reply": "", "question": question}
