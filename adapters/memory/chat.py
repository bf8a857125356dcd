"""A chat model that follows a script: a function from the request to what is said, faults included.

For tests, demonstrations and measurements; what a real one does at its service – validate, stream, refuse,
break in the middle, count tokens – this one does in memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from core.chat import Chunk, Request, S, Structured, Usage
from core.errors import UpstreamRefused

Piece = str | Exception
Scripted = str | Mapping[str, Any] | Exception | Sequence[Piece]
"""A text (JSON where a structure is asked for), a structure, a fault, or pieces of a stream with faults among them."""

CHARACTERS_PER_TOKEN = 4


@dataclass
class ScriptedChat:
    """Implements `core.ports.ChatModel`; `requests` keeps what was asked, `prices` are dollars a token in and out.

    `before` is waited for before the first word, `between` before each further piece (seconds).
    """

    reply: Callable[[Request], Scripted]
    name: str = "scripted"
    prices: tuple[float, float] | None = None
    before: float = 0.0
    between: float = 0.0
    requests: list[Request] = field(default_factory=list)
    closed: int = 0

    async def structured(self, request: Request, schema: type[S]) -> Structured[S]:
        """The scripted value; what doesn't fit the schema is refused, as the port says."""
        said = await self._said(request)
        if isinstance(said, Exception):
            raise said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        try:
            value = schema.model_validate_json(text)
        except ValidationError as error:
            raise UpstreamRefused(detail=f"no usable {schema.__name__}") from error
        return Structured(value, self._usage(request, text), "scripted")

    async def stream(self, request: Request) -> AsyncIterator[Chunk]:
        """The scripted pieces, a text by its words; the last carries the usage."""
        said = await self._said(request)
        pieces = _pieces(said)
        if not any(isinstance(piece, Exception) or piece.strip() for piece in pieces):
            raise UpstreamRefused(detail="an empty answer")
        text = ""
        try:
            for place, piece in enumerate(pieces):
                if isinstance(piece, Exception):
                    raise piece
                text += piece
                await asyncio.sleep(self.between if place else 0)
                yield Chunk(piece, self._usage(request, text) if place == len(pieces) - 1 else None)
        finally:
            self.closed += 1

    async def _said(self, request: Request) -> Scripted:
        self.requests.append(request)
        await asyncio.sleep(self.before)
        return self.reply(request)

    def _usage(self, request: Request, text: str) -> Usage:
        into, out = sum(_tokens(said.text) for said in request.messages), _tokens(text)
        cost = into * self.prices[0] + out * self.prices[1] if self.prices else None
        return Usage(self.name, into, out, cost=cost)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _pieces(said: Scripted) -> Sequence[Piece]:
    if isinstance(said, Exception):
        return [said]
    if isinstance(said, str):
        head, *rest = said.split(" ")
        return [head, *(f" {word}" for word in rest)]
    if isinstance(said, Mapping):
        return [json.dumps(said, ensure_ascii=False)]
    return said
