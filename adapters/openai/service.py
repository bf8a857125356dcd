"""One chat model at one service: sends requests and gives what comes back, or a Failure. Knows not what is asked."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from adapters.openai.answers import Told
from adapters.openai.connection import Connection
from adapters.openai.faults import Failure, Fault
from adapters.openai.meter import Meter
from adapters.openai.models import OpenAIModels
from adapters.openai.patience import Patience
from adapters.openai.reading import read
from core.chat import Request

if TYPE_CHECKING:
    from adapters.openai.building import ChatClient

_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}


class Service:
    """`async with` opens it. Options that the service refuses (a temperature, a limit) are left out from then on."""

    def __init__(self, models: OpenAIModels, model: str) -> None:
        self._models = models
        self._model = model
        self._connection = Connection(models, model)
        self._without: frozenset[str] = frozenset()
        self._client: ChatClient | None = None

    async def __aenter__(self) -> Self:
        vendor, http = await self._connection.open()
        self._client = vendor.ChatClient(self._models, self._model, http)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client = None
        await self._connection.close()

    async def post(self, request: Request, options: Mapping[str, Any], meter: Meter, patience: Patience) -> Told:
        """One whole answer; asked again while the fault may pass."""
        without = self._without
        while True:
            payload = self._payload(request, options, without)
            try:
                answer = await self._connection.told(self._whole(payload), patience.until)
            except Failure as failure:
                without = await _otherwise(failure.fault, payload, without, meter, patience)
            else:
                self._without = without
                return answer

    async def stream(self, request: Request, meter: Meter, patience: Patience) -> AsyncGenerator[Told, None]:
        """A streamed answer in its pieces; asked again only as long as not one word has come."""
        without, begun = self._without, False
        while True:
            payload = self._payload(request, _STREAMED, without)
            opening = self._chat.with_streaming_response.create(**payload)
            try:
                async with aclosing(read(opening, self._connection, patience)) as pieces:
                    async for piece in pieces:
                        begun = begun or bool(piece.text)
                        yield piece
            except Failure as failure:
                if begun:
                    raise
                without = await _otherwise(failure.fault, payload, without, meter, patience)
            else:
                self._without = without
                return

    @property
    def _chat(self) -> Any:
        assert self._client is not None, "open it with `async with` first"
        return self._client.api.chat.completions

    async def _whole(self, payload: Mapping[str, Any]) -> Told:
        response = await self._chat.with_raw_response.create(**payload)
        return Told.of(json.loads(response.content))

    def _payload(self, request: Request, options: Mapping[str, Any], without: frozenset[str]) -> dict[str, Any]:
        assert self._client is not None, "open it with `async with` first"
        payload = self._client.payload(request, dict(options))
        if "max_completion_tokens" in without and "max_completion_tokens" in payload:
            payload["extra_body"] = {"max_tokens": payload["max_completion_tokens"]}
        if "max_tokens" in without:
            payload.pop("extra_body", None)
        return {name: value for name, value in payload.items() if name not in without}


async def _otherwise(
    fault: Fault, payload: Mapping[str, Any], without: frozenset[str], meter: Meter, patience: Patience
) -> frozenset[str]:
    """What to leave out of the next try, once it may begin; raises Failure when there is none."""
    if fault.status:
        meter.refused()
    if meter.full:
        raise Failure(fault)
    refused = {fault.about} & {*payload, *payload.get("extra_body", ())} - without
    if not refused:
        await patience.again(fault)
    return without | refused
