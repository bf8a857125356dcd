"""A site is visited politely and completely, or says that it was not; what hasn't changed costs one short question."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.parsers.registry import ParserRegistry
from adapters.sources.bounds import Rules
from adapters.sources.visiting import Manners
from adapters.sources.website import WebsiteSource
from core.documents import Listing, Problem
from core.errors import ParseError, SourceError
from core.web.addresses import address
from core.web.reach import reach
from tests.sources.site import Reply, Site, website

FAST = {"per_second": 10_000.0}


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with website() as made:
        yield made


def source(url: str, folder: Path, manners: dict[str, Any] | None = None, **rules: Any) -> WebsiteSource:
    start = address(url)
    assert start is not None
    return WebsiteSource(start, folder, Rules(**rules), Manners(**(FAST | (manners or {}))), reach(["127.0.0.1"]))


def names(listing: Listing) -> list[str]:
    """The documents' paths."""
    return [entry.id.partition("/")[2] for entry in listing.entries]


def troubles(listing: Listing) -> list[tuple[str, str]]:
    return [(problem.document.partition("/")[2], problem.reason) for problem in listing.problems]


async def test_links_are_followed_below_the_start_and_nowhere_else(site: Site, tmp_path: Path) -> None:
    elsewhere = ("/blog/x", "https://elsewhere.example/", "mailto:x@y.z", "/docs/logo.png", "#here", "//[bad", "/docs2")
    site.page("/docs", "/docs/a", "docs/b/", *elsewhere)
    site.page("/docs/a", "/docs/b/c?x=1", "../docs/a#top")
    site.page("/docs/b/", "c?x=1")
    site.page("/docs/b/c?x=1")
    site.page("/docs2")
    listing = await source(f"{site.url}/docs", tmp_path).list()
    assert names(listing) == ["docs", "docs/a", "docs/b", "docs/b/c?x=1"]
    assert listing.complete
    assert listing.problems == ()
    pages = {"/docs", "/docs/a", "/docs/b/", "/docs/b/c?x=1"}
    assert {path for path, _ in site.asked} == pages | {"/robots.txt", "/docs/sitemap.xml", "/sitemap.xml"}


async def test_a_page_is_read_as_the_visit_kept_it_with_its_address_as_link(site: Site, tmp_path: Path) -> None:
    site.page("/", "/guide.html", text="The office opens at nine.")
    site.page("/guide.html", text="The door code changes every month.")
    found = source(site.url, tmp_path)
    entry = (await found.list()).entries[1]
    assert entry.link == f"{site.url}/guide.html"
    site.replies.clear()
    parsed = ParserRegistry().parse(await found.fetch(entry), entry)
    assert (parsed.title, "every month" in parsed.text) == ("Title of /guide.html", True)


async def test_unchanged_pages_cost_one_conditional_request_each(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a", "/b")
    site.page("/a")
    site.page("/b")
    found = source(site.url, tmp_path)
    first = await found.list()
    site.asked.clear()
    second = await found.list()
    assert second == first
    assert [site.count(path) for path in ("/", "/a", "/b")] == [{304: 1}] * 3
    site.page("/a", text="Something else.")
    third = await found.list()
    changed = [
        new.id for old, new in zip(first.entries, third.entries, strict=True) if new.fingerprint != old.fingerprint
    ]
    assert changed == [third.entries[1].id]


async def test_a_page_that_is_gone_is_not_listed_any_more_and_its_copy_is_dropped(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a", "/b")
    site.page("/a")
    site.page("/b")
    found = source(site.url, tmp_path)
    gone = (await found.list()).entries[1]
    del site.replies["/a"]
    listing = await found.list()
    assert (names(listing), listing.complete) == (["", "b"], True)
    with pytest.raises(ParseError) as caught:
        await found.fetch(gone)
    assert caught.value.reason == "parse.gone"


# --- sitemaps -----------------------------------------------------------------------------------------


async def test_a_sitemap_is_the_list_nested_and_packed(site: Site, tmp_path: Path) -> None:
    site.text("/robots.txt", f"User-agent: *\nSitemap: {site.url}/all.xml\n")
    site.sitemap("/all.xml", "/one.xml", "/two.xml.gz", "/all.xml", "/dead.xml", index=True)
    site.sitemap("/one.xml", "/docs/a", "/docs/b", "/blog/c")
    site.sitemap("/packed", "/docs/d", "/docs/gone")
    packed = site.replies.pop("/packed").body
    site.replies["/two.xml.gz"] = Reply(gzip.compress(packed), kind="application/gzip")
    for path in ("/docs/a", "/docs/b", "/docs/d"):
        site.page(path, "/docs/not-in-it")
    site.page("/docs/not-in-it")
    listing = await source(f"{site.url}/docs/", tmp_path).list()
    assert names(listing) == ["docs/a", "docs/b", "docs/d"]
    assert (listing.complete, listing.problems) == (True, ())


async def test_links_instead_of_a_sitemap_if_that_is_asked_for(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", "/a")
    site.page("/", "/b")
    site.page("/a")
    site.page("/b")
    assert names(await source(site.url, tmp_path / "a").list()) == ["a"]
    assert names(await source(site.url, tmp_path / "b", discover="links").list()) == ["", "b"]
    site.sitemap("/other.xml", "/b")
    assert names(await source(site.url, tmp_path / "c", sitemap="/other.xml").list()) == ["b"]


async def test_a_sitemap_that_fails_removes_nothing(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", "/one.xml", "/two.xml", index=True)
    site.sitemap("/one.xml", "/a")
    site.replies["/two.xml"] = Reply(status=500)
    site.page("/a")
    listing = await source(site.url, tmp_path).list()
    assert (names(listing), listing.complete) == (["a"], False)
    assert "parse.note_sitemap" in [problem.reason for problem in listing.problems]


async def test_bombs_in_a_sitemap_cost_nothing(site: Site, tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><urlset><url><loc>{site.url}/&e11;</loc></url>'
    bomb += f"<url><loc>{site.url}/a</loc></url><url><loc>file:///etc/passwd</loc></url></urlset>"
    site.text("/sitemap.xml", bomb, "application/xml")
    site.replies["/more.xml.gz"] = Reply(gzip.compress(b" " * 80_000_000), kind="application/gzip")
    site.text("/robots.txt", f"Sitemap: {site.url}/more.xml.gz")
    site.page("/", "/a")
    site.page("/a")
    started = time.monotonic()
    listing = await source(site.url, tmp_path).list()
    assert (names(listing), listing.complete) == (["", "a"], False)  # found by links instead, and said so
    assert time.monotonic() - started < 5


# --- politeness ---------------------------------------------------------------------------------------


async def test_robots_txt_is_kept_to(site: Site, tmp_path: Path) -> None:
    site.text(
        "/robots.txt", "User-agent: *\nDisallow: /\n\nUser-agent: Refdesk\nDisallow: /private\nAllow: /private/ok\n"
    )
    site.page("/", "/private/a", "/private/ok", "/to-private")
    site.page("/private/a")
    site.page("/private/ok")
    site.moved("/to-private", "/private/a")
    listing = await source(site.url, tmp_path).list()
    assert names(listing) == ["", "private/ok"]
    assert site.count("/private/a") == {}


async def test_a_site_that_wants_no_robots_is_left_alone(site: Site, tmp_path: Path) -> None:
    site.text("/robots.txt", "User-agent: *\nDisallow: /\n")
    site.page("/")
    with pytest.raises(SourceError) as caught:
        await source(site.url, tmp_path).list()
    assert caught.value.reason == "error.site_robots"
    assert site.count("/") == {}


async def test_a_robots_txt_that_fails_means_not_now(site: Site, tmp_path: Path) -> None:
    site.replies["/robots.txt"] = Reply(status=500)
    site.page("/")
    with pytest.raises(SourceError) as caught:
        await source(site.url, tmp_path).list()
    assert caught.value.reason == "error.site_failed"
    assert site.count("/") == {}


async def test_pages_that_want_not_to_be_found_or_followed(site: Site, tmp_path: Path) -> None:
    site.page("/", "/hidden", "/header", "/dead-end", head='<meta name="robots" content="index, follow">')
    site.page("/hidden", "/found", head='<meta name="ROBOTS" content="NOINDEX">')
    site.page("/header", headers={"X-Robots-Tag": "noindex"})
    site.page("/dead-end", "/never", head='<meta name="robots" content="nofollow">')
    site.page("/found")
    site.page("/never")
    assert names(await source(site.url, tmp_path).list()) == ["", "dead-end", "found"]


async def test_requests_come_one_after_the_other_and_not_all_at_once(site: Site, tmp_path: Path) -> None:
    site.page("/", *(f"/{n}" for n in range(12)))
    for n in range(12):
        site.page(f"/{n}")
    started = time.monotonic()
    await source(site.url, tmp_path, {"per_second": 50.0, "at_once": 2}).list()
    assert time.monotonic() - started >= 14 / 50
    assert site.most_at_once <= 2


async def test_a_site_that_is_busy_is_asked_again_later(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a")
    site.replies["/a"] = Reply(status=429, headers={"Retry-After": "0"})
    listing = await source(site.url, tmp_path).list()
    assert site.count("/a") == {429: 3}
    assert (listing.complete, troubles(listing)) == (False, [("a", "parse.page_failed")])


# --- one page, one document ---------------------------------------------------------------------------


async def test_spellings_redirects_and_canonical_addresses_make_one_document(site: Site, tmp_path: Path) -> None:
    own = f'<link rel="canonical" href="{site.url}/guide">'
    site.page("/", "/guide", "/guide/", "/guide?utm_source=x", "/old", "/print", "/v1/guide")
    site.page("/guide", head=own)
    site.page("/guide/")
    site.page("/guide?utm_source=x")
    site.moved("/old", "/guide", 302)
    site.page("/print", head=own)
    site.page("/v1/guide", head='<link rel="canonical" href="/guide">')
    listing = await source(site.url, tmp_path).list()
    assert names(listing) == ["", "guide"]
    assert listing.entries[1].link == f"{site.url}/guide"


async def test_canonical_addresses_that_lead_nowhere_lose_no_page(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a", "/b", "/c", "/d")
    site.page("/a", head='<link rel="canonical" href="/b">')
    site.page("/b", head='<link rel="canonical" href="/a">')
    site.page("/c", head='<link rel="canonical" href="/gone">')
    site.page("/d", head='<link rel="canonical" href="/">')
    assert names(await source(site.url, tmp_path).list()) == ["", "a", "c", "d"]


async def test_a_page_that_sends_on_at_once_is_no_document(site: Site, tmp_path: Path) -> None:
    site.page("/", head='<meta http-equiv="refresh" content="0; url=/latest/">')
    site.page("/latest/")
    assert names(await source(site.url, tmp_path).list()) == ["latest"]


async def test_loops_and_endless_redirects_end(site: Site, tmp_path: Path) -> None:
    site.page("/", "/loop", "/a", "/endless0")
    site.page("/a", "/", "/a", "/b")
    site.page("/b", "/a")
    site.moved("/loop", "/loop")
    for n in range(20):
        site.moved(f"/endless{n}", f"/endless{n + 1}")
    listing = await source(site.url, tmp_path).list()
    assert names(listing) == ["", "a", "b"]
    assert sum(site.count("/loop").values()) == 6


async def test_a_start_that_moved_away_names_where_to(site: Site, tmp_path: Path) -> None:
    site.moved("/docs", "/guide/")
    site.page("/guide/")
    with pytest.raises(SourceError) as caught:
        await source(f"{site.url}/docs", tmp_path).list()
    assert f"{site.url}/guide/" in caught.value.user_message("en")


# --- limits and faults --------------------------------------------------------------------------------


async def test_a_page_that_fails_keeps_its_old_version_and_what_it_leads_to(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a")
    site.page("/a", "/b")
    site.page("/b")
    found = source(site.url, tmp_path)
    before = await found.list()
    site.replies["/a"] = Reply(status=500)
    listing = await found.list()
    assert (listing.entries, listing.complete) == (before.entries, True)
    assert troubles(listing) == [("a", "parse.page_failed")]


async def test_a_page_that_was_never_given_makes_what_links_lead_to_incomplete(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a")
    site.replies["/a"] = Reply(status=500)
    listing = await source(site.url, tmp_path).list()
    assert not listing.complete
    assert listing.problems == (Problem(listing.entries[0].id.rstrip("/") + "/a", "parse.page_failed", "500"),)


async def test_a_site_that_is_down_or_empty_says_so(site: Site, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as missing:
        await source(site.url, tmp_path).list()
    site.replies["/"] = Reply(b"\x89PNG", kind="image/png")
    with pytest.raises(SourceError):
        await source(site.url, tmp_path).list()
    with pytest.raises(SourceError) as down:
        await source("http://127.0.0.1:9/", tmp_path).list()
    assert missing.value.reason == down.value.reason == "error.site_failed"
    assert "127.0.0.1:9" in down.value.user_message("en")


async def test_more_pages_than_the_limit_remove_nothing_and_say_so(site: Site, tmp_path: Path) -> None:
    site.page("/", *(f"/{n}" for n in range(30)))
    for n in range(30):
        site.page(f"/{n}", f"/{n}x")
    listing = await source(site.url, tmp_path, pages=10).list()
    assert (len(listing.entries), listing.complete) == (10, False)
    assert [problem.reason for problem in listing.problems] == ["parse.note_pages_limit"]
    assert listing.problems[0].document not in {entry.id for entry in listing.entries}


async def test_an_endless_calendar_ends_at_the_depth(site: Site, tmp_path: Path) -> None:
    for n in range(50):
        site.page(f"/?month={n}" if n else "/", f"/?month={n + 1}")
    listing = await source(site.url, tmp_path, depth=4, pages=5).list()
    assert (len(listing.entries), listing.complete) == (5, True)


async def test_include_and_exclude_choose_pages_by_their_path(site: Site, tmp_path: Path) -> None:
    site.page("/", "/guide/a", "/blog/b", "/tag/c")
    site.page("/guide/a")
    site.page("/blog/b", "/guide/d")
    site.page("/guide/d")
    site.page("/tag/c", "/guide/e")
    site.page("/guide/e")
    listing = await source(site.url, tmp_path, include=("guide/",), exclude=("tag/",)).list()
    assert names(listing) == ["guide/a", "guide/d"]
    assert site.count("/tag/c") == {}


async def test_huge_slow_and_packed_bodies_fail_alone(site: Site, tmp_path: Path) -> None:
    site.page("/", "/huge", "/drip", "/bomb", "/fine", "/torn")
    site.replies["/huge"] = Reply(b"<p>" + b"x" * 3_000_000)
    site.replies["/drip"] = Reply(b"<p>", drip=0.2)
    site.replies["/bomb"] = Reply(gzip.compress(b"0" * 100_000_000), headers={"Content-Encoding": "gzip"})
    site.replies["/torn"] = Reply(b"\x1f\x8bnot at all", headers={"Content-Encoding": "gzip"})
    site.replies["/fine"] = Reply(gzip.compress(b"<h1>Fine</h1>"), headers={"Content-Encoding": "gzip"})
    started = time.monotonic()
    listing = await source(site.url, tmp_path, {"bytes": 2**20, "seconds": 1.0}).list()
    assert time.monotonic() - started < 10
    assert names(listing) == ["", "fine"]
    assert troubles(listing) == [
        ("bomb", "parse.too_large"),
        ("drip", "parse.page_failed"),
        ("huge", "parse.too_large"),
        ("torn", "parse.page_failed"),
    ]


async def test_the_time_for_all_ends_the_visit_with_what_there_is(site: Site, tmp_path: Path) -> None:
    site.page("/", "/slow")
    site.replies["/slow"] = Reply(b"<p>", drip=0.2)
    started = time.monotonic()
    listing = await source(site.url, tmp_path, {"seconds": 60.0}, seconds=1.0).list()
    assert time.monotonic() - started < 10
    assert (names(listing), listing.complete) == ([""], False)
    assert [problem.reason for problem in listing.problems] == ["parse.note_time_limit"]


async def test_other_kinds_are_read_by_what_the_server_says(site: Site, tmp_path: Path) -> None:
    site.page("/", "/notes.md", "/view.pdf", "/raw", "/feed")
    site.text("/notes.md", "# Notes\n\nIn plain text.", "text/plain")
    site.page("/view.pdf", text="A page around a PDF.")
    site.text("/raw", "Only text.")
    site.text("/feed", "{}", "application/json")
    found = source(site.url, tmp_path)
    listing = await found.list()
    assert names(listing) == ["", "notes.md", "raw", "view.pdf"]
    _, notes, _, view = listing.entries
    assert notes.media_type == "text/markdown"
    assert "around a PDF" in ParserRegistry().parse(await found.fetch(view), view).text


@pytest.mark.parametrize(
    ("encoding", "kind", "head"),
    [
        ("cp949", "text/html", '<meta charset="euc-kr">'),
        ("cp949", "text/html; charset=EUC-KR", ""),
        ("cp949", "text/html", ""),
        ("cp949", "text/html; charset=utf-8", ""),
        ("utf-8", "text/html; charset=iso-8859-1", '<meta charset="utf-8">'),
        ("utf-16", "text/html; charset=utf-16", ""),
    ],
)
async def test_korean_pages_are_read_in_whatever_they_are_written(
    site: Site, tmp_path: Path, encoding: str, kind: str, head: str
) -> None:
    text = "연차 휴가는 입사 1년 뒤부터 쓸 수 있습니다. 뷁 신청은 팀장에게 합니다."
    site.page("/", "/휴가")
    html = f'<html><head>{head}<title>휴가</title></head><h1>휴가</h1><p>{text}</p><a href="/다음">x</a></html>'
    site.replies["/%ED%9C%B4%EA%B0%80"] = Reply(html.encode(encoding), headers={"Content-Type": kind})
    site.page("/%EB%8B%A4%EC%9D%8C")
    found = source(site.url, tmp_path)
    entries = {entry.id.partition("/")[2]: entry for entry in (await found.list()).entries}
    assert set(entries) == {"", "%ED%9C%B4%EA%B0%80", "%EB%8B%A4%EC%9D%8C"}
    page = entries["%ED%9C%B4%EA%B0%80"]
    parsed = ParserRegistry().parse(await found.fetch(page), page)
    assert parsed.title == "휴가"
    assert text in parsed.text


async def test_a_visit_that_was_broken_off_was_not_for_nothing(site: Site, tmp_path: Path) -> None:
    site.page("/", "/a", "/slow")
    site.page("/a")
    site.replies["/slow"] = Reply(b"<p>", drip=0.1)
    visit = asyncio.create_task(source(site.url, tmp_path).list())
    while not site.count("/slow") or not site.count("/a"):
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.1)
    visit.cancel()
    with pytest.raises(asyncio.CancelledError):
        await visit
    site.page("/slow")
    site.asked.clear()
    assert names(await source(site.url, tmp_path).list()) == ["", "a", "slow"]
    assert site.count("/a") == {304: 1}
