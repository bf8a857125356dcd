"""Passages read back from the index file. Blocking; each function reads under its caller's snapshot."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import date
from typing import Any

from adapters.embedded.terms import folded
from core.documents import Passage, Scope, TimeSpan

_CANDIDATES = 2000
_TOGETHER = """
SELECT json_group_array(json_array(name, collection, document, hash, title, headings, text, position, language,
    page, anchor, link, day, period_start, period_end))
FROM placed WHERE name IN (SELECT value FROM json_each(?))
"""
"""All rows as one: with each row the interpreter is given up and waited for again, which under load costs more
than reading it."""


def published(connection: sqlite3.Connection, scope: Scope, ids: list[str]) -> dict[str, Passage]:
    """The passages among `ids` that the scope publishes, in its version."""
    pinned = {generation.collection: generation.documents for generation in scope.generations}
    (rows,) = connection.execute(_TOGETHER, (json.dumps(ids),)).fetchone()
    return {
        row[0]: _passage(row)
        for row in json.loads(rows)
        for _, collection, document, digest in (row[:4],)
        if pinned.get(collection, {}).get(document) == digest
    }


def known(connection: sqlite3.Connection, collection: str, ids: list[str], embedding: str) -> frozenset[str]:
    """Which of `ids` have a vector of this embedding (``""``: of any)."""
    rows = connection.execute(
        "SELECT p.name FROM passages p WHERE p.name IN (SELECT value FROM json_each(?)) AND p.collection = ?"
        " AND EXISTS (SELECT 1 FROM embeddings e JOIN vectors v ON v.embedding = e.id AND v.passage = p.id"
        " WHERE ? IN ('', e.name))",
        (json.dumps(ids), collection, embedding),
    )
    return frozenset(row[0] for row in rows)


def dimensions(connection: sqlite3.Connection) -> dict[str, int]:
    """The embeddings that there are vectors of, with their dimensions."""
    return dict(connection.execute("SELECT name, dimension FROM embeddings"))


def analyzers(connection: sqlite3.Connection) -> dict[str, int]:
    """How many passages have their words by which analyzer."""
    return dict(connection.execute("SELECT analyzer, count(*) FROM words GROUP BY analyzer"))


def versions(connection: sqlite3.Connection, collection: str) -> list[tuple[str, str]]:
    """Every version (document id, hash) the file holds, published or not."""
    return connection.execute(
        "SELECT document, hash FROM versions WHERE collection = ? ORDER BY document, id", (collection,)
    ).fetchall()


def version_passages(
    connection: sqlite3.Connection, collection: str, wanted: Sequence[tuple[str, str]]
) -> list[Passage]:
    """The passages of these versions, each document's in reading order."""
    query = "SELECT * FROM placed WHERE collection = ? AND document = ? AND hash = ? ORDER BY position"
    return [_passage(row) for key in wanted for row in connection.execute(query, (collection, *key))]


def holding_identifier(connection: sqlite3.Connection, term: str, collections: Sequence[str]) -> list[str]:
    """Ids of passages of these collections among whose identifiers the term stands; nothing that trigrams can't find.

    What stands in other collections must not take the candidates' places: an answer would tell of it.
    """
    wanted = folded(term.strip())
    if len(wanted) < 3 or any(character.isspace() for character in wanted):
        return []
    phrase = '"' + wanted.replace('"', '""') + '"'
    rows = connection.execute(
        "SELECT p.name FROM identifiers i JOIN passages p ON p.id = i.rowid"
        " WHERE i.words MATCH ? AND p.collection IN (SELECT value FROM json_each(?)) LIMIT ?",
        (phrase, json.dumps(list(collections)), _CANDIDATES),
    )
    return [row[0] for row in rows]


def _passage(row: Sequence[Any]) -> Passage:
    (name, collection, document, digest, title, headings, text, position, language, page, anchor, link, *days) = row
    day, start, end = (date.fromisoformat(value) if value else None for value in days)
    return Passage(
        id=name,
        collection=collection,
        document_id=document,
        document_hash=digest,
        title=title,
        heading_path=tuple(json.loads(headings)),
        text=text,
        position=position,
        language=language,
        page=page,
        anchor=anchor,
        link=link,
        date=day,
        period=TimeSpan(start, end) if start and end else None,
    )
