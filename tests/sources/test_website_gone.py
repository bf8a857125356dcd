"""What a site says of a page itself holds, however much of the site could not be looked at; nothing else is removed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.documents import Listing
from core.errors import SourceError
from tests.sources.site import Reply, Site, website
from tests.sources.test_website import names, source, troubles


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with website() as made:
        yield made


def gone(listing: Listing) -> list[str]:
    return sorted(each.partition("/")[2] for each in listing.gone_ids)


def bodies(folder: Path) -> int:
    return len(list(folder.glob("bodies/*/*")))


def mapped(site: Site, *paths: str) -> None:
    site.sitemap("/sitemap.xml", *paths)
    for path in paths:
        site.page(path)


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("hindrance", ["login", "broken", "limit", "sitemap"])
async def test_a_page_that_is_gone_is_named_whatever_else_hinders(
    site: Site, tmp_path: Path, status: int, hindrance: str
) -> None:
    mapped(site, "/a/b", "/a/b2", "/other", "/last")
    await source(site.url, tmp_path).list()
    site.replies["/a/b"] = Reply(status=status)
    pages = 3 if hindrance == "limit" else 10
    if hindrance == "login":
        site.replies["/last"] = Reply(status=403)
    if hindrance == "broken":
        site.sitemap("/sitemap.xml", "/a/b", "/a/b2", "/other", "/new")
        site.replies["/new"] = Reply(status=500)
    if hindrance == "sitemap":
        site.text("/robots.txt", f"Sitemap: {site.url}/dead.xml")
        site.replies["/dead.xml"] = Reply(status=500)
    listing = await source(site.url, tmp_path, pages=pages).list()
    assert listing.complete == (hindrance in ("login", "broken"))
    assert "a/b" in gone(listing)
    assert not {"a/b2", "other"} & set(gone(listing))
    assert {"a/b2", "other"} <= set(names(listing))


async def test_a_page_behind_a_limit_is_asked_itself_whether_it_is_still_there(site: Site, tmp_path: Path) -> None:
    mapped(site, "/1", "/2", "/3", "/4")
    await source(site.url, tmp_path).list()
    mapped(site, "/new1", "/new2", "/1", "/2", "/3")
    del site.replies["/4"]
    site.page("/3", text="Something else by now.")
    site.asked.clear()
    listing = await source(site.url, tmp_path, pages=3, exclude=("2",)).list()
    assert names(listing) == ["1", "3", "new1", "new2"]
    assert (listing.complete, gone(listing)) == (False, ["2", "4"])
    assert (site.count("/1"), site.count("/2"), site.count("/3")) == ({304: 1}, {}, {200: 1})


async def test_a_failing_page_of_a_sitemap_concerns_itself_alone(site: Site, tmp_path: Path) -> None:
    mapped(site, "/a", "/b", "/c")
    await source(site.url, tmp_path).list()
    site.sitemap("/sitemap.xml", "/a", "/b", "/new")
    site.replies["/b"] = site.replies["/new"] = Reply(status=500)
    listing = await source(site.url, tmp_path).list()
    assert (names(listing), listing.complete) == (["a", "b"], True)
    assert troubles(listing) == [("b", "parse.page_failed"), ("new", "parse.page_failed")]


async def test_an_address_of_a_sitemap_that_fails_to_lead_on_takes_no_page_away(site: Site, tmp_path: Path) -> None:
    site.sitemap("/sitemap.xml", "/old", "/b")
    site.page("/b")
    site.page("/new")
    site.moved("/old", "/new")
    before = await source(site.url, tmp_path).list()
    site.replies["/old"] = Reply(status=500)
    listing = await source(site.url, tmp_path).list()
    assert names(before) == names(listing) == ["b", "new"]
    assert gone(before) == ["old"]


@pytest.mark.parametrize("status", [401, 403, 451])
async def test_a_page_that_is_no_longer_open_to_everybody_is_gone(site: Site, tmp_path: Path, status: int) -> None:
    site.page("/", "/a", "/b", "/login")
    site.page("/a")
    site.page("/b")
    site.replies["/login"] = Reply(status=status)
    found = source(site.url, tmp_path)
    listing = await found.list()
    assert (names(listing), listing.complete) == (["", "a", "b"], True)
    site.replies["/a"] = Reply(status=status)
    listing = await found.list()
    assert (names(listing), gone(listing), listing.complete) == (["", "b"], ["a", "login"], True)
    assert troubles(listing) == [("a", "parse.page_closed"), ("login", "parse.page_closed")]
    assert bodies(tmp_path) == 2
    site.page("/a")
    assert names(await found.list()) == ["", "a", "b"]


async def test_a_site_that_turns_us_away_loses_no_page(site: Site, tmp_path: Path) -> None:
    mapped(site, "/a", "/b", "/c")
    before = await source(site.url, tmp_path).list()
    site.replies["/b"] = site.replies["/c"] = Reply(status=403)
    listing = await source(site.url, tmp_path).list()
    assert (listing.entries, listing.complete, gone(listing)) == (before.entries, False, [])
    assert troubles(listing) == [("b", "parse.page_failed"), ("c", "parse.page_failed")]


async def test_a_site_that_gives_no_page_at_all_loses_none(site: Site, tmp_path: Path) -> None:
    mapped(site, "/a", "/b", "/login")
    await source(site.url, tmp_path).list()
    del site.replies["/a"], site.replies["/b"]
    site.replies["/login"] = Reply(status=500)
    (tmp_path / "pages.json").unlink()
    listing = await source(site.url, tmp_path).list()
    assert (listing.entries, listing.complete, gone(listing)) == ((), False, [])
    del site.replies["/login"]
    with pytest.raises(SourceError):
        await source(site.url, tmp_path).list()


async def test_pages_that_moved_away_or_are_no_documents_any_more_are_gone(site: Site, tmp_path: Path) -> None:
    mapped(site, *(f"/{n}" for n in range(6)))
    await source(site.url, tmp_path).list()
    site.moved("/1", "https://elsewhere.example/")
    site.page("/2", head='<meta name="robots" content="noindex">')
    site.page("/3", head='<link rel="canonical" href="/4">')
    site.replies["/5"] = Reply(b"\x89PNG", kind="image/png")
    mapped_before = site.replies["/sitemap.xml"]
    site.sitemap("/sitemap.xml", *(f"/{n}" for n in range(9)))
    listing = await source(site.url, tmp_path, pages=6).list()
    assert mapped_before != site.replies["/sitemap.xml"]
    assert (names(listing), gone(listing), listing.complete) == (["0", "4"], ["1", "2", "3", "5"], False)


async def test_bodies_that_change_at_each_visit_do_not_pile_up(site: Site, tmp_path: Path) -> None:
    for visit in range(4):
        for path in ("/", "/a", "/b"):
            site.page(path, "/a", "/b", "/c", "/d", text=f"Visit {visit} of {path}.")
        site.replies["/c"] = Reply(status=500)
        listing = await source(site.url, tmp_path, pages=4).list()
        assert (names(listing), listing.complete) == (["", "a", "b"], False)
        assert bodies(tmp_path) == 3
    site.replies["/"] = Reply(status=404)
    with pytest.raises(SourceError):
        await source(site.url, tmp_path).list()
    assert bodies(tmp_path) == 3
