"""What a model fills in for each structured step, and how its odd spellings are read.

Small models answer "yes" for true, 90 for 0.9 and a word for a list; what can be understood is taken, what
can't makes the whole value invalid, so that the model's port counts it as no answer. Knows no step.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

_TRUE = frozenset({"true", "yes", "y", "1", "예", "네", "맞음"})
_FALSE = frozenset({"false", "no", "n", "0", "", "none", "아니요", "아니오"})
_NOTHING = frozenset({"", "[]", "none", "null", "n/a", "없음", "없습니다"})
_SURENESS = {"high": 0.9, "certain": 0.95, "medium": 0.6, "low": 0.2, "높음": 0.9, "보통": 0.6, "낮음": 0.2}


def _strict(schema: dict[str, Any]) -> None:
    """As strict servers want it: everything required, nothing else allowed, no defaults."""
    for told in schema.get("properties", {}).values():
        told.pop("default", None)
        told.pop("title", None)
    schema["required"] = list(schema.get("properties", {}))
    schema["additionalProperties"] = False


class Form(BaseModel):
    """Base of the forms."""

    model_config = ConfigDict(json_schema_extra=_strict)


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str):
        return [part.strip() for part in re.split(r"[,\n;|]", value.strip("[]")) if part.strip()]
    if isinstance(value, Mapping):
        return [found for entry in value.values() for found in _listed(entry)]
    if isinstance(value, list | tuple):
        return [entry if isinstance(entry, str) else " ".join(_listed(entry)) for entry in value]
    return [str(value)]


def _worded(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(_listed(value))


def _sentences(value: Any) -> list[str]:
    """As `_listed`, but a sentence keeps its commas."""
    if isinstance(value, str):
        return [line.strip() for line in value.splitlines() if line.strip() and line.strip().lower() not in _NOTHING]
    return _listed(value)


def _true_or_false(value: Any) -> bool:
    word = str(value).strip().strip(".!").lower() if value is not None else ""
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    raise ValueError("neither yes nor no")


def _perhaps(value: Any) -> bool:
    return str(value).strip().strip(".!").lower() in _TRUE


def _share(value: Any) -> float:
    """In 0–1; what says nothing is no certainty at all."""
    text = str(value).strip().lower()
    found = re.match(r"\d+(?:\.\d+)?", text)
    number = float(found[0]) if found else _SURENESS.get(text, 0.0)
    number = number / 100 if 1 < number <= 100 else number
    return min(max(number, 0.0), 1.0) if math.isfinite(number) else 0.0


def _numbers(value: Any) -> list[int]:
    """The numbers in a list of numbers, "S2" or {"number": 2}."""
    entries = value if isinstance(value, list | tuple) else _listed(value)
    found: list[int] = []
    for entry in entries:
        text = "" if entry is None else _worded(entry if isinstance(entry, str | Mapping) else str(entry))
        digits = re.findall(r"\d{1,6}", text, re.ASCII)
        if not digits and text.strip().lower() not in _NOTHING:
            raise ValueError("not a list of numbers")
        found.extend(map(int, digits))
    return found


def _pairs(value: Any) -> str:
    """``1:yes 2:no``, from that, from {"1": "yes"}, and from lists of pairs, objects or bare words."""
    if isinstance(value, Mapping):
        return " ".join(f"{key}:{_worded(entry)}" for key, entry in value.items())
    if not isinstance(value, list | tuple):
        return "" if value is None else str(value)
    return ", ".join(":".join(_listed(entry)) if isinstance(entry, Mapping | list) else str(entry) for entry in value)


Names = Annotated[list[str], BeforeValidator(_listed)]
Sentences = Annotated[list[str], BeforeValidator(_sentences)]
Words = Annotated[str, BeforeValidator(_worded)]
Flag = Annotated[bool, BeforeValidator(_true_or_false)]
Hint = Annotated[bool, BeforeValidator(_perhaps)]
Share = Annotated[float, BeforeValidator(_share)]
Numbers = Annotated[list[int], BeforeValidator(_numbers)]
Pairs = Annotated[str, BeforeValidator(_pairs)]


class Routed(Form):
    """Where to look."""

    route: Names
    parts: Sentences = []
    current: Hint = False
    sure: Share = 0.5
    reply: Words = ""


class Worded(Form):
    """What is asked."""

    question: Words = ""


class Understood(Routed, Worded):
    """What is asked, and where to look."""


class Sampled(Form):
    """Questions that a collection may answer."""

    questions: Sentences


class Graded(Form):
    """The grade of each passage by its number."""

    grades: Pairs


class Checked(Form):
    """What of an answer is not supported, and what it lacks."""

    unsupported: Numbers
    useful: Flag
    missing: Words = ""
