"""As much HTTP/1.1 as a test server needs, straight on asyncio's transports: a chunk costs some microseconds.

Knows nothing of models. Requests with Content-Length, answers whole or in chunks, connections kept alive.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

_PHRASES = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


class Exchange:
    """One request and the way to answer it; `gone` is set when the client has closed the connection."""

    def __init__(self, path: str, headers: Mapping[str, str], body: bytes, transport: asyncio.Transport) -> None:
        self.path = path
        self.headers = headers
        self.body = body
        self.gone = asyncio.Event()
        self._transport = transport

    def answer(self, value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """The whole answer as JSON."""
        body = json.dumps(value).encode()
        head = {"Content-Type": "application/json", "Content-Length": str(len(body)), **(headers or {})}
        self._transport.write(_head(status, head) + body)

    def start(self, content_type: str) -> None:
        """Begin an answer in chunks."""
        self._transport.write(_head(200, {"Content-Type": content_type, "Transfer-Encoding": "chunked"}))

    def send(self, data: bytes) -> None:
        """One chunk."""
        self._transport.write(b"%x\r\n%b\r\n" % (len(data), data))

    def end(self) -> None:
        """No more chunks."""
        self._transport.write(b"0\r\n\r\n")

    def cut(self, unfinished: bytes = b"") -> None:
        """Break off: an answer that promised more, or simply the connection."""
        if unfinished:
            self._transport.write(_head(200, {"Content-Length": str(len(unfinished) * 2)}) + unfinished)
        self._transport.close()


Handler = Callable[[Exchange], Awaitable[None]]


class Connection(asyncio.Protocol):
    """One client's connection: reads a request, has it answered, reads the next."""

    def __init__(self, handler: Handler, open_tasks: set[asyncio.Task[None]]) -> None:
        self._handler = handler
        self._tasks = open_tasks
        self._buffer = bytearray()
        self._exchange: Exchange | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, blank, rest = self._buffer.partition(b"\r\n\r\n")
        if not blank or self._transport is None:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        self._exchange = Exchange(first.split(" ")[1], headers, bytes(rest[:length]), self._transport)
        task = asyncio.get_running_loop().create_task(self._answered(self._exchange))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._exchange is not None:
            self._exchange.gone.set()

    async def _answered(self, exchange: Exchange) -> None:
        try:
            await self._handler(exchange)
        except Exception:
            exchange.cut()
            raise
        self._exchange = None


async def sleep(exchange: Exchange, seconds: float) -> bool:
    """Wait; False at once when the client has gone."""
    if seconds > 0:
        try:
            async with asyncio.timeout(seconds):
                await exchange.gone.wait()
        except TimeoutError:
            pass
    return not exchange.gone.is_set()


def parsed(body: bytes) -> dict[str, Any]:
    """The request's JSON object; {} for a request without one."""
    value = json.loads(body) if body else {}
    assert isinstance(value, dict)
    return value


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {_PHRASES.get(status, 'Scripted')}", *(f"{k}: {v}" for k, v in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
