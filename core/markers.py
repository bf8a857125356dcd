"""Where the footnote markers of a text stand, in all the forms that writers use, and where none can be.

Pure text. A marker is never inside code, never the label of a link, never an index into an array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBERS = r"\^?\d{1,3}(?:[ \t]*[,;，、–~-][ \t]*\^?\d{1,3})*"
_TOUCH = r"[ \t]*"
_ONE = (
    rf"\[\[{_TOUCH}{_NUMBERS}{_TOUCH}\]\]|\[{_TOUCH}{_NUMBERS}{_TOUCH}\]"
    rf"|【{_TOUCH}{_NUMBERS}(?::\d+)?(?:†[^【】\[\]\n]{{0,200}})?{_TOUCH}】"
)
_CHAIN = re.compile(rf"(?P<gap>[ \t]{{0,4}})(?P<markers>(?:{_ONE})(?:[ \t]{{0,4}}(?:{_ONE}))*)")
_EACH = re.compile(_ONE)
_OPENING = re.compile(r"\[\[?|【")
_UNREAD = "\u200b"
_RANGE = re.compile(r"(\d{1,3})(?:[ \t]*[–~-][ \t]*\^?(\d{1,3}))?")
_FENCE = re.compile(r"^[ \t>]*(?:(`{3,})[^`\n]*|(~{3,})[^\n]*)$", re.MULTILINE)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_GLUED = re.compile(r"[A-Za-z_][\w.]*(?:\([^()\n]*\)|\[[^\[\]\n]*\])*$", re.ASCII)
_ARRAYS = frozenset({"args", "argv", "array", "data", "items", "list", "rows", "tuple"})
_IN_PROSE = re.compile(r"[.,;:!?]*(?:$|[\[【])|[.,;:!?]+\s|\s(?!\s*[=+*/<])")
# What may still become a marker, a link or an address when more text arrives.
_OPEN_TAIL = re.compile(
    r"[ \t]*!?(?:[ \t]*(?:\[\[?|【)[^\]】\n]{0,300}(?:\]{1,2}|】)?)+[.,;:!?]*[ \t]*$"
    r"|!?\[[^\[\]\n]{0,300}\][ \t]?\([^)\n]{0,2000}$"
    r"|(?:^|(?<=[\s<]))[A-Za-z][\w+.-]*:\S*$|(?<=\()[A-Za-z][\w+.-]*:[^\s)]*$|www\.\S*$"
    r"|<(?=$|[A-Za-z/!@#])[^>\n]{0,300}$|[ \t]+$"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """The numbers named at one place of a text; `gap` is the space before it."""

    start: int
    end: int
    gap: str
    numbers: tuple[int, ...]


def markers(text: str) -> Iterator[Marker]:
    """All markers of a text in order; adjacent ones count as one."""
    code = code_areas(text)
    for match in _CHAIN.finditer(text):
        inside = any(start < match.end() and match.start() < end for start, end in code)
        end = _end(text, match)
        if end > match.start("markers") and not inside and _is_marker(text, match, end):
            yield Marker(match.start(), end, match["gap"], _numbers(text[match.start("markers") : end]))


def as_words(text: str) -> str:
    """Quoted text in which nothing is a marker of ours: it looks the same, and counts no passage.

    A document's own "[2]" is part of its words; read as a footnote it would cite what nobody quoted.
    """
    parts, at = list[str](), 0
    for marker in markers(text):
        parts += [
            text[at : marker.start],
            _OPENING.sub(lambda opening: opening[0] + _UNREAD, text[marker.start : marker.end]),
        ]
        at = marker.end
    return "".join([*parts, text[at:]])


def settled(text: str) -> int:
    """How much of a text that goes on is certain: half a marker, code span or link waits for its rest."""
    tail = text.rpartition("\n")[2]
    offset = len(text) - len(tail)
    areas = fence_areas(text)
    if areas and areas[-1][1] == len(text):
        is_mark = areas[-1][0] >= offset or not tail.strip().strip("`~")
        return offset if is_mark else len(text)
    open_code = _open_span(tail)
    cut = len(tail) if open_code is None else open_code
    # What stands in a closed code span is settled, whatever it looks like.
    held = _OPEN_TAIL.search(_SPAN.sub(lambda span: "x" * len(span.group()), tail[:cut]))
    return offset + (held.start() if held else cut)


def code_areas(text: str) -> list[tuple[int, int]]:
    """Where fences and code spans stand; a span ends in its own line, a fence may stay open."""
    areas: list[tuple[int, int]] = []
    at = 0
    for start, end in [*fence_areas(text), (len(text), len(text))]:
        areas.extend(span.span() for span in _SPAN.finditer(text, at, start))
        areas.append((start, end))
        at = end
    return areas


def fence_areas(text: str) -> list[tuple[int, int]]:
    """Where fences stand, their marks included."""
    areas: list[tuple[int, int]] = []
    at = 0
    while opening := _FENCE.search(text, at):
        mark = opening[1] or opening[2]
        closing = re.compile(rf"^[ \t>]*{re.escape(mark)}{mark[0]}*[ \t]*$", re.MULTILINE).search(text, opening.end())
        at = closing.end() if closing else len(text)
        areas.append((opening.start(), at))
    return areas


def _end(text: str, match: re.Match[str]) -> int:
    """Where the markers of a chain end: before the last one when that is the label of a link."""
    if text[match.end() : match.end() + 1] != "(" or match.group()[-1] != "]":
        return match.end()
    *before, _last = _EACH.finditer(text, match.start("markers"), match.end())
    return before[-1].end() if before else match.start("markers")


def _is_marker(text: str, match: re.Match[str], end: int) -> bool:
    """``a[1]`` is an index; ``40 minutes[1].`` is a marker that lacks its space."""
    glued = None if match["gap"] else _GLUED.search(text, max(0, match.start() - 80), match.start())
    if glued is None or match.group().startswith("【"):
        return True
    word = glued.group()
    prose = word.isalpha() and len(word) > 3 and word.casefold() not in _ARRAYS
    return prose and 0 not in _numbers(match["markers"]) and bool(_IN_PROSE.match(text, end))


def _numbers(chain: str) -> tuple[int, ...]:
    found: list[int] = []
    for marker in _EACH.findall(chain):
        listed = re.sub(r":\d+|†.*", "", marker) if marker.startswith("【") else marker
        for first, last in _RANGE.findall(listed):
            found.extend(range(int(first), min(int(last or first), int(first) + 50) + 1))
    return tuple(dict.fromkeys(found))


def _open_span(line: str) -> int | None:
    spans = [span.span() for span in _SPAN.finditer(line)]
    for ticks in re.finditer(r"`+", line):
        if ticks.end() == len(line) or not any(start <= ticks.start() < end for start, end in spans):
            return max((start for start, end in spans if start <= ticks.start() < end), default=ticks.start())
    return None
