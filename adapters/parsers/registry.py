"""Which parser reads a file, within which limits. No vendor's error leaves this place.

Implements `core.ports.Parser` itself. Knows no threads and no processes: those are of `adapters.parsers.reading`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from adapters.parsers.docx import DocxParser
from adapters.parsers.limits import MB, Limits
from adapters.parsers.markdown import MarkdownParser
from adapters.parsers.pdf import PdfParser
from adapters.parsers.plain import PlainParser
from adapters.parsers.records import RecordsParser
from adapters.parsers.slides import SlidesParser
from adapters.parsers.webpage import WebpageParser
from adapters.parsers.workbook import WorkbookParser
from core.documents import Parsed, SourceEntry
from core.errors import ParseError

if TYPE_CHECKING:
    from core.ports import Parser

EXTENSIONS: Mapping[str, Callable[[], Parser]] = {
    **dict.fromkeys((".md", ".markdown", ".mdx", ".mkd"), MarkdownParser),
    **dict.fromkeys((".html", ".htm", ".xhtml"), WebpageParser),
    **dict.fromkeys((".csv", ".tsv"), RecordsParser),
    **dict.fromkeys((".txt", ".text", ".rst", ".adoc"), PlainParser),
    **dict.fromkeys((".xlsx", ".xlsm"), WorkbookParser),
    ".pdf": PdfParser,
    ".docx": DocxParser,
    ".pptx": SlidesParser,
}
_PLAIN = (MarkdownParser, PlainParser, RecordsParser)
_TO_CONVERT = frozenset(
    (
        *(".hwp", ".hwpx", ".hwt", ".doc", ".dot", ".xls", ".xlsb", ".ppt", ".pps", ".rtf", ".odt", ".ods", ".odp"),
        *(".pages", ".numbers", ".key", ".epub"),
    )
)
# For documents whose name has no extension (a web address).
_MEDIA_TYPES = {
    "text/markdown": ".md",
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/csv": ".csv",
    "text/plain": ".txt",
}


class ParserRegistry:
    """Picks the parser by extension, else by media type; refuses what is too large, too slow or broken."""

    def __init__(self, limits: Limits | None = None, parsers: Mapping[str, Callable[[], Parser]] = EXTENSIONS) -> None:
        self._limits, self._parsers = limits or Limits(), parsers

    def is_plain(self, entry: SourceEntry) -> bool:
        """Whether nothing but our own code over plain text reads it."""
        return self._parser(entry) in _PLAIN

    def parser_for(self, entry: SourceEntry) -> Callable[[], Parser]:
        """The parser for such a document; raises ParseError when there is none."""
        parser = self._parser(entry)
        if parser is None:
            kind = PurePosixPath(entry.id).suffix.casefold()
            raise ParseError("parse.convert" if kind in _TO_CONVERT else "parse.unsupported")
        return parser

    def admit(self, data: bytes, entry: SourceEntry) -> Callable[[], Parser]:
        """The parser for the document; raises ParseError for what no parser has to look at."""
        parser = self.parser_for(entry)
        if len(data) > self._limits.bytes:
            raise _beyond("parse.too_large", self._limits.bytes)
        if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
            raise ParseError("parse.empty")
        return parser

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document as Markdown; raises ParseError and nothing else."""
        parser = self.admit(data, entry)
        try:
            parsed = parser().parse(data, entry)
        except ParseError:
            raise
        except Exception as error:
            if _is_of_memory(error):
                raise _beyond("parse.memory", self._limits.memory) from error
            # Whatever a library raises over a broken file is one thing to us.
            raise ParseError("parse.broken", detail=f"{type(error).__name__}: {error}"[:500]) from error
        if len(parsed.text) > self._limits.bytes:
            raise _beyond("parse.long", self._limits.bytes)
        return parsed

    def _parser(self, entry: SourceEntry) -> Callable[[], Parser] | None:
        extension = PurePosixPath(entry.id).suffix.casefold()
        by_type = _MEDIA_TYPES.get(entry.media_type.partition(";")[0].strip(), "")
        if entry.link and by_type:  # an address ends in whatever it likes; its server knows what it sent
            return self._parsers.get(by_type)
        return self._parsers.get(extension) or self._parsers.get(by_type)


def _beyond(reason: str, limit: int) -> ParseError:
    shown = str(max(1, limit // MB))
    return ParseError(reason, detail=shown, limit_mb=shown)


def _is_of_memory(error: BaseException | None) -> bool:
    """Whether it came from a lack of memory; libraries in C have words of their own for it."""
    while error is not None:
        if isinstance(error, MemoryError) or re.search(r"(?i)out of memory|memory allocation", str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False
