"""The tables of the index file and how it is opened. Knows no search.

Every row that a reader mirrors in memory carries the number of the write that made it (`seq`), and
every removal leaves a tombstone with its number: a process catches up by reading what is newer than
what it has. `meta.seq` is the last number; a reader older than `meta.horizon` starts anew.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import Busy, StoreError

VERSION = 1

_OPENING = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Seconds between the tries to open."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE embeddings (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL);
CREATE TABLE versions (
    id INTEGER PRIMARY KEY, collection TEXT NOT NULL, document TEXT NOT NULL, hash TEXT NOT NULL,
    embedding TEXT NOT NULL, seq INTEGER NOT NULL,
    UNIQUE (collection, document, hash));
CREATE INDEX versions_seq ON versions (seq);
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, collection TEXT NOT NULL, document TEXT NOT NULL,
    language TEXT NOT NULL, headings TEXT NOT NULL, text TEXT NOT NULL, seq INTEGER NOT NULL);
CREATE INDEX passages_seq ON passages (seq);
CREATE TABLE placements (
    version INTEGER NOT NULL, passage INTEGER NOT NULL, position INTEGER NOT NULL, title TEXT NOT NULL,
    page INTEGER, anchor TEXT NOT NULL, link TEXT, day TEXT, period_start TEXT, period_end TEXT,
    seq INTEGER NOT NULL,
    PRIMARY KEY (version, passage)) WITHOUT ROWID;
CREATE INDEX placements_passage ON placements (passage);
CREATE INDEX placements_seq ON placements (seq, version, passage);
CREATE TABLE vectors (
    passage INTEGER NOT NULL, embedding INTEGER NOT NULL, vector BLOB NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (embedding, passage));
CREATE INDEX vectors_seq ON vectors (embedding, seq);
CREATE TABLE words (
    passage INTEGER PRIMARY KEY, analyzer TEXT NOT NULL, codes BLOB NOT NULL, counts BLOB NOT NULL,
    seq INTEGER NOT NULL);
CREATE INDEX words_seq ON words (seq);
CREATE VIRTUAL TABLE identifiers USING fts5 (words, tokenize = 'trigram');
CREATE TABLE tombstones (kind TEXT NOT NULL, id INTEGER NOT NULL, seq INTEGER NOT NULL);
CREATE INDEX tombstones_seq ON tombstones (seq);
CREATE VIEW placed AS
    SELECT p.name, v.collection, v.document, v.hash, l.title, p.headings, p.text, l.position, p.language,
        l.page, l.anchor, l.link, l.day, l.period_start, l.period_end
    FROM versions v JOIN placements l ON l.version = v.id JOIN passages p ON p.id = l.passage;
INSERT INTO meta VALUES ('seq', 0), ('horizon', 0);
"""


def connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode, the tables made if they are not there. Raises StoreError."""
    with store_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # One thread at a time uses a connection, but not always the thread that opened it.
        connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
        try:
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            _ensure_tables(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """SQLite's and the file system's errors as StoreError or Busy; a bug in a statement stays what it is."""
    try:
        yield
    except sqlite3.Error as error:
        primary = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise StoreError(path=path, what=str(error)) from error
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Busy(detail=str(error)) from error
        if isinstance(error, sqlite3.OperationalError) and primary != sqlite3.SQLITE_ERROR:
            raise StoreError("error.store_access", path=path, what=str(error)) from error
        raise
    except OSError as error:
        raise StoreError("error.store_access", path=path, what=error.strerror or str(error)) from error


@contextmanager
def transaction(connection: sqlite3.Connection, kind: str) -> Iterator[sqlite3.Connection]:
    """``IMMEDIATE`` to write, ``DEFERRED`` to read under one snapshot."""
    connection.execute(f"BEGIN {kind}")
    try:
        yield connection
    except BaseException:
        if connection.in_transaction:  # a full disk, for one, has ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _write_ahead(connection: sqlite3.Connection) -> None:
    """The change to WAL waits for nobody, not even for the timeout: processes that make the file at once try again."""
    for patience in _OPENING:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            time.sleep(patience)
        else:
            return
    connection.execute("PRAGMA journal_mode = WAL")


def _ensure_tables(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == 0:
        with transaction(connection, "IMMEDIATE"):  # two processes may meet here: the second finds it done
            if _version(connection) == 0:
                _refuse_foreign(connection, path)
                for statement in TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")
    elif _version(connection) != VERSION:
        raise StoreError("error.store_newer", path=path)


def _version(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return found


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    """A database of something else is never written to."""
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise StoreError(path=path, what="it is a database of another kind")
