"""What is asked again and when, what is given up, and that both end in time."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from core.errors import UpstreamError, UpstreamTimeout
from tests.openai.asking import REQUEST, VALUE, Grades, small, spoken
from tests.openai_server.replies import Cut, Fail, Hang, Reply, Say, Value
from tests.openai_server.server import OpenAIServer


@pytest.mark.parametrize("fault", [Fail(429), Fail(500), Fail(503), Cut()])
async def test_what_may_pass_is_asked_again(fault: Reply) -> None:
    async with OpenAIServer([fault, Value(VALUE)]) as server, small(server) as chat:
        found = await chat.structured(REQUEST, Grades)
    waited = server.chats[1].seconds - server.chats[0].seconds
    assert (found.method, found.usage.calls) == ("json_schema", 1 if isinstance(fault, Cut) else 2)
    assert 0.3 < waited < 1.5


async def test_a_stream_is_asked_again_too() -> None:
    async with OpenAIServer([Fail(529, retry_after=0.05), Say("Yes.")]) as server, small(server) as chat:
        assert await spoken(chat) == "Yes."


async def test_the_server_says_in_seconds_how_long_to_wait() -> None:
    async with OpenAIServer([Fail(429, retry_after=1.2), Value(VALUE)]) as server, small(server) as chat:
        await chat.structured(REQUEST, Grades)
    assert 1.2 <= server.chats[1].seconds - server.chats[0].seconds < 2


async def test_the_server_says_by_a_date_how_long_to_wait() -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    async with OpenAIServer([Fail(503, retry_after=when), Value(VALUE)]) as server, small(server) as chat:
        await chat.structured(REQUEST, Grades)
    assert 0.8 <= server.chats[1].seconds - server.chats[0].seconds < 3


@pytest.mark.parametrize("retry_after", [3600, 4, "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_wait_that_is_too_long_is_given_up_at_once(retry_after: str | int) -> None:
    async with OpenAIServer([Fail(429, retry_after=retry_after)]) as server, small(server, timeout=3) as chat:
        started = time.monotonic()
        with pytest.raises(UpstreamError, match=r"error\.model_busy"):
            await chat.structured(REQUEST, Grades)
        assert time.monotonic() - started < 1


@pytest.mark.parametrize("retry_after", ["soon", "-5", "nan", "inf", ""])
async def test_a_wait_that_makes_no_sense_is_a_wait_of_our_own(retry_after: str) -> None:
    async with OpenAIServer([Fail(429, retry_after=retry_after), Value(VALUE)]) as server, small(server) as chat:
        assert (await chat.structured(REQUEST, Grades)).usage.calls == 2


async def test_the_tries_are_counted_and_end() -> None:
    async with OpenAIServer(lambda _: Fail(500, retry_after=0.01)) as server, small(server, max_retries=2) as chat:
        with pytest.raises(UpstreamError) as caught:
            await chat.structured(REQUEST, Grades)
        assert len(server.chats) == 3
    assert caught.value.reason == "error.model_down"
    assert caught.value.usage is not None
    assert caught.value.usage.calls == 3


async def test_no_answer_in_time_is_a_timeout_and_not_asked_again() -> None:
    async with OpenAIServer([Hang(30)]) as server, small(server, timeout=0.3) as chat:
        started = time.monotonic()
        with pytest.raises(UpstreamTimeout) as caught:
            await chat.structured(REQUEST, Grades)
        assert time.monotonic() - started < 1
    assert caught.value.reason == "error.model_slow"


async def test_nobody_listening_is_unreachable_and_not_a_timeout() -> None:
    async with OpenAIServer() as server:
        gone = small(server, max_retries=1)
    async with gone as chat:
        with pytest.raises(UpstreamError) as caught:
            await spoken(chat)
    error = caught.value
    assert not isinstance(error, UpstreamTimeout)
    assert error.reason == "error.model_unreachable"
    assert "127.0.0.1" in error.user_message("en")
