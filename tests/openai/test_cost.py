"""What a request costs, and that prices are found."""

from __future__ import annotations

import pytest

from adapters.openai.chat import OpenAIChat
from adapters.openai.prices import cost, price_of
from tests.openai.asking import REQUEST, VALUE, Grades, models, small
from tests.openai_server.replies import Fail, Malformed, Reply, Say, Value
from tests.openai_server.server import OpenAIServer

PROMPT_TOKENS = sum(len(said.text) for said in REQUEST.messages) // 4


async def test_tokens_and_dollars_come_from_the_answer() -> None:
    server = OpenAIServer([Value(VALUE, tokens=30)])
    async with server, small(server, prices={"small": (1.0, 0.5, 10.0)}) as chat:
        usage = (await chat.structured(REQUEST, Grades)).usage
    cached = PROMPT_TOKENS // 4
    assert (usage.model, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (
        "small",
        PROMPT_TOKENS,
        cached,
        30,
    )
    assert usage.cost == pytest.approx(((PROMPT_TOKENS - cached) + cached * 0.5 + 300) / 1e6)


async def test_every_attempt_is_paid_for() -> None:
    script: list[Reply] = [Malformed('{"grades": 7}'), Fail(500, retry_after=0.01), Value(VALUE, tokens=30)]
    async with OpenAIServer(script) as server, small(server) as chat:
        usage = (await chat.structured(REQUEST, Grades)).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (3, 2 * PROMPT_TOKENS, 31)


async def test_a_streamed_answer_costs_too() -> None:
    server = OpenAIServer([Say("yes " * 100, tokens=150)])
    async with server, OpenAIChat(models(server), "gpt-4.1-2025-04-14") as chat:
        last = [chunk async for chunk in chat.stream(REQUEST)][-1]
    assert last.usage is not None
    assert last.usage.output_tokens == 150
    assert last.usage.cost == pytest.approx(150 * 8e-6 + (PROMPT_TOKENS - PROMPT_TOKENS // 4 * 0.75) * 2e-6)


async def test_a_model_without_a_price_has_no_cost() -> None:
    async with OpenAIServer([Value(VALUE)]) as server, small(server) as chat:
        assert (await chat.structured(REQUEST, Grades)).usage.cost is None


def test_prices_are_found_by_name_with_or_without_a_date_and_settings_come_first() -> None:
    assert price_of("gpt-4o-mini", {}) == price_of("gpt-4o-mini-2024-07-18", {}) == (0.15, 0.075, 0.6)
    assert price_of("gpt-4o-mini", {"gpt-4o-mini": (1, 1, 1)}) == (1, 1, 1)
    assert price_of("gpt-4o-mini-2024-07-18", {"gpt-4o-mini": (1, 1, 1)}) == (1, 1, 1)
    assert price_of("llama3.2", {}) is None


def test_more_cached_than_read_costs_no_less_than_nothing() -> None:
    assert cost((1.0, 0.5, 2.0), (10, 20, 0)) == pytest.approx(10e-6)
