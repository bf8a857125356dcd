"""The block of fields above a Markdown document, in YAML or TOML form.

Only plain fields are read, line by line, so that a block which is not quite YAML still gives its
title and date instead of an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_BLOCK = re.compile(r"\A\s*(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([^\W\d][\w.-]*)[ \t]*[:=](?:[ \t]+|$)(.*)$")
_FOLDED = re.compile(r"[|>][+-]?\d?$")


def read(text: str) -> tuple[Mapping[str, str], str]:
    """The plain fields by lower-case name, and the text below the block."""
    match = _BLOCK.match(text)
    if match is None or not (match[2].strip() == "" or re.search(r"^[\w.\"'-]+[ \t]*[:=]", match[2], re.MULTILINE)):
        return {}, text
    return _fields(match[2]), text[match.end() :]


def _fields(block: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    open_field = ""
    for line in block.split("\n"):
        if match := _FIELD.match(line):
            value = _plain(match[2])
            open_field = match[1].casefold()
            fields[open_field] = "" if _FOLDED.match(value) else value
        elif open_field and line.startswith((" ", "\t")) and not line.lstrip().startswith("- "):
            fields[open_field] = f"{fields[open_field]} {line.strip()}".strip()
        else:
            open_field = ""
    return fields


def _plain(value: str) -> str:
    value = value.strip()
    if value[:1] in {'"', "'"}:
        end = value.rfind(value[0])
        inner = value[1:end] if end > 0 else value[1:]
        return inner.replace('\\"', '"').replace("''", "'")
    return re.sub(r"\s+#.*$", "", value)
