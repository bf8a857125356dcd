"""A collection of real files: any source, the parsers in their processes, the splitter, the embedded index."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from adapters.parsers.limits import MB, Limits
from adapters.parsers.reading import DocumentReader
from adapters.parsers.splitter import MarkdownSplitter
from adapters.sources.folder import FolderSource
from core.documents import Passage
from core.indexing.parts import SyncPorts, SyncTarget
from core.indexing.report import SyncReport, told_all
from core.indexing.sync import Syncer
from core.ports import DocumentSource
from tests.indexing.workshop import Workshop, workshop


@dataclass
class FileCollection:
    """Files below `root`, and what comes of them."""

    root: Path
    shop: Workshop
    reader: DocumentReader
    source: DocumentSource = field(init=False)

    def __post_init__(self) -> None:
        self.source = FolderSource(self.root)

    def write(self, name: str, data: bytes | str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    @property
    def ports(self) -> SyncPorts:
        return replace(self.shop.ports, read=self.reader.read, splitter=MarkdownSplitter())

    async def sync(self) -> SyncReport:
        return await Syncer(self.ports, self.shop.settings).sync(SyncTarget("docs", self.source))

    async def by_words(self, question: str) -> list[str]:
        """The documents that the list of words finds, the best first."""
        scope = await self.shop.scope()
        return _documents([hit.document_id for hit in (await self.shop.index.lexical.search(scope, question, 50)).hits])

    async def by_meaning(self, question: str) -> list[str]:
        """The documents that the vectors find."""
        scope = await self.shop.scope()
        rows = await self.shop.embedder.embed([question], "query")
        (hits,) = await self.shop.index.vectors.search(scope, rows, 50)
        return _documents([hit.document_id for hit in hits.hits])

    async def passages(self, document: str = "") -> list[Passage]:
        """What is published, of one document or of all."""
        return [each for each in await self.shop.published() if document in ("", each.document_id)]


def _documents(ids: list[str]) -> list[str]:
    return list(dict.fromkeys(ids))


def reasons(report: SyncReport) -> dict[str, str]:
    """Why each document of the report was left out, or what is said of it."""
    return {problem.document: problem.reason for problem in report.problems}


def lines(report: SyncReport) -> str:
    """What a person reads of it."""
    return "\n".join(told_all(report.problems, "en"))


@asynccontextmanager
async def collection(folder: Path, limits: Limits | None = None) -> AsyncIterator[FileCollection]:
    """An empty one."""
    (folder / "docs").mkdir()
    async with workshop(folder / "index.sqlite") as shop, DocumentReader(limits or Limits(memory=400 * MB)) as reader:
        yield FileCollection(folder / "docs", shop, reader)
