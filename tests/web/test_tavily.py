"""Tavily over a real server: what it is asked, what becomes of its faults, and what never leaves in words."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import traceback
from datetime import date

import pytest

from adapters.tavily import TavilySearch
from core.documents import Passage
from core.errors import ConfigError, UpstreamError, UpstreamRefused, UpstreamTimeout
from core.web.domains import Domains, domains
from tests.tavily_server.server import Scripted, TavilyServer, found, refusing, result
from tests.web.conftest import KEY, LISTED, reading, tavily

QUERY = "secret project halibut limits"
GOOD = found([result("https://example.com/a")])


async def searched(search: TavilySearch, query: str = QUERY, fresh: date | None = None) -> list[Passage]:
    return list(await search.search(query, fresh_from=fresh, limit=6))


async def failure(server: TavilyServer, *script: Scripted, timeout: float = 5.0) -> UpstreamError:
    server.will_say(*script)
    async with tavily(server, timeout=timeout) as search:
        with pytest.raises(UpstreamError) as caught:
            await searched(search)
    assert caught.value.user_message("ko") != caught.value.user_message("en")
    return caught.value


async def test_the_request_carries_key_domains_and_freshness(server: TavilyServer) -> None:
    server.will_say(GOOD)
    async with tavily(server) as search:
        await searched(search, fresh=date(2026, 1, 1))
    (asked,) = server.asked
    assert asked.path == "/search"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body["query"] == QUERY
    assert asked.body["include_domains"] == ["docs.example.org", "example.com"]
    assert asked.body["exclude_domains"] == ["bad.example.com"]
    assert asked.body["start_date"] == "2026-01-01"
    assert asked.body["max_results"] == 5
    assert asked.body["include_raw_content"] == "markdown"


async def test_with_any_domain_allowed_none_are_sent(server: TavilyServer) -> None:
    async with tavily(server, which=domains(allow_any=True)) as search:
        await searched(search)
    assert "include_domains" not in server.asked[0].body
    assert "start_date" not in server.asked[0].body


async def test_a_query_is_one_line_of_at_most_400_characters(server: TavilyServer) -> None:
    async with tavily(server) as search:
        await searched(search, "limits\n of " + "x" * 900)
        assert await searched(search, " \n ") == []
    (asked,) = server.asked
    assert len(asked.body["query"]) == 400
    assert "\n" not in asked.body["query"]


@pytest.mark.parametrize("key", ["", "  "])
async def test_without_a_key_nothing_is_searched_anywhere(server: TavilyServer, key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        TavilySearch(key, reading())
    assert "TAVILY_API_KEY" in caught.value.user_message("en")
    assert server.asked == []


async def test_without_a_domain_nothing_is_searched_anywhere() -> None:
    with pytest.raises(ConfigError) as caught:
        TavilySearch(KEY, reading(Domains()))
    assert "allow_domains" in caught.value.user_message("en")


@pytest.mark.parametrize(
    ("status", "kind", "remedy"),
    [
        (401, UpstreamRefused, "TAVILY_API_KEY"),
        (403, UpstreamRefused, "TAVILY_API_KEY"),
        (432, UpstreamRefused, "plan"),
        (433, UpstreamRefused, "plan"),
        (400, UpstreamError, "later"),
        (302, UpstreamError, "later"),
    ],
)
async def test_a_refusal_is_told_with_its_remedy_and_not_tried_again(
    server: TavilyServer, status: int, kind: type[UpstreamError], remedy: str
) -> None:
    error = await failure(server, refusing(status, location="http://192.0.2.1/"), GOOD)
    assert isinstance(error, kind)
    assert remedy in error.user_message("en")
    assert len(server.asked) == 1


@pytest.mark.parametrize("fault", [refusing(429), refusing(500), refusing(503), Scripted(hang_up=True)])
async def test_what_passes_is_tried_again(server: TavilyServer, fault: Scripted) -> None:
    server.will_say(fault, GOOD)
    async with tavily(server) as search:
        assert len(await searched(search)) == 1
        assert search.calls == 2
    assert search.calls == 2


@pytest.mark.parametrize("fault", [refusing(429), refusing(500), Scripted(hang_up=True)])
async def test_what_does_not_pass_is_tried_three_times(server: TavilyServer, fault: Scripted) -> None:
    await failure(server, fault)
    assert len(server.asked) == 3


async def test_retry_after_is_kept(server: TavilyServer) -> None:
    server.will_say(refusing(429, retry_after="1"), GOOD)
    started = time.perf_counter()
    async with tavily(server) as search:
        assert await searched(search)
    assert 1.0 <= time.perf_counter() - started < 3.0


async def test_a_retry_after_beyond_the_time_there_is_ends_the_search_at_once(server: TavilyServer) -> None:
    started = time.perf_counter()
    error = await failure(server, refusing(429, retry_after="3600"), GOOD)
    assert time.perf_counter() - started < 1.0
    assert error.reason == "error.web_busy"
    assert len(server.asked) == 1


@pytest.mark.parametrize("slow", [Scripted(delay=30), Scripted(body=b'{"results": []}' * 50, drip=0.05)])
async def test_a_slow_answer_ends_at_the_time_limit(server: TavilyServer, slow: Scripted) -> None:
    started = time.perf_counter()
    error = await failure(server, slow, timeout=0.5)
    assert isinstance(error, UpstreamTimeout)
    assert "0.5" in error.user_message("en")
    assert time.perf_counter() - started < 1.5


async def test_a_search_can_be_cancelled(server: TavilyServer) -> None:
    server.will_say(Scripted(delay=30), GOOD)
    async with tavily(server) as search:
        task = asyncio.create_task(searched(search))
        while not server.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await searched(search)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b'{"results": [',
        b"[]",
        b"null",
        b'"results"',
        b'{"results": null}',
        b'{"results": {"a": 1}}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
async def test_an_answer_that_is_none_is_an_error(server: TavilyServer, body: bytes) -> None:
    error = await failure(server, Scripted(body=body))
    assert error.reason == "error.web_answer"


async def test_an_answer_cut_short_is_tried_again(server: TavilyServer) -> None:
    server.will_say(Scripted(body=b'{"results": [', headers={"Content-Length": "500"}), GOOD)
    async with tavily(server) as search:
        assert await searched(search)


async def test_results_that_are_none_are_passed_over(server: TavilyServer) -> None:
    odd: list[object] = [
        None,
        7,
        "x",
        [],
        {},
        {"url": None},
        {"url": 5, "title": []},
        {"url": "https://example.com/\ud800"},
    ]
    body = json.dumps({"results": [*odd, result("https://example.com/a", raw_content=None)]}).encode()
    server.will_say(Scripted(body=body))
    async with tavily(server) as search:
        (found_one,) = await searched(search)
    assert found_one.link == "https://example.com/a"


@pytest.mark.parametrize(
    "endless", [Scripted(body=b"x" * 65536, chunked=2000), Scripted(headers={"Content-Length": "99999999999"})]
)
async def test_an_endless_answer_is_not_read_to_its_end(server: TavilyServer, endless: Scripted) -> None:
    assert (await failure(server, endless)).reason == "error.web_answer"


async def test_a_huge_page_is_cut(server: TavilyServer) -> None:
    server.will_find(result("https://example.com/a", "The limit is 50 a minute. " * 100_000))
    async with tavily(server, max_characters=2000) as search:
        assert sum(len(each.text) for each in await searched(search)) <= 2000


async def test_many_searches_at_once_each_get_their_own_answer(server: TavilyServer) -> None:
    server.will_say(GOOD)
    async with tavily(server) as search:
        every = await asyncio.gather(*(searched(search, f"query {number}") for number in range(20)))
    assert all(len(each) == 1 for each in every)
    assert {asked.body["query"] for asked in server.asked} == {f"query {number}" for number in range(20)}


@pytest.mark.parametrize("status", [200, 400, 401, 429, 432, 500])
async def test_neither_key_nor_query_stands_in_a_log_or_an_error(
    server: TavilyServer, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"bad key {KEY} for {QUERY}"
    server.will_say(refusing(status, echo) if status != 200 else Scripted(body=echo.encode()))
    async with tavily(server) as search:
        with pytest.raises(UpstreamError) as caught:
            await searched(search)
        logging.getLogger("test").warning("failed", exc_info=caught.value)
        shown = repr(search)
    told = [
        caplog.text,
        shown,
        str(caught.value),
        repr(caught.value.fields),
        "".join(traceback.format_exception(caught.value)),
        caught.value.user_message("en") + caught.value.user_message("ko"),
    ]
    assert all(KEY not in text and "halibut" not in text for text in told)


def test_making_one_does_nothing() -> None:
    assert TavilySearch(KEY, reading(LISTED)).calls == 0
