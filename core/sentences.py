"""A passage's Markdown as the units that may be quoted: sentences, list items, table rows, records, fences.

Pure text, over the blocks of `core.indexing`. Headings, table heads and rules are no units. Knows
nothing of questions or scores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from core.indexing.blocks import Block, blocks, is_table_head
from core.indexing.text import LONG_ITEM
from core.indexing.text import sentences as cut

Kind = Literal["sentence", "item", "row", "record", "fence"]


@dataclass(frozen=True, slots=True)
class Unit:
    """One quotable piece; units of the same `block` stand in one paragraph, item, row or fence.

    `text` is readable by itself: a row carries its column names, a fence its marks. `lead` is the line
    that introduces a list or a fence, empty when there is none.
    """

    text: str
    kind: Kind
    block: int
    lead: str = ""


_RECORD = re.compile(r"^\s*(?:\*\*|__)?[^:|`.?!]{1,40}?(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s+\S")
_LEADS = (":", "：", "다음과 같습니다.", "다음과 같다.", "아래와 같습니다.")
_CELL = re.compile(r"(?<!\\)\|")


def units(text: str) -> tuple[Unit, ...]:
    """The quotable pieces of a passage in reading order."""
    heads = _columns(text.split("\n"))
    found: list[Unit] = []
    lead = ""
    for number, block in enumerate(blocks(text)):
        made = list(_units(block, number, lead, heads))
        found.extend(made)
        if block.kind == "prose" and made:
            lead = made[-1].text if made[-1].text.endswith(_LEADS) else ""
        elif block.kind == "code":
            lead = ""
    return tuple(found)


def _units(block: Block, number: int, lead: str, heads: dict[str, Sequence[str]]) -> Iterator[Unit]:
    if block.kind == "code":
        if re.search(r"\w", _body(block.text)):
            yield Unit(_fenced(block.text), "fence", number, lead)
    elif block.kind == "row":
        yield Unit(_readable(block.text, heads.get(block.text.strip(), ())), "row", number)
    elif block.kind == "item":
        for piece in _item(block.text):
            yield Unit(piece, "item", number, lead)
    else:
        lines = [line for line in re.split(r"[\n\f]+", block.text) if line.strip()]
        if len(lines) > 1 and all(map(_RECORD.match, lines)):
            yield Unit("; ".join(line.strip().rstrip(".;") for line in lines), "record", number)
            return
        for piece in cut(block.text.replace("\f", "\n\n")):
            yield Unit(piece, "sentence", number)


def _item(text: str) -> list[str]:
    flat = " ".join(text.split())
    pieces = [flat] if len(flat) <= LONG_ITEM else cut(text.replace("\f", "\n\n"))
    return [piece for piece in pieces if any(map(str.isalnum, piece))]


def _columns(lines: Sequence[str]) -> dict[str, Sequence[str]]:
    """The column names above each table row."""
    found: dict[str, Sequence[str]] = {}
    names: Sequence[str] = ()
    for at, line in enumerate(lines):
        if at + 1 < len(lines) and is_table_head(line, lines[at + 1]):
            names = _cells(line)
        elif "|" not in line:
            names = ()
        elif names:
            found[line.strip()] = names
    return found


def _readable(row: str, names: Sequence[str]) -> str:
    """``Name: cell; Name: cell``; a row whose head stands in another passage keeps its bare cells."""
    cells = _cells(row)
    if not names:
        return " · ".join(cell for cell in cells if cell)
    pairs = zip(names, cells, strict=False)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _cells(row: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(row.strip().strip("|"))]


def _fenced(code: str) -> str:
    """The block with its marks, closed; indented code gets marks."""
    mark = re.match(r"[ \t>]*(`{3,}|~{3,})", code)
    if mark is None:
        return f"```\n{code}\n```"
    closed = code.rstrip().endswith("\n" + mark[1]) or code.rstrip().rpartition("\n")[2].strip() == mark[1]
    return code.strip("\n") if closed and "\n" in code else f"{code.strip()}\n{mark[1]}"


def _body(code: str) -> str:
    return "\n".join(line for line in code.split("\n") if not re.match(r"[ \t>]*(`{3,}|~{3,})", line))
