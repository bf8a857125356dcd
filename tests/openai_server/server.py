"""The server itself: takes a request, asks the script what to answer, records the call.

    async with OpenAIServer([Say("Hello [1]."), Fail(429, retry_after=1)]) as server:
        model = OpenAIChat(OpenAIModels(base_url=server.base_url, …))

A script is a list of replies, taken in order, or a function of the call. Embeddings need no script.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.openai_server import wire
from tests.openai_server.answering import Answering, method_of
from tests.openai_server.http import Connection, Exchange, parsed
from tests.openai_server.replies import Fail, Pace, Reply

FEATURES = frozenset({"json_schema", "tools", "json_object", "stream", "stream_usage"})


@dataclass(slots=True)
class Call:
    """One request as it came in. `seconds` is when, from the server's start; `gone` when the client left early."""

    path: str
    seconds: float
    body: dict[str, Any]
    headers: Mapping[str, str]
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def method(self) -> str:
        return method_of(self.body)

    @property
    def schema(self) -> str:
        """The name of the structure that was asked for."""
        if self.body.get("tools"):
            return str(self.body["tools"][0]["function"]["name"])
        return str((self.body.get("response_format") or {}).get("json_schema", {}).get("name", ""))


Script = Callable[[Call], Reply] | Iterable[Reply]


@dataclass(frozen=True, slots=True)
class Manners:
    """What this server can do and demands.

    A method in `supports` works; one in `ignores` is accepted and has no effect; any other is answered with 400.
    """

    supports: frozenset[str] = FEATURES
    ignores: frozenset[str] = frozenset()
    key: str | None = None
    models: frozenset[str] | None = None
    dimension: int = 64
    max_inputs: int = 2048


class OpenAIServer:
    """`async with` starts it on a free port of 127.0.0.1 (or `port`) and stops it with all its connections.

    Leaving fails when something was asked that the script had no reply for.
    """

    def __init__(
        self, script: Script = (), *, manners: Manners | None = None, pace: Pace | None = None, port: int = 0
    ) -> None:
        self.calls: list[Call] = []
        self.connections = 0
        self.manners = manners or Manners()
        self._script = script if callable(script) else self._in_order(list(script))
        self._answering = Answering(pace or Pace(), self.manners.supports, self.manners.ignores)
        self._unscripted: list[str] = []
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._started = 0.0

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._connected, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        self._started = time.monotonic()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if error is None and self._unscripted:
            raise AssertionError(f"asked without a script: {self._unscripted}")

    @property
    def base_url(self) -> str:
        """What a client is configured with."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def chats(self) -> list[Call]:
        """The calls for an answer, without those for embeddings."""
        return [call for call in self.calls if call.path.endswith("/chat/completions")]

    def _connected(self) -> Connection:
        self.connections += 1
        return Connection(self._handle, self._tasks)

    async def _handle(self, exchange: Exchange) -> None:
        call = Call(exchange.path, time.monotonic() - self._started, parsed(exchange.body), exchange.headers)
        call.gone = exchange.gone
        self.calls.append(call)
        if refusal := self._refusal(call):
            exchange.answer(wire.error(refusal.message, code=refusal.code), refusal.status)
        elif call.path == "/v1/embeddings":
            exchange.answer(wire.embeddings(call.body, self.manners.dimension))
        else:
            await self._answering.answer(exchange, call.body, self._script(call))

    def _refusal(self, call: Call) -> Fail | None:
        """What a service says before any model is asked."""
        manners = self.manners
        if manners.key is not None and call.headers.get("authorization") != f"Bearer {manners.key}":
            return Fail(401, message=f"Incorrect API key: {call.headers.get('authorization')}", code="invalid_api_key")
        if call.path not in ("/v1/chat/completions", "/v1/embeddings"):
            return Fail(404, message=f"there is no {call.path}")
        if manners.models is not None and call.model not in manners.models:
            return Fail(404, message=f"The model {call.model} does not exist", code="model_not_found")
        if call.method and call.method not in manners.supports | manners.ignores:
            return Fail(400, message=f"{call.method} is not supported; the request was {call.body}")
        if isinstance(call.body.get("input"), list) and len(call.body["input"]) > manners.max_inputs:
            return Fail(400, message="too many inputs")
        return None

    def _in_order(self, replies: list[Reply]) -> Callable[[Call], Reply]:
        def take(call: Call) -> Reply:
            if replies:
                return replies.pop(0)
            self._unscripted.append(f"{call.model} {call.method or 'text'}")
            return Fail(400, message="the script is over")

        return take
