"""An embedder that keeps its rows in a file under build/, so that a benchmark embeds a corpus once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from core.ports import Embedder, Vectors

PLACE = Path("build/vectors.sqlite")


class KeptVectors:
    """Passes on what it has not seen. Queries and passages share rows: for an embedder that treats them alike."""

    def __init__(self, inner: Embedder, place: Path = PLACE) -> None:
        self._inner = inner
        self._place = place
        self._rows: dict[str, Vectors] = {}

    @property
    def name(self) -> str:
        """The name of the embedder inside."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """Its dimension."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        """As the embedder inside, from memory or file where known."""
        self._read([text for text in dict.fromkeys(texts) if text not in self._rows])
        missing = [text for text in dict.fromkeys(texts) if text not in self._rows]
        for start in range(0, len(missing), 512):
            part = missing[start : start + 512]
            self._rows.update(zip(part, await self._inner.embed(part, kind), strict=True))
            self._write(part)
        return np.array([self._rows[text] for text in texts], dtype=np.float32).reshape(len(texts), self.dimension)

    def _open(self) -> sqlite3.Connection:
        self._place.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._place, timeout=60)
        database.execute("create table if not exists e (k text primary key, v blob)")
        return database

    def _read(self, texts: Sequence[str]) -> None:
        if not texts:
            return
        with self._open() as database:
            for text in texts:
                row = database.execute("select v from e where k = ?", (_key(text),)).fetchone()
                if row:
                    self._rows[text] = np.frombuffer(row[0], dtype=np.float32)
        database.close()

    def _write(self, texts: Sequence[str]) -> None:
        with self._open() as database:
            rows = [(_key(text), self._rows[text].astype(np.float32).tobytes()) for text in texts]
            database.executemany("insert or ignore into e values (?, ?)", rows)
        database.close()


def _key(text: str) -> str:
    return hashlib.sha1(text.encode(errors="replace"), usedforsecurity=False).hexdigest()
