"""What is worded as a question: in headings, in the pages that collect questions, in texts; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.catalog.phrases import plain
from core.documents import DocumentRecord

_QUESTION = re.compile(
    r"[?？]\s*$|^(?:who|what|when|where|which|why|how|can|could|do|does|is|are|should|may)\b"
    r"|(?:나요|까요|은가요|는가|하기|방법|하려면)\s*[?？]?\s*$",
    re.IGNORECASE,
)
_FAQ = re.compile(r"\bfaqs?\b|frequently asked|q\s?&\s?a|자주\s*(?:묻는|하는)|질문", re.IGNORECASE)

# "Q: …", "**Q1.** …", "질문: …", and a line of bold type or a list item that ends with a question mark.
_MARKED = re.compile(r"^[\s>*_#-]*(?:Q|Question|질문|문)\s?\d{0,3}[*_]*\s?[.:)]\s?[*_]*\s*(\S.*)$", re.IGNORECASE)
_SET_OFF = re.compile(
    r"^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(\*\*|__)(?P<bold>.+[?？])\1\s*$|^\s*[-*+]\s+(?P<item>.+[?？])\s*$"
)
_LENGTH = range(8, 141)


def asks(heading: str) -> bool:
    """Whether a heading is worded as a question or as a task."""
    return bool(_QUESTION.search(heading))


def collects_questions(record: DocumentRecord) -> bool:
    """Whether a document is a page of questions and answers, by its name."""
    return bool(_FAQ.search(record.title) or _FAQ.search(record.id))


def questions_in(text: str) -> Iterator[str]:
    """The questions that stand in a text as questions do on a page of them, not those within its prose."""
    for line in text.splitlines():
        if len(line) > 2 * _LENGTH.stop:
            continue
        marked, set_off = _MARKED.match(line), _SET_OFF.match(line)
        found = marked[1] if marked else (set_off["bold"] or set_off["item"]) if set_off else ""
        question = plain(found).strip("_ ")
        if len(question) in _LENGTH and asks(question):
            yield question
