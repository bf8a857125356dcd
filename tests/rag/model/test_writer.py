"""The writer by a model: its words as they come, and as few calls as a greeting needs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.memory.chat import ScriptedChat
from core.answers import Plan
from core.errors import UpstreamError
from core.ports import WriteRequest
from core.rag.model.writer import ModelWriter
from tests.rag.model.scripts import CARDS, forbidden, passage, scripted, write_request

DIRECT = Plan("Hello!", "direct")


async def words(writer: ModelWriter, request: WriteRequest) -> list[str]:
    return [chunk async for chunk in writer.write(request)]


class Courteous:
    """A keyless writer of greetings."""

    async def write(self, request: WriteRequest) -> Any:
        yield "Hello"
        yield " there"


async def test_the_words_come_as_the_model_says_them() -> None:
    model = scripted(["Leave is ", "25 days [", "1", "]."])
    assert await words(ModelWriter(model), write_request([passage(1)])) == ["Leave is ", "25 days [", "1", "]."]


async def test_nothing_is_filtered_here() -> None:
    said = "See [7] at https://evil.example @everyone"
    assert "".join(await words(ModelWriter(scripted(said)), write_request([passage(1)]))) == said


async def test_what_the_planner_replied_costs_no_call() -> None:
    plan = Plan("Thanks!", "direct", reply="You're welcome!")
    writer = ModelWriter(ScriptedChat(forbidden), direct=Courteous())
    assert await words(writer, write_request(plan=plan)) == ["You're welcome!"]


async def test_a_keyless_writer_of_greetings_costs_no_call() -> None:
    writer = ModelWriter(ScriptedChat(forbidden), direct=Courteous())
    assert await words(writer, write_request(plan=DIRECT)) == ["Hello", " there"]


async def test_else_a_greeting_is_one_call_that_names_the_collections() -> None:
    model = scripted("Hello!")
    assert await words(ModelWriter(model), write_request(plan=DIRECT, cards=CARDS)) == ["Hello!"]
    assert len(model.requests) == 1
    assert "Employee handbook" in model.requests[0].messages[0].text
    assert "passage" not in model.requests[0].messages[-1].text


async def test_a_stream_cut_in_the_middle_raises_after_its_words() -> None:
    chunks = ModelWriter(scripted(["Leave is", UpstreamError()])).write(write_request([passage(1)]))
    assert await anext(chunks) == "Leave is"
    with pytest.raises(UpstreamError):
        await anext(chunks)


async def test_a_writer_that_is_cancelled_closes_the_models_stream() -> None:
    model = scripted("one two three", between=5.0)
    writing = asyncio.create_task(words(ModelWriter(model), write_request([passage(1)])))
    await asyncio.sleep(0.02)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert model.closed == 1
