"""PDF files: the text layer page by page. Headings can't be known from it; page numbers can."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from io import BytesIO
from typing import TYPE_CHECKING

from adapters.parsers.draft import Draft, finish
from adapters.parsers.readability import is_garbled
from core.documents import Parsed, SourceEntry
from core.errors import ParseError
from core.indexing.text import normalise

if TYPE_CHECKING:
    from pypdf import PdfReader

_HYPHEN = re.compile(r"(?<=[a-z])[-‐]\n(?=[a-z]{2})")
_PAGE_NUMBER = re.compile(r"(?i)[-–\s]*(?:page\s+|p\.\s*)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?(?:\s*쪽)?[-–\s]*")
_NO_TITLE = re.compile(
    r"(?i)untitled|microsoft word|\(anonymous\)|\.(?:docx?|hwpx?|pptx?|xlsx?|pdf|indd)\s*$|^제목 ?없음"
)


class PdfParser:
    """The text of each page; pages without any are named in a note."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """Raises ParseError `parse.password`, `parse.scanned`, `parse.garbled`, `parse.bomb`."""
        from pypdf.errors import LimitReachedError

        try:
            return self._parse(data, entry)
        except LimitReachedError as error:
            raise ParseError("parse.bomb", detail="PDF") from error

    def _parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        from pypdf import PdfReader

        logging.getLogger("pypdf").setLevel(logging.ERROR)  # it tells of every oddity that it works around
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ParseError("parse.password")
        raw = [page.extract_text() for page in reader.pages]
        garbled = _garbled_pages(raw)
        pages = _without_running_lines([_clean(page) for page in raw])
        empty = [n for n, page in enumerate(pages, 1) if not any(map(str.isalnum, page)) and n not in garbled]
        if len(empty) == len(pages):
            raise ParseError("parse.scanned" if pages else "parse.empty")
        draft = Draft(
            title=_title(reader),
            pages=[(number, page) for number, page in enumerate(pages, 1) if number not in {*empty, *garbled}],
            modified=_modified(reader),
            notes=[*_note("parse.note_pages_empty", empty), *_note("parse.note_pages_garbled", garbled)],
        )
        return finish(draft, entry)


def _garbled_pages(pages: Sequence[str]) -> list[int]:
    """The numbers of pages that nobody can read; raises ParseError when that is most of the document."""
    garbled = [number for number, page in enumerate(pages, 1) if is_garbled(page)]
    lost = sum(len(pages[number - 1]) for number in garbled)
    rest = "\n".join(page for number, page in enumerate(pages, 1) if number not in garbled)
    if 2 * lost > sum(map(len, pages)) or is_garbled(rest):  # pages that are too short to tell may tell together
        raise ParseError("parse.garbled")
    return garbled


def _note(key: str, numbers: Sequence[int]) -> list[str]:
    shown = ", ".join(map(str, numbers[:20])) + (", …" if len(numbers) > 20 else "")
    return [f"{key} {shown}"] if numbers else []


def _clean(raw: str) -> str:
    text = "\n".join(line.rstrip() for line in normalise(raw).split("\n"))
    text = _HYPHEN.sub("", text)
    # A number sign at a line's beginning is a comment or a number here, never a heading.
    return re.sub(r"^(?= {0,3}#{1,6}\s)", r"\\", text, flags=re.MULTILINE).strip("\n")


def _without_running_lines(pages: list[str]) -> list[str]:
    """The pages without the header and footer lines that most of them share, and without page numbers."""
    split = [page.split("\n") for page in pages]
    ends = Counter(_shape(line) for lines in split for line in {lines[0], lines[-1]} if line.strip())
    running = {shape for shape, count in ends.items() if len(pages) >= 4 and count > 0.6 * len(pages)}
    return ["\n".join(_trim_running(lines, running)) for lines in split]


def _trim_running(lines: list[str], running: set[str]) -> list[str]:
    for end in (0, -1):
        while len(lines) > 1 and (
            _shape(lines[end]) in running or _PAGE_NUMBER.fullmatch(lines[end]) or not lines[end]
        ):
            lines = lines[1:] if end == 0 else lines[:-1]
    return lines


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", line.strip())


def _title(reader: PdfReader) -> str:
    title = normalise(str((reader.metadata and reader.metadata.title) or "")).strip()
    return "" if len(title) < 3 or _NO_TITLE.search(title) or is_garbled(title) else title


def _modified(reader: PdfReader) -> date | None:
    try:
        found = reader.metadata and (reader.metadata.modification_date or reader.metadata.creation_date)
    except ValueError:  # dates in forms of their own
        return None
    return found.date() if found else None
