"""Answers for trying things out without a script: whatever structure is asked for, filled with something that fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.openai_server.replies import Reply, Say, Value
from tests.openai_server.server import Call

_PLAIN: Mapping[str, object] = {"string": "", "boolean": True, "integer": 1, "number": 0.9, "null": None}


def improvised(call: Call) -> Reply:
    """The first passage, or a value of the schema."""
    if call.body.get("tools"):
        return Value(_filled(call.body["tools"][0]["function"]["parameters"]))
    schema = (call.body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if schema:
        return Value(_filled(schema))
    return Say("This is a scripted server and no model; it always points to the first passage [1].")


def _filled(schema: Mapping[str, Any]) -> dict[str, Any]:
    value = _sample(schema, schema.get("$defs", {}))
    assert isinstance(value, dict)
    return value


def _sample(shape: Mapping[str, Any], defs: Mapping[str, Any]) -> object:
    if "$ref" in shape:
        return _sample(defs[shape["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in shape:
        return _sample(shape["anyOf"][0], defs)
    if "enum" in shape:
        return shape["enum"][0]
    if "properties" in shape:
        return {name: _sample(each, defs) for name, each in shape["properties"].items()}
    if "items" in shape:
        return [_sample(shape["items"], defs)]
    return shape.get("const", _PLAIN.get(shape.get("type", "string")))
