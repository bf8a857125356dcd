"""What a sync has to look at, decided from the listing and the catalog alone; pure.

The fingerprint decides what is read at all, the content hash what has changed. Both carry the recipe
(embedder, parsers, splitter, analyzer by version), so that a new recipe reads everything again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from core.documents import DocumentRecord, Listing, SourceEntry


@dataclass(frozen=True, slots=True)
class Recipe:
    """How documents become passages and vectors, as one short name."""

    text: str

    def fingerprint(self, entry: SourceEntry) -> str:
        """The entry's fingerprint under this recipe."""
        return f"{hashlib.sha256(self.text.encode()).hexdigest()[:8]}:{entry.fingerprint}"

    def content_hash(self, data: bytes) -> str:
        """64 hexadecimal digits of recipe and bytes."""
        return hashlib.sha256(self.text.encode() + b"\0" + data).hexdigest()


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """`unchanged` need no look, `candidates` must be read; what is in neither is in the source no more."""

    unchanged: Mapping[str, DocumentRecord]
    candidates: tuple[SourceEntry, ...]


def plan(listing: Listing, records: Mapping[str, DocumentRecord], recipe: Recipe) -> SyncPlan:
    """Compare by fingerprint. A document that the source could not list is a problem, not missing."""
    entries = {entry.id: entry for entry in listing.entries}
    troubled = {problem.document for problem in listing.problems}
    unchanged = {
        id_: records[id_]
        for id_, entry in entries.items()
        if id_ in records and records[id_].fingerprint == recipe.fingerprint(entry)
    }
    missing = {id_: record for id_, record in records.items() if id_ not in entries and not listing.is_gone(id_)}
    kept = {id_: record for id_, record in missing.items() if not listing.complete or id_ in troubled}
    return SyncPlan(
        unchanged={**unchanged, **kept},
        candidates=tuple(entry for id_, entry in sorted(entries.items()) if id_ not in unchanged),
    )
