"""Plain text files, in whatever encoding they were saved."""

from __future__ import annotations

from adapters.parsers.decoding import decode
from adapters.parsers.draft import Draft, finish
from core.documents import Parsed, SourceEntry


class PlainParser:
    """Text as it is; a short first line that stands alone is its title."""

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The decoded text; raises ParseError `parse.encoding`."""
        text, encoding = decode(data)
        return finish(Draft(text=text, title=_title(text), notes=encoding_notes(encoding)), entry)


def encoding_notes(encoding: str) -> tuple[str, ...]:
    """A note where the encoding was guessed."""
    return () if encoding.startswith("utf") and "/" not in encoding else (f"parse.note_encoding {encoding}",)


def _title(text: str) -> str:
    lines = text.lstrip("\ufeff \r\n").splitlines()
    alone = len(lines) > 1 and not lines[1].strip(" \t=-~")
    first = lines[0].strip() if lines else ""
    return first.lstrip("# ") if alone and len(first) <= 80 and not first.endswith((".", ":", ",")) else ""
