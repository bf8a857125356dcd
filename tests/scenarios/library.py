"""A small team's documents, really indexed: what every scenario asks. No test here."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from adapters.embedded.index import EmbeddedIndex
from adapters.local.hashing import HashingEmbedder
from core.documents import Card, Generation, Passage, Scope, passage_id
from core.ports import IndexEntry
from core.retrieval.analysis import BigramAnalyzer

TODAY = date(2026, 11, 30)
ANALYZER = BigramAnalyzer()
EMBEDDER = HashingEmbedder(256)

CARDS = (
    Card("faq", "v1", "Product questions", terms=("pricing", "requests"), documents=2, passages=2),
    Card("handbook", "v1", "Employee handbook", terms=("leave", "expenses"), documents=3, passages=3),
    Card("runbooks", "v1", "Operations runbooks", terms=("rollback", "backup"), documents=4, passages=4),
)


@dataclass(frozen=True, slots=True)
class Page:
    """One document of one passage."""

    collection: str
    title: str
    text: str
    date: date | None = None

    @property
    def passage(self) -> Passage:
        """As it is indexed."""
        document = self.title.lower().replace(" ", "-") + ".md"
        return Passage(
            passage_id(self.collection, document, (self.title,), self.text, 0),
            self.collection,
            document,
            "h1",
            self.title,
            (self.title,),
            self.text,
            0,
            "en",
            date=self.date,
            link=f"https://wiki.example/{self.collection}/{document}",
        )


PAGES = (
    Page("handbook", "Annual leave", "Everybody has 25 days of annual leave. Unused leave ends in March."),
    Page("handbook", "Travel expenses", "A hotel night is refunded up to 140 euros. Receipts are due in a month."),
    Page("handbook", "Parental leave", "Parental leave is 26 weeks. It can be split into two parts."),
    Page("runbooks", "Rolling back a release", "Run helm rollback with the last good revision. It takes ten minutes."),
    Page("runbooks", "Database backups", "The database is backed up every six hours. Backups are kept for 35 days."),
    Page("runbooks", "Certificate rotation", "Certificates are rotated every 90 days by the certificate job."),
    Page("runbooks", "Cluster upgrade 2024", "The cluster upgrade took six hours.", date(2024, 5, 12)),
    Page("faq", "Plans and prices", "The Pro plan costs 40 euros a month."),
    Page("faq", "Request limits", "The Pro plan allows 50 requests a minute."),
)


def build(path: Path, pages: tuple[Page, ...] = PAGES) -> Path:
    """Index the pages; for fixtures that no event loop runs yet."""
    return asyncio.run(built(path, pages))


async def built(path: Path, pages: tuple[Page, ...]) -> Path:
    """The same inside a running loop."""
    passages = [page.passage for page in pages]
    rows = await EMBEDDER.embed([each.headed_text for each in passages], "passage")
    entries = [IndexEntry(each, row) for each, row in zip(passages, rows, strict=True)]
    async with EmbeddedIndex(path, ANALYZER) as index:
        for collection in dict.fromkeys(each.collection for each in passages):
            own = [entry for entry in entries if entry.passage.collection == collection]
            await index.vectors.upsert(collection, EMBEDDER.name, own)
            await index.lexical.upsert(collection, EMBEDDER.name, own)
    return path


def scope(pages: tuple[Page, ...] = PAGES) -> Scope:
    """Everything that is published."""
    passages = [page.passage for page in pages]
    now = datetime(2026, 11, 1, tzinfo=UTC)
    return Scope(
        tuple(
            Generation(
                name, 1, EMBEDDER.name, {p.document_id: "h1" for p in passages if p.collection == name}, "v", now
            )
            for name in dict.fromkeys(each.collection for each in passages)
        )
    )


def renamed(page: Page, text: str) -> Page:
    """The page with another text."""
    return replace(page, text=text)
