"""What every WebSearch must do, whatever it searches."""

from __future__ import annotations

from datetime import date

from core.web.domains import domains
from core.web.pages import Page
from tests.web.conftest import Web

TEXT = "The request limit is 50 a minute."


def page(url: str, text: str = TEXT, **more: str) -> Page:
    return Page(url, "Limits", f"{text} ({url})", "limit", **more)


async def test_pages_come_as_passages_of_the_web(web: Web) -> None:
    async with web.over([page("https://example.com/a")]) as search:
        (found,) = await search.search("request limit", fresh_from=None, limit=6)
    assert found.origin == "web"
    assert found.link == "https://example.com/a"
    assert TEXT in found.text


async def test_what_the_list_does_not_admit_is_dropped(web: Web) -> None:
    urls = [
        "https://evil.com/a",
        "https://example.com@evil.com/",
        "https://bad.example.com/",
        "javascript:limit",
        "",
        "https://sub.example.com/b",
    ]
    async with web.over(list(map(page, urls))) as search:
        found = await search.search("limit", fresh_from=None, limit=6)
    assert [each.link for each in found] == ["https://sub.example.com/b"]


async def test_with_any_domain_allowed_only_denied_ones_are_dropped(web: Web) -> None:
    pages = [page("https://evil.com/a"), page("http://127.0.0.1/a"), page("https://fine.net/a")]
    async with web.over(pages, domains(deny=["evil.com"], allow_any=True)) as search:
        found = await search.search("limit", fresh_from=None, limit=6)
    assert [each.link for each in found] == ["https://fine.net/a"]


async def test_never_more_than_the_limit(web: Web) -> None:
    pages = [page(f"https://example.com/{number}") for number in range(5)]
    async with web.over(pages) as search:
        assert len(await search.search("limit", fresh_from=None, limit=3)) == 3
        assert await search.search("limit", fresh_from=None, limit=0) == ()


async def test_a_page_from_before_the_day_asked_for_is_left_out(web: Web) -> None:
    pages = [page("https://example.com/old", published="2024-01-01"), page("https://example.com/new")]
    async with web.over(pages) as search:
        found = await search.search("limit", fresh_from=date(2026, 1, 1), limit=6)
    assert [each.link for each in found] == ["https://example.com/new"]


async def test_the_same_page_twice_is_one(web: Web) -> None:
    pages = [page("https://example.com/a"), page("https://example.com/a/?utm_source=x")]
    async with web.over(pages) as search:
        assert len(await search.search("limit", fresh_from=None, limit=6)) == 1


async def test_nothing_found_is_no_error(web: Web) -> None:
    async with web.over([]) as search:
        assert await search.search("limit", fresh_from=None, limit=6) == ()
