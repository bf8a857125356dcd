"""What a sync has to look at, decided from the listing and the catalog alone; pure.

The fingerprint decides what is read at all, the content hash what has changed. Both carry the recipe
(embedder, parsers, splitter, analyzer by version), so that a new recipe reads everything again, and the document's
media type, since the parser is chosen by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.documents import DocumentRecord, Listing, Problem, SourceEntry

EMPTY = "parse.empty"
FINAL = frozenset(
    (
        *(EMPTY, "parse.bomb", "parse.broken", "parse.convert", "parse.encoding", "parse.garbled", "parse.lfs"),
        *("parse.password", "parse.scanned"),
    )
)
"""Refusals that hang on the document and the recipe alone. Others may pass, or hang on limits that can be raised."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How documents become passages and vectors, as one short name."""

    text: str

    def fingerprint(self, entry: SourceEntry) -> str:
        """The entry's fingerprint under this recipe."""
        return f"{hashlib.sha256(self._of(entry)).hexdigest()[:8]}:{entry.fingerprint}"

    def content_hash(self, data: bytes, entry: SourceEntry) -> str:
        """64 hexadecimal digits of recipe, media type and bytes."""
        return hashlib.sha256(self._of(entry) + b"\0" + data).hexdigest()

    def _of(self, entry: SourceEntry) -> bytes:
        return f"{self.text}\0{entry.media_type}".encode()


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """`unchanged` need no look, `candidates` must be read; what is in neither is in the source no more.

    `refused` are the documents that could not be read before and are the same as then. One that has an older version
    that could is among the unchanged too.
    """

    unchanged: Mapping[str, DocumentRecord]
    refused: tuple[Problem, ...]
    candidates: tuple[SourceEntry, ...]


def plan(
    listing: Listing, records: Mapping[str, DocumentRecord], problems: Sequence[Problem], recipe: Recipe
) -> SyncPlan:
    """Compare by fingerprint. A document that the source could not list is a problem, not missing."""
    entries = {entry.id: entry for entry in listing.entries}
    troubled = {problem.document for problem in listing.problems}
    now = {id_: recipe.fingerprint(entry) for id_, entry in entries.items()}
    refused = {
        each.document: each for each in problems if each.fingerprint and each.fingerprint == now.get(each.document)
    }
    unchanged = {
        id_: records[id_]
        for id_ in entries
        if id_ in records and (id_ in refused or records[id_].fingerprint == now[id_])
    }
    missing = {id_: record for id_, record in records.items() if id_ not in entries and not listing.is_gone(id_)}
    kept = {id_: record for id_, record in missing.items() if not listing.complete or id_ in troubled}
    return SyncPlan(
        unchanged={**unchanged, **kept},
        refused=tuple(refused.values()),
        candidates=tuple(
            entry for id_, entry in sorted(entries.items()) if id_ not in unchanged and id_ not in refused
        ),
    )
