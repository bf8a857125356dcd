"""Neither the key nor what was asked gets out: not by an error, its causes, a repr, or any logger at any level."""

from __future__ import annotations

import json
import logging
import traceback

import pytest
from pydantic import SecretStr

from adapters.openai.embedder import OpenAIEmbedder
from core.errors import ConfigError, RefdeskError
from tests.openai.asking import KEY, PROMPT, REQUEST, VALUE, Grades, models, small, spoken
from tests.openai_server.replies import Broken, Cut, Empty, Fail, Hang, Malformed, Refuse, Reply, Value
from tests.openai_server.server import Manners, OpenAIServer

TELLTALE = f"the request with {KEY} said: {PROMPT}"

FAULTS = [
    Fail(400, message=TELLTALE, code=KEY),
    Fail(401, message=TELLTALE),
    Fail(404, message=TELLTALE),
    Fail(429, message=TELLTALE, retry_after=0.01),
    Fail(500, message=TELLTALE, retry_after=0.01),
    Broken(after_chunks=1, message=TELLTALE),
    Cut(after_chunks=1),
    Refuse(TELLTALE),
    Malformed(json.dumps({"grades": [{"number": 1, "grade": TELLTALE}]})),
    Malformed("<html>" + TELLTALE),
    Empty(),
    Hang(9),
]


def everything(error: BaseException | None) -> str:
    """All that any log could print of an error."""
    said = []
    while error is not None:
        said += [str(error), repr(error), repr(vars(error)), *traceback.format_exception(error)]
        error = error.__cause__ or error.__context__
    return "\n".join(said)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_no_fault_tells_the_key_or_the_prompt(fault: Reply, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = []
    async with OpenAIServer(lambda _: fault) as server, small(server, timeout=0.5) as chat:
        for asking in (chat.structured(REQUEST, Grades), spoken(chat)):
            try:
                await asking
            except RefdeskError as error:
                logging.getLogger("test").warning("%s", error, exc_info=error)
                told += [everything(error), error.user_message("en"), error.user_message("ko")]
    written = "\n".join([*told, *(f"{vars(record)}" for record in caplog.records), caplog.text])
    assert told
    assert KEY not in written
    assert "Kettering" not in written


async def test_success_is_as_quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with OpenAIServer([Value(VALUE)], manners=Manners(key=KEY)) as server, small(server) as chat:
        await chat.structured(REQUEST, Grades)
        async with OpenAIEmbedder(models(server, embedding="e", dimension=64)) as embedder:
            await embedder.embed([PROMPT], "passage")
    written = "\n".join([caplog.text, *(f"{vars(record)}" for record in caplog.records), repr(vars(chat))])
    assert KEY not in written
    assert "Kettering" not in written


async def test_settings_and_models_show_no_key() -> None:
    async with OpenAIServer() as server:
        assert KEY not in repr(models(server)) + str(models(server)) + repr(small(server))


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-two\nlines", "sk-\x00"])
async def test_a_key_that_cannot_be_sent_is_a_mistake_of_the_settings(key: str) -> None:
    async with OpenAIServer() as server:
        with pytest.raises(ConfigError) as caught:
            async with small(server, api_key=SecretStr(key)):
                pass
    assert key not in everything(caught.value)
