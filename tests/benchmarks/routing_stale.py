"""A stale Card: a third of one collection is replaced by other documents, then a sync repairs it.

The three corpora are indexed by the product's own sync (passages by a hashing embedder, since nothing is searched
here; Cards by the real one). Then a third of Helm's documents give way to abstracts of SciFact, and claims about
these abstracts, which nobody made from their wording, are routed three times: by the Cards of before, which is what a
hand-written router prompt stays at; by the Cards after the sync; and with the questions for the two thirds that
stayed, which must not suffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.clock import SystemClock
from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from adapters.local.use import USEEmbedder
from adapters.memory.catalog import MemoryCatalog, MemoryCollections, MemoryDigests, MemoryPublisher
from adapters.parsers.markdown import MarkdownParser
from adapters.parsers.splitter import MarkdownSplitter
from core.catalog.cards import Cards
from core.documents import Card, Listing, Parsed, Readable, SourceEntry
from core.evaluation.datasets import Article, articles, scifact_queries
from core.indexing.carding import CatalogCards
from core.indexing.parts import SyncPorts, SyncTarget
from core.indexing.sync import Syncer
from core.ports import Embedder
from core.retrieval.analysis import BigramAnalyzer
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.routed import Routed, accuracy, route, share
from tests.benchmarks.routing_data import CORPORA, Case, Section, headings, lot, read_sections
from tests.benchmarks.rows import Row

STALE = "helm"
"""The collection of which a third is replaced."""

SHARE = 3
EVERY = 4
"""Of the questions for what stays."""


@dataclass
class Shelf:
    """A source in memory: Markdown by name."""

    files: dict[str, bytes] = field(default_factory=dict)

    async def list(self) -> Listing:
        """All files; a change of the content is a change of the fingerprint."""
        listed = (SourceEntry(name, str(hash(data)), len(data), "text/markdown") for name, data in self.files.items())
        return Listing(tuple(listed), complete=True)

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The file's content."""
        return self.files[entry.id]


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "scifact").is_dir():
        return []
    sections = read_sections(data)
    shelves = {name: Shelf(_pages([s for s in sections if s.corpus == name])) for name in CORPORA}
    gone, come = _replaced(shelves[STALE], data)
    claims = [Case(q.text, (STALE,)) for q in scifact_queries(data) if set(q.gold) & set(come)]
    asked = headings(data, sections)[::EVERY]
    lost = frozenset(s.heading for s in sections if s.corpus == STALE and f"{s.language}/{s.document}" in gone)
    stayed = [case for case in asked if case.right != (STALE,) or case.text not in lost]
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        with TemporaryDirectory() as folder:
            async with EmbeddedIndex(Path(folder) / "index.db", BigramAnalyzer()) as index:
                sync = _Syncs(index, embedder)
                for name, shelf in shelves.items():
                    await sync.sync(name, shelf)
                before = await sync.cards()
                shelf = shelves[STALE]
                shelf.files = {k: v for k, v in shelf.files.items() if k not in gone} | {
                    f"science/{id_}.md": _page(article) for id_, article in come.items()
                }
                await sync.sync(STALE, shelf)
                after = await sync.cards()
        return await _rows(embedder, (before, after), claims, stayed)


async def _rows(
    embedder: Embedder, cards: tuple[Sequence[Card], Sequence[Card]], claims: Sequence[Case], stayed: Sequence[Case]
) -> list[Row]:
    stale, repaired = [await route(embedder, each, claims) for each in cards]
    old, new = [await route(embedder, each, stayed) for each in cards]
    n = len(claims)
    drop, gain = accuracy(old) - accuracy(stale), accuracy(repaired) - accuracy(stale)
    return [
        Row(f"stale Card: right, questions for what stayed, before (n={len(stayed)})", accuracy(old), "%"),
        Row(f"stale Card: right, questions for the replaced third, stale Card (n={n})", accuracy(stale), "%"),
        Row("stale Card: the drop", round(drop, 1), "points", "> 10 (shows)", met=drop > 10),
        Row(f"stale Card: right, the same questions after the sync (n={n})", accuracy(repaired), "%"),
        Row("stale Card: the recovery", round(gain, 1), "points", "> 10 (repaired)", met=gain > 10),
        Row(f"stale Card: right, questions for what stayed, after the sync (n={len(stayed)})", accuracy(new), "%"),
        *_searched("stale Card", stale),
        *_searched("after the sync", repaired),
    ]


def _searched(setting: str, results: Sequence[Routed]) -> list[Row]:
    share_searched = share(results, lambda each: each.is_searched)
    return [Row(f"stale Card: right collection searched at all, {setting}", share_searched, "%")]


class _Syncs:
    """The product's sync, with everything in memory or in a folder that goes away."""

    def __init__(self, index: EmbeddedIndex, embedder: Embedder) -> None:
        self._stored = MemoryCollections(SystemClock())
        catalog, digests = MemoryCatalog(self._stored), MemoryDigests(self._stored)
        self._catalog = catalog
        ports = SyncPorts(
            read=_read,
            splitter=MarkdownSplitter(),
            embedder=HashingEmbedder(64),
            vectors=index.vectors,
            lexical=index.lexical,
            passages=index.passages,
            catalog=catalog,
            digests=digests,
            publisher=MemoryPublisher(self._stored),
            cards=CatalogCards(catalog, digests, Cards(embedder), {}, {}),
            clock=SystemClock(),
        )
        self._syncer = Syncer(ports)

    async def sync(self, name: str, shelf: Shelf) -> None:
        """Bring a collection up to date."""
        await self._syncer.sync(SyncTarget(name, shelf))

    async def cards(self) -> Sequence[Card]:
        """The published Cards."""
        return await self._catalog.cards(Readable(frozenset(CORPORA)))


async def _read(data: bytes, entry: SourceEntry) -> Parsed:
    return MarkdownParser().parse(data, entry)


def _replaced(shelf: Shelf, data: Path) -> tuple[frozenset[str], dict[str, Article]]:
    """A third of the pages, the same in each language, and as many abstracts that claims are about."""
    gone = frozenset(name for name in shelf.files if lot(name.partition("/")[2], SHARE) == 0)
    found = {article.id: article for article in articles(data, "scifact")}
    wanted = dict.fromkeys(gold for query in scifact_queries(data) for gold in query.gold)
    return gone, {id_: found[id_] for id_ in list(wanted)[: len(gone)] if id_ in found}


def _pages(sections: Sequence[Section]) -> dict[str, bytes]:
    """The documents put together from their sections."""
    texts: dict[str, list[str]] = {}
    for section in sections:
        lines = texts.setdefault(f"{section.language}/{section.document}", [f"# {section.title}"])
        if section.heading and section.heading != section.title:
            lines.append("#" * max(2, section.level) + f" {section.heading}")
        lines.append(section.text)
    return {name: "\n\n".join(lines).encode() for name, lines in texts.items()}


def _page(article: Article) -> bytes:
    return f"# {article.title}\n\n{article.text}".encode()
