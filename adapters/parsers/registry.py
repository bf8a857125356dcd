"""Which parser reads a file, within which limits. No vendor's error leaves this place.

Implements `core.ports.Parser` itself; `read` is the same in a thread of its own with a time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from adapters.parsers.docx import DocxParser
from adapters.parsers.markdown import MarkdownParser
from adapters.parsers.pdf import PdfParser
from adapters.parsers.plain import PlainParser
from adapters.parsers.records import RecordsParser
from adapters.parsers.slides import SlidesParser
from adapters.parsers.webpage import WebpageParser
from adapters.parsers.workbook import WorkbookParser
from core.documents import Parsed, SourceEntry
from core.errors import ParseError
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

    def __init__(
        self,
        max_bytes: int = 25 * 2**20,
        max_seconds: float = 60.0,
        parsers: Mapping[str, Callable[[], Parser]] = EXTENSIONS,
    ) -> None:
        self._max_bytes, self._max_seconds, self._parsers = max_bytes, max_seconds, parsers

    def supports(self, entry: SourceEntry) -> bool:
        """Whether there is a parser for such a document."""
        return self._parser(entry) is not None

    def parse(self, data: bytes, entry: SourceEntry) -> Parsed:
        """The document as Markdown; raises ParseError and nothing else."""
        parser = self._parser(entry)
        if parser is None:
            raise ParseError("parse.unsupported")
        if len(data) > self._max_bytes:
            limit = max(1, self._max_bytes // 2**20)
            raise ParseError("parse.too_large", detail=str(limit), limit_mb=limit)
        if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
            raise ParseError("parse.empty")
        try:
            return parser().parse(data, entry)
        except ParseError:
            raise
        except Exception as error:
            # Whatever a library raises over a broken file is one thing to us.
            raise ParseError("parse.broken", detail=f"{type(error).__name__}: {error}"[:500]) from error

    async def read(self, data: bytes, entry: SourceEntry) -> Parsed:
        """`parse` in a thread; raises ParseError `parse.timeout` when it takes too long."""
        try:
            return await asyncio.wait_for(_in_thread(lambda: self.parse(data, entry)), self._max_seconds)
        except TimeoutError as error:
            raise ParseError("parse.timeout", detail=f"{self._max_seconds:g} s") from error

    def _parser(self, entry: SourceEntry) -> Callable[[], Parser] | None:
        extension = PurePosixPath(entry.id).suffix.casefold()
        by_type = _MEDIA_TYPES.get(entry.media_type.partition(";")[0].strip(), "")
        if entry.link and by_type:  # an address ends in whatever it likes; its server knows what it sent
            return self._parsers.get(by_type)
        return self._parsers.get(extension) or self._parsers.get(by_type)


async def _in_thread(work: Callable[[], Parsed]) -> Parsed:
    """The result of `work` from a thread that, unlike an executor's, can't hold up the exit."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Parsed] = loop.create_future()

    def settle(result: Parsed | None, error: BaseException | None) -> None:
        if done.done():  # nobody waits any more
            return
        if error is not None:
            done.set_exception(error)
        elif result is not None:
            done.set_result(result)

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except ParseError as refused:
            error = refused
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="refdesk-parse", daemon=True).start()
    return await done
