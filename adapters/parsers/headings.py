"""Headings of Markdown text: what they say without markup, their anchors, and where they stand.

Knows lines of text only; nothing of files, passages or formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.indexing.blocks import LONGEST_HEADING, fenced, heading_line, setext_level

_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*([^{}]*)\}[ \t]*$")
_HTML_HEADING = re.compile(
    r" {0,3}<h([1-6])(?:\s[^>]*?\bid=[\"']([^\"']+)[\"'][^>]*|[^>]*)>(.+?)</h\1>[ \t]*$", re.IGNORECASE
)
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])|</?[A-Za-z][^<>`]*>")
_INLINE = re.compile(
    r"\\(?P<escaped>[\\`*_{}\[\]()#+.!|<>~-])|`+(?P<code>[^`]+)`+"
    r"|(?P<star>\*{1,3})(?=\S)(?P<starred>.+?)(?<=\S)(?P=star)(?!\*)"
    r"|(?<!\w)(?P<line>_{1,3})(?=\S)(?P<lined>.+?)(?<=\S)(?P=line)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level, its words, its explicit anchor if any, and the offsets of its lines."""

    level: int
    title: str
    anchor: str
    start: int
    end: int


def plain(heading: str) -> tuple[str, str]:
    """The words of a heading without inline markup, and the anchor of a trailing ``{ #anchor }``."""
    anchor = ""
    match = _ATTRIBUTES.search(heading)
    if match and (ids := re.search(r"#([^\s}]+)", match[1])):
        anchor = ids[1]
    if match and (anchor or re.match(r"[.:]", match[1])):
        heading = heading[: match.start()]
    return " ".join(_inline(_LINK.sub(lambda match: match[1] or "", heading)).split()), anchor


def _inline(text: str) -> str:
    def words(match: re.Match[str]) -> str:
        emphasised = match["starred"] or match["lined"]
        return _inline(emphasised) if emphasised else match["escaped"] or match["code"].strip()

    return _INLINE.sub(words, text)


def slug(title: str) -> str:
    """The anchor that GitHub gives to a heading: lower case, Hangul kept, blanks as hyphens."""
    return re.sub(r"[^\w\- ]", "", title.casefold()).strip().replace(" ", "-")


def headings(text: str) -> Iterator[Heading]:
    """All headings in reading order; lines in code fences are none."""
    lines = text.split("\n")
    code = fenced(lines)
    offset = 0
    for index, line in enumerate(lines):
        start, offset = offset, offset + len(line) + 1
        if code[index]:
            continue
        if match := heading_line(line):
            yield _heading(len(match[1]), match[2] or "", start, offset)
        elif match := _HTML_HEADING.match(line[:LONGEST_HEADING]):
            found = _heading(int(match[1]), match[3], start, offset)
            yield Heading(found.level, found.title, match[2] or found.anchor, start, offset)
        elif index + 1 < len(lines) and not code[index + 1]:
            level = setext_level(lines[index - 1] if index else "", line, lines[index + 1])
            if level:
                yield _heading(level, line.strip(), start, offset + len(lines[index + 1]) + 1)


def _heading(level: int, raw: str, start: int, end: int) -> Heading:
    return Heading(level, *plain(raw), start, end)
