"""Markdown text as a row of blocks: paragraphs, list items, table rows, code.

Line by line and forgiving, made for finding sentences and headings, not for rendering. Knows
nothing of passages or documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

BlockKind = Literal["prose", "item", "row", "code"]


class Block(NamedTuple):
    """A block that can hold sentences; a form feed inside it marks a hard line break."""

    kind: BlockKind
    text: str


_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})(.*)$")


def fenced(lines: Sequence[str]) -> list[int]:
    """For each line the number (from 1) of the code fence it belongs to, fence lines included; else 0."""
    numbers: list[int] = []
    mark, number = "", 0
    for line in lines:
        match = _FENCE.match(line)
        if mark:
            numbers.append(number)
            if match and match[1].startswith(mark) and not match[2].strip():
                mark = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            mark, number = match[1], number + 1
            numbers.append(number)
        else:
            numbers.append(0)
    return numbers


LONGEST_HEADING = 1000  # a longer line is text, whatever it begins with
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(={2,}|-{2,})[ \t]*$")
_NO_TITLE = re.compile(r"[ \t]*(?:[-*+>|#<]|\d{1,9}[.)][ \t])|    |.{121}|.*[.:;,!?。][ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_TABLE_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*(?::?-+:?[ \t]*)?)+$")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_ADMONITION = re.compile(r"[ \t]*(?:/{3,}|:{3,}|!{3}|\?{3}\+?)(?:[ \t]|$)")
# Other lines that frame prose without being any: template tags, comments, bare HTML tags, bare
# images, link definitions.
_FRAME = re.compile(
    r"[ \t]*(?:\{[%{*#].*[%}*#]\}|<!--.*-->|(?:</?[A-Za-z][^<>]*>[ \t]*)+"
    r"|!\[[^\]]*\]\([^)]*\)|\[[^\]]+\]:[ \t]+\S.*)[ \t]*$"
)


def blocks(text: str) -> Iterator[Block]:
    """The blocks of `text` in reading order, without headings, table headers, rules and markup lines."""
    lines = text.split("\n")
    return _Scan([_unquote(line) for line in lines], lines, fenced(lines)).run()


def heading_line(line: str) -> re.Match[str] | None:
    """The ``#`` signs and the words of a heading in one line."""
    return _HEADING.match(line) if len(line) <= LONGEST_HEADING else None


def is_table_head(line: str, below: str) -> bool:
    """Whether `line` is the header of a table: it has cells, and a delimiter row stands below it."""
    return "|" in line and "|" in below and "-" in below and bool(_TABLE_DELIMITER.match(below))


def setext_level(above: str, line: str, below: str) -> int:
    """1 or 2 when `line` is a heading because `below` underlines it; else 0.

    Stricter than CommonMark: a paragraph or a whole sentence above a ``---`` stays text, since that
    is what its author meant.
    """
    match = _UNDERLINE.match(below)
    if match is None or not line.strip() or above.strip() or _NO_TITLE.match(line):
        return 0
    return 1 if match[1][0] == "=" else 2


class _Scan:
    """One pass over the lines; `held` is the paragraph or item that is still open."""

    def __init__(self, lines: Sequence[str], raw: Sequence[str], code: Sequence[int]) -> None:
        self.lines, self.raw, self.code = lines, raw, code
        self.held: list[str] = []
        self.kind: BlockKind = "prose"
        self.nested = False  # inside an item or an admonition an indented line is prose, not code

    def run(self) -> Iterator[Block]:
        index = 0
        while index < len(self.lines):
            closed, index = self._step(index)
            yield from closed
        yield from self._close()

    def _close(self) -> list[Block]:
        closed = [Block(self.kind, "\n".join(self.held))] if self.held else []
        self.held, self.kind = [], "prose"
        return closed

    def _step(self, index: int) -> tuple[list[Block], int]:
        """The blocks that the line at `index` closes or makes, and the next line to look at."""
        line = self.lines[index]
        if self.code[index]:
            return self._fence(index)
        if not line.strip():
            return self._close(), index + 1
        if line.lstrip().startswith("|") or self._heads_table(index):
            return self._table(index)
        if index + 1 < len(self.lines) and not self.code[index + 1] and self._underlined(index):
            return self._close(), index + 2
        if not self.held and not self.nested and line.startswith(("    ", "\t")):
            return self._indented(index)
        return self._prose(line), index + 1

    def _prose(self, line: str) -> list[Block]:
        if self._frames(line):
            return self._close()
        match = _ITEM.match(line)
        if match is None:
            # A line at the margin after a blank one has left the list.
            self.nested = self.nested and (bool(self.held) or line.startswith((" ", "\t")))
            self.held.append(_hard_break(line))
            return []
        closed = self._close()
        self.kind, self.nested = "item", True
        self.held = [_hard_break(line[match.end() :])]
        return closed

    def _fence(self, start: int) -> tuple[list[Block], int]:
        end = start
        while end < len(self.code) and self.code[end] == self.code[start]:
            end += 1
        return [*self._close(), Block("code", "\n".join(self.raw[start:end]))], end

    def _indented(self, start: int) -> tuple[list[Block], int]:
        end = start
        while end < len(self.lines) and not self.code[end] and self.lines[end].startswith(("    ", "\t")):
            end += 1
        return [Block("code", "\n".join(self.raw[start:end]))], end

    def _heads_table(self, index: int) -> bool:
        return (
            index + 1 < len(self.lines)
            and not self.code[index + 1]
            and is_table_head(self.lines[index], self.lines[index + 1])
        )

    def _underlined(self, index: int) -> bool:
        above = self.lines[index - 1] if index else ""
        return setext_level(above, self.lines[index], self.lines[index + 1]) > 0

    def _table(self, start: int) -> tuple[list[Block], int]:
        index = start + 2 if self._heads_table(start) else start
        rows = self._close()
        while index < len(self.lines) and "|" in self.lines[index] and not self.code[index]:
            rows.append(Block("row", self.lines[index].strip()))
            index += 1
        return rows, index

    def _frames(self, line: str) -> bool:
        if _ADMONITION.match(line):
            self.nested = True
            return True
        if heading_line(line) or _RULE.match(line) or _UNDERLINE.match(line):
            self.nested = False
            return True
        return bool(_FRAME.match(line))


def _unquote(line: str) -> str:
    match = _QUOTE.match(line)
    return line[match.end() :] if match else line


def _hard_break(line: str) -> str:
    broken = line.endswith(("  ", "\\")) or line.rstrip().endswith(("<br>", "<br/>", "<br />"))
    return line.rstrip("\\") + "\f" if broken else line
