"""How things are called at Pinecone: indexes, namespaces, records. Pure.

A record is one passage in one version of its document: `<document key>:<version key>:<language>:<passage id>`.
Ids tell all that a search result needs, and their beginnings list a document's or a version's records, so that
nothing is ever deleted by a filter.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from core.documents import Generation, Passage, document_key

LOTS = 1_000_000
"""Passages draw lots by their id; the probe sample is those with the lowest."""


def index_name(name: str, dimension: int) -> str:
    """An index has one dimension: another embedder gets another index, beside the one that still serves."""
    return f"{name}-{dimension}"


def dimension_in(name: str, full: str) -> int | None:
    """The dimension in an index's name; None when it is none of ours."""
    match = re.fullmatch(rf"{re.escape(name)}-(\d{{1,5}})", full)
    return int(match[1]) if match else None


def namespaces_of(collection: str) -> str:
    """What the names of a collection's namespaces begin with."""
    return f"{collection}."


def namespace(collection: str, embedding: str) -> str:
    """One for each collection and embedding version: readable, ASCII, and different for different embeddings."""
    readable = re.sub(r"[^A-Za-z0-9_-]+", "-", embedding)[:60]
    return f"{namespaces_of(collection)}{readable}.{hashlib.sha256(embedding.encode()).hexdigest()[:8]}"


def version_key(document_id: str, document_hash: str) -> str:
    """16 hexadecimal digits that stand for one version of a document."""
    return hashlib.sha256(f"{document_id}\0{document_hash}".encode()).hexdigest()[:16]


def document_prefix(document_id: str) -> str:
    """What the ids of all records of a document begin with."""
    return f"{document_key(document_id)}:"


def passage_prefix(passage_id: str) -> str:
    """The same, from the id of a passage of the document; empty for what is no such id."""
    parts = passage_id.split(":")
    return f"{parts[1]}:" if len(parts) == 3 else ""


def version_prefix(document_id: str, document_hash: str) -> str:
    """What the ids of all records of one version begin with."""
    return f"{document_prefix(document_id)}{version_key(document_id, document_hash)}:"


def record_id(passage: Passage) -> str:
    """The record of a passage in its version."""
    return f"{version_prefix(passage.document_id, passage.document_hash)}{passage.language}:{passage.id}"


def passage_of(record: str) -> str:
    """The passage's id in a record's; it holds colons itself."""
    return record.split(":", 3)[3]


def lot(passage_id: str) -> int:
    """0 to LOTS - 1, the same in every version."""
    return int(hashlib.sha256(passage_id.encode()).hexdigest()[:8], 16) % LOTS


def metadata(passage: Passage) -> dict[str, str | int]:
    """What stands beside a vector, to filter by and to be read at Pinecone's own pages."""
    return {
        "document": passage.document_id,
        "hash": passage.document_hash,
        "version": version_key(passage.document_id, passage.document_hash),
        "language": passage.language,
        "lot": lot(passage.id),
    }


@dataclass(frozen=True, slots=True)
class Pins:
    """The versions that a generation publishes, by version key."""

    generation: Generation
    versions: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, generation: Generation) -> Pins:
        """Hashes every version once: keep it."""
        pairs = generation.documents.items()
        return cls(generation, {version_key(document, digest): (document, digest) for document, digest in pairs})
