"""The pages of a site as they were last given, on disk: what is asked for again is asked for with what is known.

One folder a site: an index, and each body under the hash of its contents. Knows no HTTP and no HTML.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from adapters.sources.choosing import media_type

_INDEX = "pages.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """A page by its address: its kind, the hash of its body, and what the site calls this version.

    `asked` is the other address that led there, if one did.
    """

    url: str
    hash: str
    size: int
    media_type: str
    charset: str = ""
    etag: str = ""
    modified: str = ""
    robots: str = ""
    asked: str = ""

    @property
    def conditions(self) -> dict[str, str]:
        """The headers that ask for the page only if it has changed; none where its kind may be told wrongly.

        “Not modified” tells no kind, and what says of everything that it is plain text may be mended.
        """
        name = media_type(self.url.partition("?")[0])
        if self.media_type == "text/plain" and (not name.startswith("text/") or name == "text/html"):
            return {}
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in named.items() if value}


@dataclass
class Pages:
    """The folder of one site. Whoever uses it is alone: a collection is synced by one process at a time."""

    folder: Path
    known: dict[str, Kept] = field(default_factory=dict)
    _writing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def load(self) -> None:
        """Read the index; one that can't be read is as none."""
        try:
            stored = json.loads((self.folder / _INDEX).read_text("utf-8"))
            self.known = {each["url"]: Kept(**each) for each in stored}
        except (OSError, ValueError, TypeError, KeyError):
            self.known = {}

    def put(self, body: bytes, about: Mapping[str, str]) -> Kept:
        """Keep a body with what is known of it; a crash leaves a whole one or none."""
        name = hashlib.sha256(body).hexdigest()
        path = self._body(name)
        kept = Kept(hash=name, size=len(body), **about)
        with self._writing:
            if not path.is_file():
                _write(path, body)
            self.known[kept.url] = kept
        return kept

    def reached(self, kept: Kept, asked: str) -> Kept:
        """The page with the address that led there now."""
        if asked != kept.asked:
            kept = self.known[kept.url] = replace(kept, asked=asked)
        return kept

    def body(self, name: str) -> bytes | None:
        """The body of that hash, None when it is gone."""
        try:
            return self._body(name).read_bytes()
        except OSError:
            return None

    def save(self) -> None:
        """Write the index."""
        with self._writing:
            self._save()

    def keep_only(self, urls: set[str]) -> None:
        """Forget every other page, and the bodies that no page has; write the index."""
        with self._writing:
            self.known = {url: kept for url, kept in self.known.items() if url in urls}
            self._clean()

    def clean(self) -> None:
        """Write the index, and forget the bodies that no page has: of many a page each visit gets another one."""
        with self._writing:
            self._clean()

    def _clean(self) -> None:
        self._save()
        used = {kept.hash for kept in self.known.values()}
        for path in (self.folder / "bodies").glob("*/*"):
            if path.name not in used:
                path.unlink(missing_ok=True)

    def _save(self) -> None:
        listed = [asdict(each) for each in self.known.values()]
        _write(self.folder / _INDEX, json.dumps(listed, ensure_ascii=False).encode())

    def _body(self, name: str) -> Path:
        return self.folder / "bodies" / name[:2] / name


def _write(path: Path, data: bytes) -> None:
    """In one step over what is there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(data)
    beside.replace(path)
