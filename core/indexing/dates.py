"""When a document is of, what period it covers, and which periods a question asks about.

Pure: text in, days out; the clock is an argument. Nothing here reads a file's modification time,
because a fresh copy of an old document is still an old document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath

from core.documents import TimeSpan
from core.indexing import moments
from core.indexing.blocks import fenced
from core.indexing.spans import ABSOLUTE, Found, find, spans

LEADING_LINES = 15
LONGEST_CLUE = 300  # of a field that is said to be a date; a longer one is a trap for patterns
SHORT_LINE = 60  # a date in a longer line is part of a story, not the date of the document


@dataclass(frozen=True, slots=True)
class DateClues:
    """What may tell a document's date. `declared` comes from front matter, strongest first.

    `properties` is what the file format itself records; exporting a file again changes it, so it is
    asked last. `name` is the path within the collection.
    """

    name: str = ""
    title: str = ""
    text: str = ""
    declared: Sequence[str] = ()
    properties: date | None = None


def document_date(clues: DateClues) -> date | None:
    """The day the document is of: declared, in its name, its title, its first lines, its properties."""
    for value in clues.declared:
        for found in find(value[:LONGEST_CLUE]):
            return found.span.start
    for text in (_readable(PurePosixPath(clues.name).stem), clues.title):
        for found in find(text):
            if found.is_day:
                return found.span.start
    return _leading_date(clues.text) or clues.properties


def document_period(clues: DateClues) -> TimeSpan | None:
    """The year, quarter or month that file name, title, first heading or folder is named after.

    Several are covered together. A single day is no period: it is the document's date.
    """
    path = PurePosixPath(clues.name)
    for text in (_readable(path.stem), clues.title, _first_heading(clues.text)):
        named = [found.span for found in find(text) if not found.is_day]
        if named:
            return TimeSpan(min(span.start for span in named), max(span.end for span in named))
    for folder in reversed(path.parent.parts):  # only a folder that is nothing but a period
        for found in find(folder):
            if not found.is_day and found.end - found.start == len(folder):
                return found.span
    return None


def periods_in(text: str, today: date) -> list[TimeSpan]:
    """The stretches of time a question names, absolute or relative to today, in reading order."""
    return list(spans(find(" ".join(text.split()), [*moments.rules(today), *ABSOLUTE])))


def readable_name(name: str) -> str:
    """A file name without folder and extension, made readable: ``aks-upgrade_v2`` → ``aks upgrade v2``."""
    return _readable(PurePosixPath(name).stem).strip() or name


def _readable(stem: str) -> str:
    # Hyphens stay inside dates and after capitals, where they belong to a code such as LF-2025.
    stem = re.sub(r"(?<=\d)_(?=\d)", "-", stem).replace("_", " ")
    return re.sub(r"(?<![A-Z])-(?!\d)|(?<![A-Z\d])-(?=\d)", " ", stem)


_LABEL = re.compile(
    r"[\s>*_|#-]*(?:last\s+)?"
    r"(?:dated?|updated?|modified|reviewed|published|effective(?:\s+date)?|revised|created|as of"
    r"|작성일?자?|날짜|일자|일시|최종\s*수정일?|수정일?자?|개정일?자?|시행일?자?|게시일?|발행일?|업데이트|기준일?)"
    r"(?:\s+on)?[\s*_|]*[:：|\s]",
    re.IGNORECASE,
)


def _leading_date(text: str) -> date | None:
    """A date in the first lines that stands by a label or in a line of its own."""
    lines = text[:4000].split("\n")
    leading = [line for line, code in zip(lines, fenced(lines), strict=True) if not code and line.strip()]
    for line in leading[:LEADING_LINES]:
        if len(line.strip()) <= SHORT_LINE or _LABEL.match(line):
            day = _first_day(find(line))
            if day:
                return day
    return None


def _first_day(found: Sequence[Found]) -> date | None:
    return next((f.span.start for f in found if f.is_day), None)


def _first_heading(text: str) -> str:
    match = re.search(r"^ {0,3}#{1,6}[ \t]+(.+)$", text[:4000], re.MULTILINE)
    return match[1] if match else ""
