"""With models: no request to one holds a word of what its asker may not read."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio
from pydantic import SecretStr

from bots.compose.models import opened_models
from bots.model_settings import ModelSettings
from tests.access.house import House, Plot, built, question
from tests.access.readers import AUDIENCES, COLLECTIONS, hidden_words, readable_words
from tests.access.test_matrix import leaked
from tests.openai_server.improvising import improvised
from tests.openai_server.replies import Reply, Say, Value
from tests.openai_server.server import Call, OpenAIServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOME = ("public channel", "shared with another organisation", "private message", "guest in a private message")


def curious(call: Call) -> Reply:
    """A model that names every collection it has ever heard of, whether it was shown it or not."""
    reply = improvised(call)
    if isinstance(reply, Say):
        return Say(
            "See " + ", ".join(f"{word}-files" for word in COLLECTIONS if word in json.dumps(call.body)) + " [1]."
        )
    assert isinstance(reply, Value)
    return Value(_with_every_collection(reply.value))


def _with_every_collection(value: Any) -> Any:
    if isinstance(value, dict):
        every = [f"{word}-files" for word in COLLECTIONS]
        return {k: every if k == "collections" else _with_every_collection(v) for k, v in value.items()}
    return value


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[House, OpenAIServer]]:
    """A house whose every step asks the server."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(OpenAIServer(curious))
        chosen = ModelSettings(
            base_url=server.base_url, small="small", large="large", profile="model", key=SecretStr("sk-access")
        )
        models = await opened_models(stack, chosen)
        assert models is not None
        plot = Plot(models=(models, chosen))
        yield await stack.enter_async_context(built(tmp_path_factory.mktemp("modelled"), plot)), server


@pytest.mark.parametrize("name", SOME)
async def test_no_model_is_shown_what_is_hidden_and_what_it_makes_up_leads_nowhere(
    world: tuple[House, OpenAIServer], name: str
) -> None:
    house, server = world
    before = len(server.chats)
    asked = (*sorted(hidden_words(name))[:4], *sorted(readable_words(name))[:2])
    for text in (*map(question, asked), "And how is that called?"):
        turn = await house.ask(text, AUDIENCES[name][0], name)
        assert turn.status == "answered"
        assert not leaked(house.told(turn), hidden_words(name))
    sent = [json.dumps(call.body, ensure_ascii=False) for call in server.chats[before:]]
    assert sent
    assert not leaked(sent, hidden_words(name))
    assert leaked(sent, COLLECTIONS) == readable_words(name)
