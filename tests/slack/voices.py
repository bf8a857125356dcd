"""Models for a running desk: each step says yes, the answer is a sentence of a passage; `before` makes them slow."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from adapters.memory.chat import Scripted, ScriptedChat
from bots.compose.models import Models
from core.chat import Request
from tests.scenarios.scripts import step_in

PROFILE: dict[str, Any] = {
    "profile": "model",
    "small": "small",
    "large": "large",
    "base_url": "http://127.0.0.1:9/v1",
    "checkpoints": "off",
}
"""The [models] section for them; nobody is asked at that address."""

_NUMBERED = re.compile(r'<passage-\w+ n="(\d+)"[^>]*>\n(.*?)\n</passage-', re.S)
_ASKED = re.compile(r"<question-\w+>\n(.*?)\n</question-", re.S)

Writing = Callable[[Request], Scripted]


def words_of(request: Request) -> str:
    """What the model is told in the end: where all data stands."""
    return request.messages[-1].text


def asked_in(request: Request) -> str:
    """The question in a request."""
    found = _ASKED.findall(words_of(request))
    return str(found[-1]) if found else ""


def quoting(request: Request) -> Scripted:
    """The last sentence of the first passage."""
    found = _NUMBERED.search(words_of(request))
    if found is None:
        return "There is nothing about that."
    return f"{found[2].strip().splitlines()[-1].rstrip('.')} [{found[1]}]."


def certain(request: Request, write: Writing = quoting) -> Scripted:
    """What each step says when all goes well."""
    step = step_in("\n".join(said.text for said in request.messages if said.role == "system"))
    if step == "plan":
        plan = {"route": ["handbook", "runbooks", "public"], "parts": [], "current": False, "sure": 0.9, "reply": ""}
        return {**plan, "question": asked_in(request)}
    if step == "grade":
        return {"grades": " ".join(f"{number}:yes" for number, _ in _NUMBERED.findall(words_of(request)))}
    if step == "check":
        return {"unsupported": [], "useful": True, "missing": ""}
    return write(request) if step == "write" else asked_in(request)


def doubtful(request: Request) -> Scripted:
    """No passage is about it."""
    step = step_in("\n".join(said.text for said in request.messages if said.role == "system"))
    if step == "grade":
        return {"grades": " ".join(f"{number}:no" for number, _ in _NUMBERED.findall(words_of(request)))}
    return certain(request)


def speaking(said: Callable[[Request], Scripted] = certain, *, before: float = 0.0, between: float = 0.0) -> Models:
    """Models that say it; the writing one takes its time."""
    small = ScriptedChat(said, "small")
    return Models(small, ScriptedChat(said, "large", before=before, between=between), small)


def heard_by(models: Models) -> str:
    """Everything that the models were told."""
    asked = [*_requests(models.small), *_requests(models.large)]
    return "\n".join(said.text for request in asked for said in request.messages)


def _requests(model: Any) -> list[Request]:
    return list(model.requests)
