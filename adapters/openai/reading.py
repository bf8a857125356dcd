"""Reads a streamed answer piece by piece, each within its time. Knows no vendor but the shape of its responses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from typing import Any, Protocol

from adapters.openai.answers import Told
from adapters.openai.connection import Connection
from adapters.openai.events import Events
from adapters.openai.faults import BROKEN_OFF, UNREADABLE, Failure
from adapters.openai.patience import Patience

_TRAILER = 0.25
"""Seconds in which the end of a finished stream should come, so that its connection can serve again."""


class Response(Protocol):
    """A response whose body has not been read."""

    @property
    def headers(self) -> Any: ...

    def iter_bytes(self) -> AsyncIterator[bytes]: ...


async def read(
    opening: AbstractAsyncContextManager[Response], connection: Connection, patience: Patience
) -> AsyncGenerator[Told, None]:
    """What the stream tells; raises Failure. However it ends, the response is closed."""
    async with AsyncExitStack() as stack:
        response = await connection.told(stack.enter_async_context(opening), patience.next_piece())
        reader = Events(whole="json" in response.headers.get("content-type", ""))
        body, finished = aiter(response.iter_bytes()), False
        while not reader.ended:
            try:
                data = await connection.told(anext(body, None), patience.next_piece(), begun=True)
            except Failure:
                if finished:
                    return
                raise
            for told in _parsed(reader, data):
                finished = finished or bool(told.finish)
                yield told
            if data is None and not (finished or reader.ended):
                raise Failure(BROKEN_OFF)
            if data is None:
                return
        with suppress(Failure):
            trailer = asyncio.get_running_loop().time() + _TRAILER
            while await connection.told(anext(body, None), trailer) is not None:
                pass


def _parsed(reader: Events, data: bytes | None) -> Iterator[Told]:
    """What these bytes tell; None stands for the end of the body."""
    events = reader.rest() if data is None else reader.feed(data)
    while True:
        try:
            event = next(events, None)
        except ValueError:
            event = UNREADABLE
        if event is None:
            return
        if event is UNREADABLE:
            raise Failure(UNREADABLE)
        yield Told.of(event)
