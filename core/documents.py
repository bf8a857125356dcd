"""The values of a collection: documents, the passages cut from them, Cards and generations."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

Origin = Literal["index", "web"]

REMARK = "parse.note_"
"""How the reasons of remarks begin: what is said of documents that are in all the same."""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A stretch of days, both ends included."""

    start: date
    end: date

    def overlaps(self, other: TimeSpan) -> bool:
        """Whether the two have at least one day in common."""
        return self.start <= other.end and other.start <= self.end


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A document as its source lists it, before it is read.

    `id` is stable within the collection (a relative path, NFC, with ``/``). `fingerprint` changes
    when the content may have changed, and is cheap (size and modification time); the content hash
    decides.
    """

    id: str
    fingerprint: str
    size: int
    media_type: str
    modified: datetime | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source holds now. A listing that is not `complete` never removes anything but what is gone.

    That is there no more for sure, or may no longer be read: `gone` are beginnings of document ids, `gone_ids` whole
    ones.
    """

    entries: tuple[SourceEntry, ...]
    complete: bool
    problems: tuple[Problem, ...] = ()
    gone: tuple[str, ...] = ()
    gone_ids: frozenset[str] = frozenset()

    def is_gone(self, document: str) -> bool:
        """Whether the document is out, even if the listing is incomplete."""
        return document in self.gone_ids or document.startswith(self.gone)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be said of a document: its name and the reason it was not read, as a key of `core.wording`.

    A remark (``parse.note_…``) is about a document that is in all the same. `fingerprint` is that of the document as
    it was refused for good: while it stays, nobody has to look again. It is no part of what is said.
    """

    document: str
    reason: str
    detail: str = ""
    fingerprint: str = field(default="", compare=False)

    @property
    def is_remark(self) -> bool:
        """Whether the document was read."""
        return self.reason.startswith(REMARK)


@dataclass(frozen=True, slots=True)
class PageMark:
    """Page `page` (from 1) starts at `offset` in the text."""

    offset: int
    page: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document as text: Markdown with its headings, whatever format it came in.

    `pages` is empty for formats without pages. `date` is the day the document is of (front matter,
    document properties, file name or its own first lines), None when nothing says so.
    `notes` are keys of `core.wording`, each followed by a blank and its detail.
    """

    title: str
    text: str
    pages: tuple[PageMark, ...] = ()
    date: date | None = None
    period: TimeSpan | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """One splitter result: a stretch of the text with the headings above it."""

    text: str
    heading_path: tuple[str, ...]
    anchor: str
    offset: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The retrievable piece of a document, with all that a footnote needs."""

    id: str
    collection: str
    document_id: str
    document_hash: str
    title: str
    heading_path: tuple[str, ...]
    text: str
    position: int
    language: str
    page: int | None = None
    anchor: str = ""
    link: str | None = None
    date: date | None = None
    period: TimeSpan | None = None
    origin: Origin = "index"

    @property
    def headed_text(self) -> str:
        """Title and headings above the text: what is embedded and what the lexical list reads."""
        head = [self.title, *(h for h in self.heading_path if h != self.title)]
        return " > ".join(part for part in head if part) + "\n" + self.text


def document_key(document_id: str) -> str:
    """16 hexadecimal digits that stand for a document id inside passage ids."""
    return hashlib.sha256(_nfc(document_id).encode()).hexdigest()[:16]


def passage_id(collection: str, document_id: str, heading_path: Sequence[str], text: str, occurrence: int) -> str:
    """``<collection>:<16 hex of document>:<32 hex of heading path + text + occurrence>``, ASCII.

    The position is not part of it, so an inserted paragraph gives new ids to itself alone;
    `occurrence` (from 0) tells equal passages of one document apart.
    """
    basis = "\x1f".join([*map(_nfc, heading_path), _nfc(text), str(occurrence)])
    return f"{collection}:{document_key(document_id)}:{hashlib.sha256(basis.encode()).hexdigest()[:32]}"


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What the catalog keeps of an indexed document."""

    id: str
    hash: str
    fingerprint: str
    title: str
    language: str
    passages: int
    date: date | None = None
    link: str | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A collection's generated metadata; the router prompt is rendered from these.

    `terms` set the collection apart from the others, `questions` are drawn from its headings.
    Only `hint` is written by a person. `examples` are the phrases that the local router compares
    with; `vectors` holds their float16 rows (C order) made by the embedder named `embedding`. `held` are
    the headings that stand nowhere else on the Card and in no prompt: the router is examined on them.
    `updated` is the day on which a sync of the collection last changed the Card. `questions_of` names
    what a model wrote the questions from; it is empty where they are headings. `edition` is that of the
    code that made the Card.
    """

    collection: str
    version: str
    title: str
    terms: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    languages: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    passages: int = 0
    dates: TimeSpan | None = None
    hint: str = ""
    examples: tuple[str, ...] = ()
    vectors: bytes = b""
    embedding: str = ""
    held: tuple[str, ...] = ()
    updated: date | None = None
    questions_of: str = ""
    edition: int = 0


@dataclass(frozen=True, slots=True)
class Digest:
    """A collection's term statistics, kept with its generation so that any other can contrast with it.

    `terms` counts in how many documents a surface term stands (the most frequent few thousand).
    `questions` are some that its texts ask as a page of questions and answers does.
    """

    collection: str
    documents: int
    terms: Mapping[str, int] = field(default_factory=dict)
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generation:
    """The published state of a collection: which documents by content hash, Card and embedding version."""

    collection: str
    number: int
    embedding: str
    documents: Mapping[str, str]
    card_version: str
    published_at: datetime


@dataclass(frozen=True, slots=True)
class Readable:
    """The collections an audience may read: the result of `core.access.readable`, required everywhere."""

    collections: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scope:
    """The pinned generations of the readable collections: what one turn may see.

    A hit counts only if its (document, hash) is in here.
    """

    generations: tuple[Generation, ...]

    @property
    def key(self) -> tuple[tuple[str, int], ...]:
        """A small hashable name for this scope, for caches."""
        return tuple(sorted((g.collection, g.number) for g in self.generations))

    @property
    def collections(self) -> frozenset[str]:
        """The names of the collections in the scope."""
        return frozenset(g.collection for g in self.generations)

    def by_embedding(self) -> Mapping[str, Scope]:
        """The same pins apart by embedding: vectors of different embedders are never compared. Usually this scope."""
        names = {g.embedding for g in self.generations if g.documents}
        if len(names) == 1:
            return dict.fromkeys(names, self)
        parts = {name: [g for g in self.generations if g.documents and g.embedding == name] for name in sorted(names)}
        return {name: Scope(tuple(part)) for name, part in parts.items()}

    def narrowed(self, collections: Sequence[str]) -> Scope:
        """The same pins for a subset of the collections."""
        wanted = set(collections)
        return Scope(tuple(g for g in self.generations if g.collection in wanted))

    def holds(self, collection: str, document_id: str, document_hash: str) -> bool:
        """Whether this version of the document is published in the pinned generation."""
        return any(
            g.collection == collection and g.documents.get(document_id) == document_hash for g in self.generations
        )


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
