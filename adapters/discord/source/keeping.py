"""What was read of each thread, kept between syncs: a thread in which nothing happened is not read again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass
from pathlib import Path

FORM = 1
"""Raise it when threads are written down in another way: all are then read again."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A thread as it was read at `mark`; no text when it was not worth being found."""

    mark: str
    text: str

    @property
    def hash(self) -> str:
        """Of its words."""
        return hashlib.sha256(self.text.encode("utf-8", "replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Shelf:
    """One file a thread in `folder`. All of it blocks."""

    folder: Path

    def get(self, id_: str) -> Kept | None:
        """The thread as it was read; None when it never was, or the file can't be used."""
        try:
            found = json.loads(self._path(id_).read_bytes())
            return Kept(str(found["mark"]), str(found["text"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def marks(self, ids: Collection[str]) -> dict[str, str]:
        """At which mark each of them was read."""
        return {id_: kept.mark for id_ in ids if (kept := self.get(id_)) is not None}

    def put(self, id_: str, kept: Kept) -> None:
        """Keep it; a crash leaves the old one or the new one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._path(id_).with_suffix(".part")
        part.write_bytes(json.dumps(asdict(kept)).encode())
        part.replace(self._path(id_))

    def keep_only(self, ids: Collection[str]) -> None:
        """Forget all others."""
        wanted = {self._path(id_).name for id_ in ids}
        for path in self.folder.glob("*") if self.folder.is_dir() else ():
            if path.name not in wanted:
                path.unlink(missing_ok=True)

    def _path(self, id_: str) -> Path:
        return self.folder / f"{int(id_)}.json"
