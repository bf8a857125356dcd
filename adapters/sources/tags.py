"""The tags of a page in reading order, in time proportional to its length whatever was written into it. Pure.

No tree is built: a reader that builds one takes time in the square of a tag's attributes, or of the tags inside one
another, and pages come from anybody.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

_OPENING = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][^\s/>]*))")
# One attribute, or the end of the tag. No two parts can take the same characters, so nothing is tried twice.
_ATTRIBUTE = re.compile(r"""[\s/]*(?:(>)|([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|))?)""")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_LONGEST = 5000
"""Characters of a name or value that anybody looks at."""

_NONE: frozenset[str] = frozenset()
# What stands in these is no tag.
_RAW = {
    name: re.compile(f"</{name}", re.IGNORECASE)
    for name in ("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes")
}


def tags(text: str, wanted: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, dict[str, str]]]:
    """The opening tags that are wanted by name, each with the attributes that are wanted of it, all in lower case."""
    at = 0
    while at >= 0 and (opening := _OPENING.search(text, at)):
        if opening[1]:
            at = text.find("-->", opening.start() + 2)
            continue
        name = opening[3][:_LONGEST].lower()
        found, at = _attributes(text, opening.end(), wanted.get(name, _NONE))
        if at < 0 or opening[2]:  # a tag that never ends is none, and neither is anything in it
            continue
        if name in wanted:
            yield name, found
        elif name in _RAW:
            end = _RAW[name].search(text, at)
            at = end.start() if end else -1


def unescaped(value: str) -> str:
    """A value with its entities read; an ampersand that nobody ended with a semicolon is one."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), value)


def _attributes(text: str, at: int, wanted: frozenset[str]) -> tuple[dict[str, str], int]:
    """The wanted attributes of a tag, the first of each name, and where the tag ends; -1 when it does not."""
    values: dict[str, str] = {}
    while found := _ATTRIBUTE.match(text, at):
        at = found.end()
        if found[1]:
            return values, at
        name = found[2][:_LONGEST].lower()
        if name in wanted and name not in values:
            values[name] = unescaped((found[3] or found[4] or found[5] or "")[:_LONGEST])
    return values, -1
