"""What a format's parser found, and how it becomes a `Parsed`: the part that all formats share.

Normal form, title, date and period are decided here. Knows no format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from adapters.parsers.headings import headings
from core.documents import PageMark, Parsed, SourceEntry
from core.errors import ParseError
from core.indexing.dates import DateClues, document_date, document_period, readable_name
from core.indexing.text import normalise

LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A document as Markdown, or page by page, with what its format says about title and date.

    `declared` dates were written by a person, strongest first; `modified` comes from the file's
    properties. `notes` are keys of `core.wording`, each followed by a blank and its detail.
    """

    text: str = ""
    title: str = ""
    pages: Sequence[tuple[int, str]] = ()
    declared: Sequence[str] = ()
    modified: date | None = None
    notes: Sequence[str] = ()


def finish(draft: Draft, entry: SourceEntry) -> Parsed:
    """The finished document; raises ParseError `parse.empty` when no letter or digit is in it."""
    text, marks = _joined(draft.pages) if draft.pages else (_tidy(draft.text), ())
    if not any(map(str.isalnum, text)):
        raise ParseError("parse.empty")
    name = normalise(entry.id)
    title = _title(draft.title) or _title(_first_heading(text)) or readable_name(name)
    clues = DateClues(name, title, text, draft.declared, draft.modified)
    return Parsed(
        title=title,
        text=text,
        pages=marks,
        date=document_date(clues),
        period=document_period(clues),
        notes=tuple(draft.notes),
    )


def _joined(pages: Sequence[tuple[int, str]]) -> tuple[str, tuple[PageMark, ...]]:
    parts: list[str] = []
    marks: list[PageMark] = []
    offset = 0
    for number, page in pages:
        part = _tidy(page)
        if part:
            marks.append(PageMark(offset, number))
            parts.append(part)
            offset += len(part) + 2
    return "\n\n".join(parts), tuple(marks)


def _tidy(text: str) -> str:
    """Normal form, no blank lines at the ends and never more than two in a row."""
    return re.sub(r"\n(?:[ \t]*\n){3,}", "\n\n\n", normalise(text)).strip("\n").rstrip()


def _title(text: str) -> str:
    return " ".join(normalise(text).split())[:LONGEST_TITLE]


def _first_heading(text: str) -> str:
    found = next(iter(headings(text)), None)
    return found.title if found and found.level == 1 else ""
