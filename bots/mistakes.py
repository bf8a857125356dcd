"""What is wrong in refdesk.toml, in the words of whoever writes it: which setting of which collection, and the remedy.

Knows pydantic's kinds of mistakes, none of the settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_PLAINLY = {
    "tuple_type": "must be a list in square brackets",
    "list_type": "must be a list in square brackets",
    "model_type": "must be a section of settings",
    "model_attributes_type": "must be a section of settings",
    "mapping_type": "must be a section of settings",
    "dict_type": "must be a section of settings",
    "missing": "is missing",
    "finite_number": "must be a finite number",
    "string_type": "must be text in quotes",
    "path_type": "must be a path in quotes",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "date_type": "must be a day, as 2026-11-30",
    "date_parsing": "must be a day, as 2026-11-30",
    "date_from_datetime_parsing": "must be a day, as 2026-11-30",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "string_too_long": "can have {max_length} characters at most",
    "literal_error": "must be one of {expected}",
    "too_short": "must have {min_length} entries or more",
    "too_long": "can have {max_length} entries at most",
}
"""Pydantic's wording speaks of Python; whoever writes TOML knows other names."""

_FORMS = {
    "name": "may have a-z, 0-9 and -, must begin with a letter or a figure, and is at most 40 characters long",
    "token_env": "must be the name of an environment variable, as DOCS_TOKEN",
    "branch": "must be the name of a branch or a tag, as main",
    "region": "must be a region as the service names it, as us-east-1",
    "command": "must begin with / and go on with a-z, 0-9, - or _, as /refdesk",
    "guilds": "must hold ids of servers, as 1029384756102938400",
    "try_commands": "must hold ids of servers, as 1029384756102938400",
}
"""What a text must look like that has a pattern, by the setting."""


def mistake(raw: Mapping[str, Any], error: Mapping[str, Any]) -> str:
    """One mistake as pydantic tells it (`ValidationError.errors()`), as one clause that names the place."""
    kind, parts = error["type"], tuple(error["loc"])
    place = _place(raw, parts)
    if kind == "extra_forbidden":
        return f"{place} is not a setting; see the README for those that are"
    if kind == "string_pattern_mismatch":
        names = [part for part in parts if isinstance(part, str)]
        return f"{place} {_FORMS.get(names[-1] if names else '', 'is not written as it must be; see the README')}"
    if kind in _PLAINLY:
        return f"{place} {_PLAINLY[kind].format_map(error.get('ctx', {}))}"
    bare = str(error["msg"]).removeprefix("Value error, ")
    return f"{place}: {bare}" if place else bare


def _place(raw: Mapping[str, Any], parts: Sequence[str | int]) -> str:
    """``collection handbook: git.branch``; where there is no name, by number, counted from 1."""
    if len(parts) > 1 and parts[0] == "collections" and isinstance(parts[1], int):
        rest = _dotted(parts[2:])
        return f"collection {_name(raw, parts[1])}{': ' if rest else ''}{rest}"
    return _dotted(parts)


def _name(raw: Mapping[str, Any], number: int) -> str:
    """The name as written, if it can be one; else which it is."""
    try:
        name = raw["collections"][number]["name"]
    except (LookupError, TypeError):
        name = None
    usable = isinstance(name, str) and 0 < len(name) <= 80 and name.isprintable()
    return str(name) if usable else f"number {number + 1}"


def _dotted(parts: Sequence[str | int]) -> str:
    shown = ""
    for part in parts:
        if isinstance(part, int):
            shown += f" (entry {part + 1})"
        elif re.fullmatch(r"[\w-]+", part):  # what else there is names branches of a union, which nobody wrote
            shown += f".{part}" if shown else part
    return shown
