"""A parsed document as passages with ids and links, and as the catalog's record; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from core.documents import DocumentRecord, Parsed, Passage, Piece, SourceEntry, passage_id
from core.indexing.text import language_of, one_line

_HEADINGS = 400
"""Headings kept of a document: a Card needs no more."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document that was read: its passages in reading order and its record."""

    record: DocumentRecord
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document comes from: its collection, its entry, its hashes, and the template of its links."""

    collection: str
    entry: SourceEntry
    hash: str
    fingerprint: str
    link: str | None = None


def prepare(origin: Origin, parsed: Parsed, pieces: Sequence[Piece]) -> Prepared:
    """Passages and record of one document."""
    title = parsed.title or one_line(origin.entry.id.rsplit("/", 1)[-1])
    overall = language_of(parsed.text)
    occurrences: Counter[tuple[tuple[str, ...], str]] = Counter()
    passages = []
    for position, piece in enumerate(pieces):
        key = (piece.heading_path, piece.text)
        own = language_of(piece.text)
        passages.append(
            Passage(
                id=passage_id(origin.collection, origin.entry.id, piece.heading_path, piece.text, occurrences[key]),
                collection=origin.collection,
                document_id=origin.entry.id,
                document_hash=origin.hash,
                title=title,
                heading_path=piece.heading_path,
                text=piece.text,
                position=position,
                language=overall if own == "und" else own,
                page=piece.page,
                anchor=piece.anchor,
                link=link_of(origin, piece.anchor),
                date=parsed.date,
                period=parsed.period,
            )
        )
        occurrences[key] += 1
    record = DocumentRecord(
        id=origin.entry.id,
        hash=origin.hash,
        fingerprint=origin.fingerprint,
        title=title,
        language=overall,
        passages=len(passages),
        date=parsed.date,
        link=link_of(origin, ""),
        headings=tuple(dict.fromkeys(heading for piece in pieces for heading in piece.heading_path))[:_HEADINGS],
    )
    return Prepared(record, tuple(passages))


def link_of(origin: Origin, anchor: str) -> str | None:
    """The template filled with path and anchor, percent-encoded; else the source's own link, if it has one."""
    if origin.link is None:
        base = origin.entry.link
        return f"{base}#{quote(anchor)}" if base and anchor and "#" not in base else base
    filled = origin.link.replace("{path}", quote(origin.entry.id)).replace("{anchor}", quote(anchor))
    return filled.removesuffix("#")
