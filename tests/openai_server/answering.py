"""How each scripted reply goes over the wire, whole or as a stream, at its pace."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.openai_server import wire
from tests.openai_server.http import Exchange, sleep
from tests.openai_server.replies import Broken, Cut, Fail, Hang, Pace, Reply, Spoken, Value

Request = Mapping[str, Any]

PROSE = Spoken(("Sure! ", "Let me think about it. ", "I would say it depends."))
"""What a model says that was never shown the structure it should fill."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers by the script; `ignores` are methods of structured output that have no effect."""

    pace: Pace
    supports: frozenset[str]
    ignores: frozenset[str]

    async def answer(self, exchange: Exchange, request: Request, reply: Reply) -> None:
        """Write the reply."""
        if isinstance(reply, Fail):
            _fail(exchange, reply)
            return
        overlooked = isinstance(reply, Value) and method_of(request) in self.ignores
        spoken = PROSE if overlooked else reply.spoken
        if request.get("stream") and "stream" in self.supports:
            await self._stream(exchange, request, spoken)
        else:
            await self._whole(exchange, request, spoken)

    async def _whole(self, exchange: Exchange, request: Request, spoken: Spoken) -> None:
        pace = spoken.pace or self.pace
        output = spoken.tokens or len(spoken.pieces)
        content = "".join(spoken.pieces)
        message = {spoken.field: content}
        if spoken.structured and request.get("tools"):
            message = wire.called(request, content)
        body = wire.completion(request, message, spoken.finish, output)
        if not await sleep(exchange, pace.first + pace.token * output):
            return
        if isinstance(spoken.then, Cut | Broken):
            exchange.cut(json.dumps(body).encode())
        elif not isinstance(spoken.then, Hang) or await sleep(exchange, spoken.then.seconds):
            exchange.answer(body)

    async def _stream(self, exchange: Exchange, request: Request, spoken: Spoken) -> None:
        pace = spoken.pace or self.pace
        if not await sleep(exchange, pace.first):
            return
        exchange.start("text/event-stream")
        exchange.send(wire.opening(request))
        event = wire.piece_maker(request, spoken.field)
        for sent, piece in enumerate(spoken.pieces):
            if sent == spoken.stop_after and not await _interrupted(exchange, spoken):
                return
            exchange.send(event(piece))
            if not await sleep(exchange, pace.token):
                return
        exchange.send(wire.ending(request, spoken.finish))
        if "stream_usage" in self.supports and (request.get("stream_options") or {}).get("include_usage"):
            exchange.send(wire.usage_event(request, spoken.tokens or len(spoken.pieces)))
        exchange.send(wire.DONE)
        exchange.end()


def method_of(request: Request) -> str:
    """How a structure was asked for: json_schema, tools, json_object, or ``""``."""
    if request.get("tools"):
        return "tools"
    return str((request.get("response_format") or {}).get("type", ""))


def _fail(exchange: Exchange, reply: Fail) -> None:
    headers = dict(reply.headers)
    if reply.retry_after is not None:
        headers["Retry-After"] = str(reply.retry_after)
    exchange.answer(wire.error(reply.message, code=reply.code), reply.status, headers)


async def _interrupted(exchange: Exchange, spoken: Spoken) -> bool:
    """What happens in the middle of the stream; whether it goes on after that."""
    match spoken.then:
        case Hang(seconds=seconds):
            return await sleep(exchange, seconds)
        case Broken(message=message):
            exchange.send(wire.error_event(message))
            exchange.end()
        case _:
            exchange.cut()
    return False
