"""What a write does to the index file: passages, versions, vectors, words. Blocking; one transaction each.

Knows nothing of what readers hold in memory, only that they follow `seq`.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.embedded.identifiers import identifier_text
from adapters.embedded.terms import codes_of
from core.documents import Passage
from core.errors import StoreError
from core.ports import Analyzer, IndexEntry

KEPT_TOMBSTONES = 200_000
"""More removals than this, and readers that are behind read everything again."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The entries of one upsert."""

    collection: str
    embedding: str
    entries: Sequence[IndexEntry]


def put_vectors(connection: sqlite3.Connection, batch: Batch) -> None:
    """Passages, their versions, and the vectors that came along (kept as float16)."""
    seq = _next(connection)
    ids = _put_passages(connection, batch, seq)
    _claim_versions(connection, batch)
    rows = [(ids[e.passage.id], e.vector) for e in batch.entries if e.vector is not None]
    if not rows:
        return
    number = _embedding(connection, batch.embedding, len(rows[0][1]))
    connection.executemany(
        "INSERT INTO vectors (passage, embedding, vector, seq) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (embedding, passage) DO UPDATE SET vector = excluded.vector, seq = excluded.seq",
        [(passage, number, vector.astype("<f2").tobytes(), seq) for passage, vector in rows],
    )


def put_words(connection: sqlite3.Connection, batch: Batch, analyzer: Analyzer) -> None:
    """Passages, their versions, and the words of those whose text is new or came with a vector."""
    seq = _next(connection)
    ids = _put_passages(connection, batch, seq)
    with_words = _having_words(connection, ids.values(), analyzer.name)
    fresh = {
        ids[entry.passage.id]: entry.passage
        for entry in batch.entries
        if entry.vector is not None or ids[entry.passage.id] not in with_words
    }
    connection.executemany(
        "INSERT OR REPLACE INTO words (passage, analyzer, codes, counts, seq) VALUES (?, ?, ?, ?, ?)",
        [(number, analyzer.name, *_words(passage, analyzer), seq) for number, passage in fresh.items()],
    )
    connection.executemany("DELETE FROM identifiers WHERE rowid = ?", [(number,) for number in fresh])
    connection.executemany(
        "INSERT INTO identifiers (rowid, words) VALUES (?, ?)",
        [(number, identifier_text(passage)) for number, passage in fresh.items()],
    )


def remove_versions(connection: sqlite3.Connection, collection: str, versions: Sequence[tuple[str, str]]) -> None:
    """Forget versions of documents, then passages and vectors that no version needs any more."""
    seq = _next(connection)
    for document, digest in versions:
        row = connection.execute(
            "DELETE FROM versions WHERE collection = ? AND document = ? AND hash = ? RETURNING id",
            (collection, document, digest),
        ).fetchone()
        if row is not None:
            connection.execute("INSERT INTO tombstones VALUES ('version', ?, ?)", (row[0], seq))
            _remove_placements(connection, row[0], seq)
    connection.execute(  # readers give back the memory of an embedding that is gone
        "DELETE FROM embeddings WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE embedding = embeddings.id)"
    )
    _prune(connection)


def _remove_placements(connection: sqlite3.Connection, version: int, seq: int) -> None:
    passages = [
        row[0] for row in connection.execute("DELETE FROM placements WHERE version = ? RETURNING passage", (version,))
    ]
    for passage in passages:
        if connection.execute("SELECT 1 FROM placements WHERE passage = ? LIMIT 1", (passage,)).fetchone() is None:
            _remove_passage(connection, passage, seq)
            continue
        connection.execute(  # vectors of an embedding that no version is published with any more
            "DELETE FROM vectors WHERE passage = :passage AND embedding IN (SELECT id FROM embeddings WHERE name NOT IN"
            " (SELECT v.embedding FROM placements l JOIN versions v ON v.id = l.version WHERE l.passage = :passage))",
            {"passage": passage},
        )


def _remove_passage(connection: sqlite3.Connection, passage: int, seq: int) -> None:
    connection.execute("DELETE FROM passages WHERE id = ?", (passage,))
    connection.execute("DELETE FROM words WHERE passage = ?", (passage,))
    connection.execute("DELETE FROM identifiers WHERE rowid = ?", (passage,))
    connection.execute("DELETE FROM vectors WHERE passage = ? AND embedding IN (SELECT id FROM embeddings)", (passage,))
    connection.execute("INSERT INTO tombstones VALUES ('passage', ?, ?)", (passage, seq))


def _put_passages(connection: sqlite3.Connection, batch: Batch, seq: int) -> dict[str, int]:
    """Rows for passages, versions and placements; the passages' row numbers by id."""
    versions: dict[tuple[str, str], int] = {}
    ids: dict[str, int] = {}
    for entry in batch.entries:
        passage = entry.passage
        key = (passage.document_id, passage.document_hash)
        if key not in versions:
            versions[key] = _put_version(connection, batch, key, seq)
        ids[passage.id] = _put_passage(connection, passage, seq)
        _put_placement(connection, versions[key], ids[passage.id], passage, seq)
    return ids


def _put_version(connection: sqlite3.Connection, batch: Batch, key: tuple[str, str], seq: int) -> int:
    found = connection.execute(
        "SELECT id FROM versions WHERE collection = ? AND document = ? AND hash = ?", (batch.collection, *key)
    ).fetchone()
    if found is not None:
        return int(found[0])
    return _inserted(
        connection,
        "INSERT INTO versions (collection, document, hash, embedding, seq) VALUES (?, ?, ?, ?, ?)",
        (batch.collection, *key, batch.embedding, seq),
    )


def _claim_versions(connection: sqlite3.Connection, batch: Batch) -> None:
    """A version that is carried over to another embedding keeps those vectors when others are cleaned up."""
    keys = {(entry.passage.document_id, entry.passage.document_hash) for entry in batch.entries}
    connection.executemany(
        "UPDATE versions SET embedding = ? WHERE collection = ? AND document = ? AND hash = ? AND embedding <> ?",
        [(batch.embedding, batch.collection, *key, batch.embedding) for key in sorted(keys)],
    )


def _put_passage(connection: sqlite3.Connection, passage: Passage, seq: int) -> int:
    """The text under an id never changes; the language of one that has none of its own is that of its document."""
    found = connection.execute("SELECT id, language FROM passages WHERE name = ?", (passage.id,)).fetchone()
    if found is not None:
        if found[1] != passage.language:
            connection.execute(
                "UPDATE passages SET language = ?, seq = ? WHERE id = ?", (passage.language, seq, found[0])
            )
        return int(found[0])
    headings = json.dumps(passage.heading_path, ensure_ascii=False)
    return _inserted(
        connection,
        "INSERT INTO passages (name, collection, document, language, headings, text, seq) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (passage.id, passage.collection, passage.document_id, passage.language, headings, passage.text, seq),
    )


def _put_placement(connection: sqlite3.Connection, version: int, number: int, passage: Passage, seq: int) -> None:
    period = passage.period
    connection.execute(
        # readers mirror only which passages a version has: new metadata needs no new `seq`
        "INSERT INTO placements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (version, passage) DO UPDATE SET position = excluded.position, title = excluded.title,"
        " page = excluded.page, anchor = excluded.anchor, link = excluded.link, day = excluded.day,"
        " period_start = excluded.period_start, period_end = excluded.period_end",
        (
            version,
            number,
            passage.position,
            passage.title,
            passage.page,
            passage.anchor,
            passage.link,
            passage.date.isoformat() if passage.date else None,
            period.start.isoformat() if period else None,
            period.end.isoformat() if period else None,
            seq,
        ),
    )


def _words(passage: Passage, analyzer: Analyzer) -> tuple[bytes, bytes]:
    counted = Counter(codes_of(analyzer.tokens(passage.headed_text)))
    codes = np.fromiter(counted.keys(), "<u4", len(counted))
    counts = np.fromiter((min(n, 65_535) for n in counted.values()), "<u2", len(counted))
    return codes.tobytes(), counts.tobytes()


def _having_words(connection: sqlite3.Connection, ids: Iterable[int], analyzer: str) -> set[int]:
    query = "SELECT passage FROM words WHERE passage = ? AND analyzer = ?"
    found = (connection.execute(query, (number, analyzer)).fetchone() for number in ids)
    return {row[0] for row in found if row is not None}


def _embedding(connection: sqlite3.Connection, name: str, dimension: int) -> int:
    connection.execute("INSERT OR IGNORE INTO embeddings (name, dimension) VALUES (?, ?)", (name, dimension))
    number, known = connection.execute("SELECT id, dimension FROM embeddings WHERE name = ?", (name,)).fetchone()
    if known != dimension:
        raise mismatch(name, known, dimension)
    return int(number)


def mismatch(embedding: str, stored: int, asked: int) -> StoreError:
    """A name stands for one dimension, or vectors that can't be compared would stand together."""
    return StoreError("error.embedding_dimension", embedding=embedding, stored=stored, asked=asked)


def _next(connection: sqlite3.Connection) -> int:
    row = connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'seq' RETURNING value").fetchone()
    return int(row[0])


def _inserted(connection: sqlite3.Connection, statement: str, values: Sequence[object]) -> int:
    number = connection.execute(statement, values).lastrowid
    assert number is not None
    return number


def _prune(connection: sqlite3.Connection) -> None:
    kept = connection.execute(
        "SELECT seq FROM tombstones ORDER BY seq DESC LIMIT 1 OFFSET ?", (KEPT_TOMBSTONES,)
    ).fetchone()
    if kept is not None:
        connection.execute("DELETE FROM tombstones WHERE seq <= ?", kept)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'horizon'", kept)
