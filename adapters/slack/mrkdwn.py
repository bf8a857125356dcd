"""What people write in Slack as Markdown: its own marks, its references in angle brackets, its escapes. Pure.

Code keeps every sign. References become names; who has no name here is a person or a channel without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_REFERENCE = re.compile(r"<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>")
_CODE = re.compile(r"```(?P<block>.*?)```|`(?P<inline>[^`\n]+)`", re.DOTALL)
_EDGE = r"(?<![\w{mark}]){escaped}(?=\S)([^{mark}\n]*[^\s{mark}]){escaped}(?![\w{mark}])"
_BOLD = re.compile(_EDGE.format(mark="*", escaped=r"\*"))
_STRUCK = re.compile(_EDGE.format(mark="~", escaped="~"))
_BULLET = re.compile(r"^([ \t]*)([•◦▪])[ \t]*", re.MULTILINE)
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ESCAPED = re.compile("|".join(_ESCAPES))

SOMEONE = "someone"


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the people and channels that a text refers to, by id."""

    people: Mapping[str, str] = field(default_factory=dict)
    channels: Mapping[str, str] = field(default_factory=dict)


def people_in(text: str) -> Iterator[str]:
    """The ids of the people that the text mentions."""
    return (found[2] for found in _REFERENCE.finditer(text) if found[1] == "@")


def channels_in(text: str) -> Iterator[str]:
    """The ids of the channels that the text names only by id."""
    return (found[2] for found in _REFERENCE.finditer(text) if found[1] == "#" and not found[3])


def markdown(text: str, names: Names) -> str:
    """The text as Markdown."""
    parts: list[str] = []
    start = 0
    for code in _CODE.finditer(text):
        parts.append(_prose(text[start : code.start()], names))
        parts.append(_code(code, names, at_start=_ends_a_line(text[: code.start()])))
        start = code.end()
    parts.append(_prose(text[start:], names))
    return "".join(parts).strip("\n")


def _prose(text: str, names: Names) -> str:
    shown = _BOLD.sub(r"**\1**", text)
    shown = _STRUCK.sub(r"~~\1~~", shown)
    shown = _BULLET.sub(lambda found: ("  " if found[2] != "•" else "") + found[1] + "- ", shown)
    return _unescaped(_REFERENCE.sub(lambda found: _reference(found, names), shown))


def _code(code: re.Match[str], names: Names, *, at_start: bool) -> str:
    """A fence on lines of its own, or inline code; Slack puts references into code too, where they are plain words."""
    inside = code["block"] if code["block"] is not None else code["inline"]
    plain = _unescaped(_REFERENCE.sub(lambda found: _plain_reference(found, names), inside))
    if code["block"] is None:
        return f"`{plain}`"
    return f"{'' if at_start else chr(10)}```\n{plain.strip(chr(10))}\n```\n"


def _reference(found: re.Match[str], names: Names) -> str:
    kind, target, label = found[1], found[2], found[3] or ""
    if kind or not re.match(r"https?://", target):
        return _plain_reference(found, names)
    if not label or label == target:
        return target
    return f"[{label.replace('[', '(').replace(']', ')')}]({target.replace('(', '%28').replace(')', '%29')})"


def _plain_reference(found: re.Match[str], names: Names) -> str:
    kind, target, label = found[1], found[2], found[3] or ""
    if kind == "@":
        return f"@{names.people.get(target) or label or SOMEONE}"
    if kind == "#":
        return f"#{label or names.channels.get(target) or 'channel'}"
    if kind == "!":
        return label or f"@{target.partition('^')[0]}"
    return label or target.removeprefix("mailto:").removeprefix("tel:")


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], text)


def _ends_a_line(text: str) -> bool:
    return not text.strip() or text.endswith("\n")
