"""A document whose kind was told wrongly is read anew once it is told rightly, although not a byte of it changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adapters.parsers.limits import MB, Limits
from adapters.sources.visiting import Manners
from adapters.sources.website import Rules, WebsiteSource
from core.documents import DocumentRecord, Listing, SourceEntry
from core.indexing.plan import Recipe, plan
from core.web.addresses import address
from core.web.reach import reach
from tests.indexing.collection import FileCollection, collection
from tests.sources.site import Site, website

RECIPE = Recipe("1")


def of(site: Site, docs: FileCollection) -> WebsiteSource:
    start = address(site.url)
    assert start is not None
    return WebsiteSource(start, docs.root, Rules(), Manners(per_second=10_000.0), reach(["127.0.0.1"]))


@pytest.mark.parametrize("path", ["/guide", "/guide.html", "/guide?v=1.txt"])
async def test_a_page_that_was_sent_as_plain_text_is_read_as_a_page_when_its_site_is_mended(
    tmp_path: Path, path: str
) -> None:
    async with website() as site, collection(tmp_path, Limits(memory=600 * MB)) as docs:
        docs.source = of(site, docs)
        site.page("/", path)
        site.page(path, text="The door code changes every month.", kind="text/plain")
        await docs.sync()
        assert "<main>" in await text(docs, path)
        site.replies[path] = replace(site.replies[path], kind="text/html")
        report = await docs.sync()
        assert (report.changed, report.embedded) == (1, 1)
        assert await text(docs, path) == "The door code changes every month."
        assert (await docs.sync()).changed == 0


async def text(docs: FileCollection, path: str) -> str:
    """What the page's passages say."""
    return "\n".join([passage.text for passage in await docs.passages() if path in passage.document_id])


async def test_what_is_plain_text_by_its_name_too_is_asked_for_only_when_it_changed(tmp_path: Path) -> None:
    async with website() as site, collection(tmp_path) as docs:
        site.page("/", "/notes.txt", "/notes.md")
        site.text("/notes.txt", "Some notes.")
        site.text("/notes.md", "# Notes")
        for _ in range(2):
            await of(site, docs).list()
        assert {path: dict(site.count(path)) for path in ("/notes.txt", "/notes.md")} == {
            "/notes.txt": {200: 1, 304: 1},
            "/notes.md": {200: 1, 304: 1},
        }


def test_the_kind_counts_whatever_the_source() -> None:
    entry = SourceEntry("a", "f", 1, "text/plain")
    record = DocumentRecord("a", RECIPE.content_hash(b"x", entry), RECIPE.fingerprint(entry), "A", "en", 1)
    page = replace(entry, media_type="text/html")
    assert RECIPE.content_hash(b"x", page) != record.hash
    for listed, read in ((entry, ()), (page, (page,))):
        assert plan(Listing((listed,), complete=True), {"a": record}, (), RECIPE).candidates == read
