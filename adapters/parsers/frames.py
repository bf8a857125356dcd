"""What a reading process and its owner say to each other: frames of bytes, each with its length before it.

JSON, because the reader may be in the hands of the document it reads: nothing that it sends is ever run.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from datetime import date
from typing import Any

from core.documents import PageMark, Parsed, SourceEntry, TimeSpan
from core.errors import ParseError

LENGTH = struct.Struct(">Q")

OUT_OF_MEMORY = 77
"""Exit code of a process that came to hold more than it may."""


def framed(payload: bytes) -> bytes:
    """The payload with its length before it."""
    return LENGTH.pack(len(payload)) + payload


def entry_to(entry: SourceEntry) -> bytes:
    """What a parser looks at of an entry."""
    return _dumped([entry.id, entry.media_type, entry.link])


def entry_from(payload: bytes, size: int) -> SourceEntry:
    """The entry as a parser sees it."""
    id_, media_type, link = json.loads(payload)
    return SourceEntry(id_, "", size, media_type, None, link)


def parsed_to(parsed: Parsed, *, last: bool) -> bytes:
    """A document that was read; `last`: the process ends now."""
    period = parsed.period
    return _dumped(
        {
            "last": last,
            "title": parsed.title,
            "text": parsed.text,
            "pages": [[mark.offset, mark.page] for mark in parsed.pages],
            "date": parsed.date and parsed.date.isoformat(),
            "period": period and [period.start.isoformat(), period.end.isoformat()],
            "notes": parsed.notes,
        }
    )


def refusal_to(error: ParseError, *, last: bool) -> bytes:
    """A document that was refused."""
    return _dumped({"last": last, "refused": error.reason, "detail": error.detail})


def reply_from(payload: bytes) -> tuple[Parsed | ParseError, bool]:
    """What the process says of the document, and whether it ends now; raises ValueError for anything odd."""
    try:
        found = json.loads(payload)
        last = bool(found["last"])
        if "refused" in found:
            return refusal(str(found["refused"]), str(found["detail"])), last
        return _parsed(found), last
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("a reply that is none") from error


def refusal(reason: str, detail: str) -> ParseError:
    """The refusal as it was raised; only a document's own reasons are taken."""
    if not reason.startswith("parse."):
        raise ValueError("a reason that is none")
    return ParseError(reason, detail=detail[:500], limit_mb=detail[:20])


def _parsed(found: Mapping[str, Any]) -> Parsed:
    title, text = found["title"], found["text"]
    if not isinstance(title, str) or not isinstance(text, str):
        raise TypeError("no text")
    period = found["period"]
    return Parsed(
        title=title,
        text=text,
        pages=tuple(PageMark(int(offset), int(page)) for offset, page in found["pages"]),
        date=date.fromisoformat(found["date"]) if found["date"] else None,
        period=TimeSpan(*map(date.fromisoformat, period)) if period else None,
        notes=tuple(map(str, found["notes"])),
    )


def _dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
