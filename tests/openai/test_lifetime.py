"""Opening and closing: loops, instances, imports, tracing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import pytest
from langchain_core.callbacks import get_usage_metadata_callback

from tests.openai.asking import REQUEST, VALUE, Grades, failed, small, spoken
from tests.openai_server.improvising import improvised
from tests.openai_server.replies import Pace, Say, Value
from tests.openai_server.server import OpenAIServer


def test_each_event_loop_has_connections_of_its_own() -> None:
    async def once() -> str:
        async with OpenAIServer([Say("Yes.")]) as server, small(server) as chat:
            return await spoken(chat)

    assert [asyncio.run(once()) for _ in range(3)] == ["Yes."] * 3


async def test_closing_one_model_leaves_the_other_open() -> None:
    async with OpenAIServer(lambda _: Say("Yes.")) as server, small(server) as kept:
        async with small(server) as other:
            assert await spoken(other) == "Yes."
        assert await spoken(kept) == "Yes."


async def test_a_model_can_be_opened_again() -> None:
    async with OpenAIServer(lambda _: Say("Yes.")) as server:
        chat = small(server)
        for _ in range(2):
            async with chat:
                assert await spoken(chat) == "Yes."


async def test_a_closed_model_is_a_bug() -> None:
    async with OpenAIServer() as server:
        with pytest.raises(AssertionError, match="open it"):
            await small(server).structured(REQUEST, Grades)


async def test_a_hundred_requests_run_side_by_side() -> None:
    pace = Pace(first=0.2, token=0.005)
    script = lambda call: Say("word " * 20, tokens=20) if call.stream else Value(VALUE)  # noqa: E731
    async with OpenAIServer(script, pace=pace) as server, small(server, timeout=30) as chat:
        started = time.monotonic()
        asked = [spoken(chat) if i % 2 else chat.structured(REQUEST, Grades) for i in range(100)]
        answers = await asyncio.gather(*asked)
        assert time.monotonic() - started < 10  # one after the other takes over 30 s
    assert len(answers) == len(server.chats) == 100


def test_importing_the_adapter_loads_no_vendor() -> None:
    watch = "import sys, adapters.openai.chat, adapters.openai.embedder; print({'openai', 'aiohttp'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", watch], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


async def test_a_tracer_hears_of_requests_when_there_is_one() -> None:
    async with OpenAIServer([Value(VALUE, tokens=30), Say("yes", tokens=3)]) as server, small(server) as chat:
        with get_usage_metadata_callback() as heard:
            await chat.structured(REQUEST, Grades)
            await spoken(chat)
    assert heard.usage_metadata["small"]["output_tokens"] == 33


async def test_a_server_without_a_script_improvises_what_fits() -> None:
    async with OpenAIServer(improvised) as server, small(server) as chat:
        assert (await chat.structured(REQUEST, Grades)).value.grades[0].grade == "correct"
        assert "[1]" in await spoken(chat)


async def test_a_question_without_a_reply_in_the_script_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="without a script"):
        async with OpenAIServer() as server, small(server) as chat:
            await failed(chat)
