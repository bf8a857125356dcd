"""Structured values: how to ask a server for one, and how to read what it gives. Pure.

There are four ways, from the strictest to the one that any model can follow. Every server has some of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from adapters.openai.answers import Told
from adapters.openai.faults import PROSE, UNUSABLE, Failure
from adapters.openai.models import Method
from core.chat import Request, S, Said

_STRUCTURAL = ("type", "description", "enum", "const")

_THINKING = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.S)


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking. `bare`: no field of the request says so, only the words."""

    method: Method
    bare: bool = False

    def request(self, request: Request, schema: type[BaseModel]) -> Request:
        """The messages; where the server isn't shown the schema, the model is."""
        return _explained(request, schema) if self.method == "json" else request

    def options(self, schema: type[BaseModel]) -> dict[str, Any]:
        """The further fields of the request."""
        name, shape = _name(schema), schema.model_json_schema()
        match self.method:
            case "json_schema":
                form = {"name": name, "strict": True, "schema": strict(shape)}
                return {"response_format": {"type": "json_schema", "json_schema": form}}
            case "tool":
                about = {"name": name, "description": shape.get("description", name), "parameters": strict(shape)}
                choice = {"type": "function", "function": {"name": name}}
                return {"tools": [{"type": "function", "function": about}], "tool_choice": choice}
            case "json":
                return {} if self.bare else {"response_format": {"type": "json_object"}}


WAYS = (Way("json_schema"), Way("tool"), Way("json"), Way("json", bare=True))


def value_of(told: Told, schema: type[S]) -> S:
    """The value in an answer; raises Failure: prose where a structure was asked, or one that doesn't fit."""
    told = told.checked()
    text = _THINKING.sub("", told.arguments or told.text).strip()
    for candidate in _candidates(_loaded(text), schema):
        try:
            return schema.model_validate(candidate)
        except ValidationError:
            continue  # its text quotes the answer
    raise Failure(UNUSABLE if "{" in text else PROSE)


def strict(shape: dict[str, Any]) -> dict[str, Any]:
    """The schema as servers that enforce it demand: every field required, no other, nothing but the structure."""
    if "$ref" in shape:
        return {"$ref": shape["$ref"]}
    made = {name: shape[name] for name in _STRUCTURAL if name in shape}
    for name in ("properties", "$defs"):
        if name in shape:
            made[name] = {key: strict(each) for key, each in shape[name].items()}
    for name in ("anyOf", "allOf"):
        if name in shape:
            made[name] = [strict(each) for each in shape[name]]
    if "items" in shape:
        made["items"] = strict(shape["items"])
    if "properties" in shape:
        made |= {"required": list(shape["properties"]), "additionalProperties": False}
    return made


def _explained(request: Request, schema: type[BaseModel]) -> Request:
    form = json.dumps(schema.model_json_schema(), ensure_ascii=False)
    demand = f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{form}"
    first, *others = request.messages
    if first.role == "system":
        messages = (Said("system", f"{first.text}\n\n{demand}"), *others)
    else:
        messages = (Said("system", demand), *request.messages)
    return Request(messages, request.max_tokens, request.temperature, request.tags)


def _name(schema: type[BaseModel]) -> str:
    return re.sub(r"\W", "", schema.__name__, flags=re.A).strip("_")[:64] or "Value"


def _loaded(text: str) -> object:
    """The JSON in a text; None for prose.

    What was cut off, with more opened than closed, is not repaired: its last word may be half a word.
    """
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=len(text))
    inner = text[start : max(text.rfind("}"), text.rfind("]")) + 1]
    try:
        return json.loads(inner, strict=False)
    except ValueError:
        cut = text[start:].count("{") > inner.count("}") or not inner
    return None if cut else _repaired(inner)


def _repaired(text: str) -> object:
    from json_repair import repair_json

    return repair_json(text, return_objects=True, skip_json_loads=True)


def _candidates(value: object, schema: type[BaseModel]) -> Iterator[object]:
    """The value, and what models wrap around it: the schema's name, or a list where an object holds just one."""
    fields = {field.alias or name: name for name, field in schema.model_fields.items()}
    if isinstance(value, list) and len(fields) == 1:
        yield {next(iter(fields)): value}
    if not isinstance(value, dict):
        return
    if fields.keys() & value.keys():
        yield value
    for inner in value.values():
        if len(value) == 1 and isinstance(inner, dict) and fields.keys() & inner.keys():
            yield inner
