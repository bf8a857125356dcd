"""Sitemaps as sites write them: what they name, and that whatever was not read of them is told."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sources.sitemap import MOST, sitemap
from tests.sources.site import Reply, Site, website
from tests.sources.test_website import names, source

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with website() as made:
        yield made


def pages(text: str) -> list[str]:
    return [at.url.removeprefix("https://x.example/") for at in sitemap(text.encode()).pages]


def test_places_are_read_however_they_are_written() -> None:
    text = HEAD + (
        '<!-- <url><loc>https://x.example/not</loc></url> --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
        "<url>\n <loc>\n  https://x.example/a?b=1&amp;c=2&#38;d \n</loc><lastmod>2026-01-01</lastmod></url>"
        "<url><image:image><image:loc>https://x.example/image</image:loc></image:image>"
        "<loc><![CDATA[https://x.example/b?c&copy=1]]></loc></url>"
        '<url><xhtml:link rel="alternate" href="https://x.example/no"/><loc>https://x.example/뉴스</loc></url>'
        "<url><loc>https://x.example/a?b=1&amp;c=2&amp;d</loc></url><url><loc></loc></url></urlset>"
    )
    assert pages(text) == ["a?b=1&c=2&d", "b?c&copy=1", "%EB%89%B4%EC%8A%A4"]
    assert sitemap(text.encode()).whole
    spelled = text.replace("<url", "<s:url").replace("</url", "</s:url").replace("loc>", "loc>")
    assert sitemap(text.encode("utf-16")).pages == sitemap(text.encode()).pages
    prefixed = spelled.replace("<loc", "<s:loc").replace("</loc", "</s:loc")
    assert sitemap(prefixed.encode()).pages == sitemap(text.encode()).pages


def test_an_index_lines_and_packed_ones_are_read() -> None:
    index = "<sitemapindex><sitemap><loc>https://x.example/s.xml</loc></sitemap></sitemapindex>"
    assert [at.url for at in sitemap(index.encode()).sitemaps] == ["https://x.example/s.xml"]
    assert pages("https://x.example/a\n\nnothing\nhttps://x.example/b\r\n") == ["a", "b"]
    assert sitemap(gzip.compress(index.encode())) == sitemap(index.encode())
    assert sitemap(b"<urlset/>").whole
    feed = "<rss><channel><link>https://x.example/</link></channel></rss>"
    for other in ("<html><body>", feed, "<!DOCTYPE x [<!ENTITY"):
        with pytest.raises(ValueError, match=r"sitemap|entities"):
            sitemap(other.encode())


def test_a_sitemap_that_breaks_off_or_names_too_much_says_so() -> None:
    named = "<url><loc>https://x.example/a</loc></url>" * MOST
    assert sitemap(f"<urlset>{named}</urlset>".encode()).whole
    assert not sitemap(f"<urlset>{named}<url><loc>https://x.example/b</loc></url></urlset>".encode()).whole
    torn = sitemap(b"<urlset><url><loc>https://x.example/a</loc></url><url><loc>https://x.ex")
    assert (pages("<urlset><url><loc>https://x.example/a</loc></url><url>"), torn.whole) == (["a"], False)
    assert not sitemap(b"https://x.example/a\n" * (MOST + 1)).whole


async def test_more_sitemaps_than_are_read_remove_nothing_and_say_so(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", *(f"/{number}.xml" for number in range(600)), index=True)
    for number in range(600):
        site.sitemap(f"/{number}.xml", f"/{number % 3}")
    for number in range(3):
        site.page(f"/{number}")
    listing = await source(site.url, tmp_path).list()
    assert (names(listing), listing.complete) == (["0", "1", "2"], False)
    assert [problem.reason for problem in listing.problems] == ["parse.note_sitemaps_limit"]


async def test_a_sitemap_that_breaks_off_removes_nothing_and_says_so(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", "/a", "/b")
    site.page("/a")
    site.page("/b")
    await source(site.url, tmp_path).list()
    whole = site.replies["/sitemap.xml"].body
    site.replies["/sitemap.xml"] = Reply(whole[: whole.index(b"<loc>", whole.index(b"</url>"))], kind="text/xml")
    listing = await source(site.url, tmp_path).list()
    assert (names(listing), listing.complete, listing.gone_ids) == (["a", "b"], False, frozenset())
    assert [problem.reason for problem in listing.problems] == ["parse.note_sitemap_cut"]


async def test_what_lies_elsewhere_or_is_not_wanted_takes_no_room(site: Site, tmp_path: Path) -> None:
    others = [f"/blog/{number}" for number in range(50)] + [f"/docs/old/{number}" for number in range(50)]
    site.sitemap("/sitemap.xml", *others, "/docs/a", "/docs/b")
    site.page("/docs/a")
    site.page("/docs/b")
    listing = await source(f"{site.url}/docs/", tmp_path, pages=2, exclude=("old/",)).list()
    assert (names(listing), listing.complete) == (["docs/a", "docs/b"], True)
