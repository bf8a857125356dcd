"""What a process holds of the index in memory, and how it catches up with what others wrote.

Used by one thread alone. Knows no scores and no scopes: `views.py` says which rows count.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from adapters.embedded.blocks import ROWS, Block, Codes

_CHUNK = 2048
_NO_WORDS = (np.zeros(0, np.uint32), np.zeros(0, np.uint16))

Words = dict[int, dict[int, tuple[Codes, NDArray[np.uint16]]]]


class Mirror:
    """Rows (one a passage) with their words and vectors, and which version of a document has which passages.

    `analyzers` are those that read the words in here: one, but after a change of it.
    """

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self.seq = -1
        self.blocks: list[Block] = []
        self.names: list[str] = []
        self.document = np.zeros(0, np.int32)
        self.language = np.zeros(0, np.int16)
        self.length = np.zeros(0, np.float32)
        self.alive = np.zeros(0, bool)
        self._read_by = np.zeros(0, np.int8)
        self.analyzers: tuple[str, ...] = ()
        self.has_vector: dict[str, NDArray[np.bool_]] = {}
        self.row_of: dict[int, int] = {}
        self.documents: list[tuple[str, str]] = []
        self.languages: list[str] = []
        self.versions: dict[tuple[str, str, str], int] = {}
        self.pairs = np.zeros((0, 2), np.int64)
        self._analyzer_names: list[str] = []
        self._document_numbers: dict[tuple[str, str], int] = {}
        self._version_keys: dict[int, tuple[str, str, str]] = {}
        self._free: list[int] = []

    @property
    def capacity(self) -> int:
        """Rows there is room for."""
        return len(self.names)

    def refresh(self, connection: sqlite3.Connection) -> bool:
        """Catch up with the file; whether anything changed. The caller holds a read transaction."""
        seq = _meta(connection, "seq")
        if seq == self.seq:
            return False
        if self.seq < _meta(connection, "horizon"):
            self._clear()
        try:
            self._unload(connection)
            words = self._bury(connection)
            self._add_passages(connection)
            self._add_words(connection, words)
            for embedding in self.has_vector:
                self._add_vectors(connection, embedding, self.seq)
            self._add_versions(connection)
        except BaseException:
            self._clear()  # half a step can't be taken back, so the next one starts anew
            raise
        codes = np.unique(self._read_by[self.length > 0])
        self.analyzers = tuple(self._analyzer_names[code] for code in codes)
        self.seq = seq
        return True

    def load(self, connection: sqlite3.Connection, embedding: str) -> None:
        """Hold the vectors of this embedding from now on; in the same transaction as the last `refresh`."""
        if embedding not in self.has_vector:
            self.has_vector[embedding] = np.zeros(self.capacity, bool)
            self._add_vectors(connection, embedding, -1)

    def _unload(self, connection: sqlite3.Connection) -> None:
        """Give back the memory of embeddings that the file has no vectors of any more."""
        stored = {name for (name,) in connection.execute("SELECT name FROM embeddings")}
        for embedding in self.has_vector.keys() - stored:
            del self.has_vector[embedding]
            for block in self.blocks:
                block.matrices.pop(embedding, None)

    def _bury(self, connection: sqlite3.Connection) -> Words:
        """Take out what was removed; the words to clear, by block and row."""
        gone: dict[str, list[int]] = {"passage": [], "version": []}
        if self.seq >= 0:  # a first read has nothing to take out
            for kind, number in connection.execute("SELECT kind, id FROM tombstones WHERE seq > ?", (self.seq,)):
                gone[kind].append(number)
        words: Words = defaultdict(dict)
        for passage in gone["passage"]:
            row = self.row_of.pop(passage, None)
            if row is not None:
                words[row // ROWS][row % ROWS] = _NO_WORDS
                self._empty(row)
        for version in gone["version"]:
            self.versions.pop(self._version_keys.pop(version, ("", "", "")), None)
        if gone["version"]:
            self.pairs = self.pairs[~np.isin(self.pairs[:, 0], gone["version"])]
        return words

    def _empty(self, row: int) -> None:
        self.alive[row] = False
        self.length[row] = 0
        self.names[row] = ""
        for present in self.has_vector.values():
            present[row] = False
        self._free.append(row)

    def _add_passages(self, connection: sqlite3.Connection) -> None:
        found = connection.execute(
            "SELECT id, name, collection, document, language FROM passages WHERE seq > ? ORDER BY id", (self.seq,)
        )
        for number, name, collection, document, language in found:
            row = self.row_of[number] if number in self.row_of else self._take_row()
            self.row_of[number] = row
            self.names[row] = name
            self.document[row] = self._document_number((collection, document))
            self.language[row] = self._language_number(language)
            self.alive[row] = True

    def _take_row(self) -> int:
        if not self._free:
            start = self.capacity
            self.blocks.append(Block())
            self.names.extend([""] * ROWS)
            self.document = np.concatenate([self.document, np.zeros(ROWS, np.int32)])
            self.language = np.concatenate([self.language, np.zeros(ROWS, np.int16)])
            self.length = np.concatenate([self.length, np.zeros(ROWS, np.float32)])
            self.alive = np.concatenate([self.alive, np.zeros(ROWS, bool)])
            self._read_by = np.concatenate([self._read_by, np.zeros(ROWS, np.int8)])
            for name, present in self.has_vector.items():
                self.has_vector[name] = np.concatenate([present, np.zeros(self.capacity - len(present), bool)])
            self._free = list(range(self.capacity - 1, start - 1, -1))
        return self._free.pop()

    def _document_number(self, key: tuple[str, str]) -> int:
        number = self._document_numbers.setdefault(key, len(self.documents))
        if number == len(self.documents):
            self.documents.append(key)
        return number

    def _language_number(self, language: str) -> int:
        if language not in self.languages:
            self.languages.append(language)
        return self.languages.index(language)

    def _analyzer_number(self, analyzer: str) -> int:
        if analyzer not in self._analyzer_names:
            self._analyzer_names.append(analyzer)
        return self._analyzer_names.index(analyzer)

    def _add_words(self, connection: sqlite3.Connection, words: Words) -> None:
        found = connection.execute(
            "SELECT passage, analyzer, codes, counts FROM words WHERE seq > ? ORDER BY passage", (self.seq,)
        )
        while chunk := found.fetchmany(_CHUNK):
            for passage, analyzer, codes, counts in chunk:
                row = self.row_of[passage]
                self._read_by[row] = self._analyzer_number(analyzer)
                own = np.frombuffer(counts, "<u2")
                self.length[row] = own.sum(dtype=np.float32)
                words[row // ROWS][row % ROWS] = (np.frombuffer(codes, "<u4"), own)
            if sum(map(len, words.values())) > ROWS:
                self._rebuild(words)
        self._rebuild(words)

    def _rebuild(self, words: Words) -> None:
        for number, rows in words.items():
            block = self.blocks[number]
            block.postings = block.postings.replaced(rows)
        words.clear()

    def _add_vectors(self, connection: sqlite3.Connection, embedding: str, since: int) -> None:
        known = connection.execute("SELECT id, dimension FROM embeddings WHERE name = ?", (embedding,)).fetchone()
        if known is None:
            return
        number, dimension = known
        found = connection.execute(
            "SELECT passage, vector FROM vectors WHERE embedding = ? AND seq > ?", (number, since)
        )
        while chunk := found.fetchmany(_CHUNK):
            rows = np.array([self.row_of[passage] for passage, _ in chunk])
            vectors = np.frombuffer(b"".join(vector for _, vector in chunk), "<f2").reshape(len(chunk), dimension)
            for block in np.unique(rows // ROWS):
                here = rows // ROWS == block
                self.blocks[block].matrix(embedding, dimension)[:, rows[here] % ROWS] = vectors[here].T
            self.has_vector[embedding][rows] = True

    def _add_versions(self, connection: sqlite3.Connection) -> None:
        found = connection.execute("SELECT id, collection, document, hash FROM versions WHERE seq > ?", (self.seq,))
        for number, *key in found:
            name = (key[0], key[1], key[2])
            self.versions[name] = number
            self._version_keys[number] = name
        new = connection.execute("SELECT version, passage FROM placements WHERE seq > ?", (self.seq,)).fetchall()
        if new:
            self.pairs = np.concatenate([self.pairs, np.array(new, np.int64)])


def _meta(connection: sqlite3.Connection, key: str) -> int:
    return int(connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0])
