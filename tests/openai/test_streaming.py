"""A streamed answer: its pieces, what breaks it, how long it may take, and that nobody keeps a connection open."""

from __future__ import annotations

import asyncio
import time

import pytest

from core.errors import UpstreamRefused, UpstreamTimeout
from tests.openai.asking import REQUEST, failed, small, spoken
from tests.openai_server.replies import Broken, Cut, Empty, Fail, Filtered, Hang, Malformed, Pace, Refuse, Reply, Say
from tests.openai_server.server import FEATURES, Manners, OpenAIServer

ANSWER = "Three months [1], and six after ten years [12]."


async def test_the_pieces_make_the_text_and_the_last_one_carries_the_usage() -> None:
    async with OpenAIServer([Say(("Three months [", "1", "] 세 달", "."))]) as server, small(server) as chat:
        chunks = [chunk async for chunk in chat.stream(REQUEST)]
    assert [chunk.text for chunk in chunks] == ["Three months [", "1", "] 세 달", ".", ""]
    assert [chunk.usage is None for chunk in chunks] == [True] * 4 + [False]
    assert server.chats[0].stream


async def test_a_server_that_tells_no_usage_is_estimated() -> None:
    manners = Manners(supports=FEATURES - {"stream_usage"})
    async with OpenAIServer([Say("four words of text")], manners=manners) as server, small(server) as chat:
        last = [chunk async for chunk in chat.stream(REQUEST)][-1]
    assert last.usage is not None
    assert (last.usage.output_tokens, last.usage.calls) == (5, 1)
    assert last.usage.input_tokens > 10


@pytest.mark.parametrize("fault", [Cut(after_chunks=3), Broken(after_chunks=3)])
async def test_a_stream_that_breaks_has_said_what_it_said_and_is_not_begun_again(fault: Reply) -> None:
    async with OpenAIServer([fault]) as server, small(server) as chat:
        said, error = await failed(chat)
    assert (said, error.reason) == ("This answ", "error.model_broken")
    assert error.usage is not None
    assert error.usage.output_tokens > 0


@pytest.mark.parametrize("fault", [Cut(after_chunks=0), Broken(after_chunks=0)])
async def test_a_stream_that_breaks_before_its_first_word_is_asked_again(fault: Reply) -> None:
    async with OpenAIServer([fault, Say(ANSWER)]) as server, small(server) as chat:
        assert await spoken(chat) == ANSWER


@pytest.mark.parametrize(
    ("reply", "reason", "said"),
    [
        (Empty(), "error.model_empty", ""),
        (Say("  \n"), "error.model_empty", "  \n"),
        (Refuse("I won't."), "error.model_declined", ""),
        (Filtered("Half of"), "error.model_declined", "Half of"),
        (Malformed("Half of", finish="length"), "error.model_cut", "Half of"),
    ],
)
async def test_an_answer_without_words_or_declined_is_refused(reply: Reply, reason: str, said: str) -> None:
    async with OpenAIServer([reply]) as server, small(server) as chat:
        heard, error = await failed(chat)
    assert (heard, error.reason, type(error)) == (said, reason, UpstreamRefused)
    assert error.usage is not None
    assert error.usage.calls == 1


@pytest.mark.parametrize("fault", [Hang(30), Hang(30, after_chunks=2)])
async def test_a_piece_that_does_not_come_in_time_ends_the_stream_and_the_connection(fault: Reply) -> None:
    async with OpenAIServer([fault]) as server, small(server, idle=0.2) as chat:
        started = time.monotonic()
        with pytest.raises(UpstreamTimeout):
            await spoken(chat)
        assert time.monotonic() - started < 1
        async with asyncio.timeout(1):
            await server.chats[0].gone.wait()


async def test_a_stream_that_drips_is_ended_by_the_time_for_the_whole() -> None:
    drip = Say("word " * 100, tokens=100, pace=Pace(token=0.05))
    async with OpenAIServer([drip]) as server, small(server, timeout=0.4) as chat:
        started = time.monotonic()
        with pytest.raises(UpstreamTimeout):
            await spoken(chat)
        assert 0.3 < time.monotonic() - started < 1.5


async def test_cancelling_closes_the_connection_promptly() -> None:
    slow = Say("word " * 500, tokens=500, pace=Pace(token=0.02))
    async with OpenAIServer([slow]) as server, small(server) as chat:
        reading = asyncio.create_task(spoken(chat))
        while not server.chats:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        async with asyncio.timeout(0.5):
            await server.chats[0].gone.wait()


async def test_a_reader_that_turns_away_closes_the_connection() -> None:
    slow = Say("word " * 500, tokens=500, pace=Pace(token=0.02))
    async with OpenAIServer([slow]) as server, small(server) as chat:
        stream = chat.stream(REQUEST)
        assert (await anext(stream)).text
        await stream.aclose()
        async with asyncio.timeout(0.5):
            await server.chats[0].gone.wait()


async def test_a_finished_stream_leaves_its_connection_for_the_next() -> None:
    async with OpenAIServer(lambda _: Say(ANSWER)) as server, small(server) as chat:
        for _ in range(3):
            assert await spoken(chat) == ANSWER
        assert server.connections == 1


async def test_a_server_that_does_not_stream_is_read_all_the_same() -> None:
    manners = Manners(supports=FEATURES - {"stream"})
    async with OpenAIServer([Say(ANSWER)], manners=manners) as server, small(server) as chat:
        assert await spoken(chat) == ANSWER


async def test_a_server_that_refuses_to_tell_the_usage_is_asked_without_it() -> None:
    refused = Fail(400, message="Extra inputs are not permitted: body, stream_options")
    async with OpenAIServer([refused, Say(ANSWER), Say(ANSWER)]) as server, small(server) as chat:
        assert await spoken(chat) == ANSWER
        assert await spoken(chat) == ANSWER
    assert ["stream_options" in call.body for call in server.chats] == [True, False, False]
