"""A file of JSON lines as a source of documents: whatever else there is can be written as one.

Each line is an object: `text` (Markdown), and if known `id`, `title`, `url`, `date` and `updated`. Lines that can't
be used are named by their number, the others go in.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from adapters.sources.files import opened, there
from core.documents import Listing, Problem, SourceEntry
from core.errors import ParseError, SourceError
from core.indexing.text import one_line
from core.web.addresses import address

LONGEST_ID = 300


class _Illegible(ValueError):
    """A line that may be any document: nothing is taken for deleted while there is one."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A document as its line says it."""

    id: str
    text: str
    title: str = ""
    url: str | None = None
    dates: Mapping[str, str] = field(default_factory=dict)

    def data(self) -> bytes:
        """As Markdown with its fields above it."""
        fields = {"title": self.title, **self.dates}
        lines = [f'{name}: "{" ".join(value.split())}"' for name, value in fields.items() if value]
        return "\n".join(["---", *lines, "---", "", self.text, ""]).encode() if lines else self.text.encode()


@dataclass(frozen=True, slots=True)
class JsonLinesSource:
    """The lines of `path`; a line longer than `max_bytes` is refused."""

    path: Path
    max_bytes: int = 25 * 2**20

    async def list(self) -> Listing:
        """The documents of the file; raises SourceError `error.jsonl_missing` or `error.jsonl_empty`."""
        return await asyncio.to_thread(self._list)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The document as Markdown; raises ParseError `parse.gone` when its line is another by now."""
        return await asyncio.to_thread(self._fetch, entry)

    def _list(self) -> Listing:
        entries: dict[str, SourceEntry] = {}
        problems: list[Problem] = []
        complete = True
        for number, offset, raw in self._lines():
            try:
                line = _read(raw, number, self.max_bytes)
                if line.id in entries:
                    raise ValueError(f"the id {line.id} stands twice")
            except ValueError as error:
                illegible = isinstance(error, _Illegible)
                complete = complete and not illegible
                reason = "parse.line_open" if illegible else "parse.line"
                problems.append(Problem(f"{self.path.name}:{number}", reason, one_line(str(error))[:200]))
                continue
            data = line.data()
            fingerprint = f"{offset}-{len(raw)}-{number}-{_hash(data)}"
            entries[line.id] = SourceEntry(line.id, fingerprint, len(data), "text/markdown", None, line.url)
        if not entries:
            what = problems[0].detail if problems else "it is empty"
            raise SourceError("error.jsonl_empty", path=self.path, what=what)
        return Listing(tuple(entries[id_] for id_ in sorted(entries)), complete, tuple(problems))

    def _fetch(self, entry: SourceEntry) -> bytes:
        offset, length, number, mark = entry.fingerprint.split("-")
        try:
            with opened(there(self.path)) as file:
                file.seek(int(offset))
                data = _read(file.read(int(length)), int(number), self.max_bytes).data()
        except (OSError, ValueError) as error:
            raise ParseError("parse.gone") from error
        if _hash(data) != mark:
            raise ParseError("parse.gone")
        return data

    def _lines(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, offset and bytes of every line that holds something; never more than one in memory."""
        number = offset = 0
        try:
            with opened(there(self.path)) as file:
                while raw := file.readline(self.max_bytes + 1):
                    number += 1
                    start, offset = offset, offset + len(raw)
                    while raw[-1:] != b"\n" and len(raw) > self.max_bytes and (rest := file.readline(2**20)):
                        offset += len(rest)
                        if rest[-1:] == b"\n":
                            break
                    if raw.strip(b" \t\r\n\xef\xbb\xbf"):
                        yield number, start, raw
        except OSError as error:
            raise SourceError("error.jsonl_missing", path=self.path) from error


def _read(raw: bytes, number: int, limit: int) -> _Line:
    """The line; raises ValueError that says what is wrong."""
    if len(raw) > limit:
        raise _Illegible(f"longer than {max(1, limit // 2**20)} MB")
    try:
        found = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise _Illegible("not UTF-8") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a ValueError and no more
        what = "nested too deeply" if isinstance(error, RecursionError) else getattr(error, "msg", "a number too long")
        raise _Illegible(f"not JSON: {what}") from error
    if not isinstance(found, dict):
        raise _Illegible("not an object in curly brackets")
    return _line(found)


def _line(found: Mapping[str, object]) -> _Line:
    text, title = _field(found, "text"), _field(found, "title")
    if not any(map(str.isalnum, text)):
        raise ValueError("no text")
    url = _field(found, "url").strip()
    at = address(url) if url else None
    if url and at is None:
        raise ValueError("its url is no http or https address")
    dates = {name: _field(found, name) for name in ("updated", "date")}
    return _Line(_id(_field(found, "id") or url or title or text), text, title, at.url if at else None, dates)


def _field(found: Mapping[str, object], name: str) -> str:
    value = found.get(name)
    if value is None:
        return ""
    if isinstance(value, int | str) and not isinstance(value, bool):
        return str(value).encode("utf-8", "replace").decode()  # half of a pair is no sign
    raise ValueError(f"{name} is not a string")


def _id(text: str) -> str:
    """A name for a document: what it calls itself, else where it is or how it begins."""
    name = one_line(" ".join(unicodedata.normalize("NFC", text).split()))
    if len(name) > LONGEST_ID:
        name = f"{name[: LONGEST_ID - 9]}-{_hash(text.encode())[:8]}"
    return name if PurePosixPath(name).suffix.lower() in ("", ".md") else f"{name}.md"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
