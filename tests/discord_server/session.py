"""One session of the gateway: what was told, by number, and the connection it is told over now."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import discord
from aiohttp import ClientError, web

DISPATCH = 0
_KEPT = 1000


class Line:
    """A connection: writes in order, compressed as the client asked for."""

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self._socket = socket
        self._transport = request.transport
        self._pack = _packer(request.query.get("compress", ""))
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())
        self.silent = False
        """A dead connection that nobody has noticed: nothing is written any more."""

    def send(self, payload: dict[str, Any]) -> None:
        """Write when it is its turn."""
        self._waiting.put_nowait(payload)

    def cut(self) -> None:
        """Break off without a word."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self, code: int) -> None:
        """Say goodbye with a code, after what is waiting."""
        while not self._waiting.empty():
            await asyncio.sleep(0)
        await self._socket.close(code=code)

    async def end(self) -> None:
        """Stop writing."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        with suppress(ConnectionError, ClientError, RuntimeError):
            while True:
                text = json.dumps(await self._waiting.get())
                if self.silent:
                    continue
                if self._pack is None:
                    await self._socket.send_str(text)
                else:
                    await self._socket.send_bytes(self._pack(text.encode()))


@dataclass
class Session:
    """What a client was told since it identified itself. Events go on being kept while it is away."""

    id: str
    shard: tuple[int, int]
    intents: discord.Intents
    line: Line | None = None
    number: int = 0
    kept: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=_KEPT))

    def tell(self, event: str, payload: dict[str, Any]) -> None:
        """An event, under the next number."""
        self.number += 1
        message = {"op": DISPATCH, "t": event, "s": self.number, "d": payload}
        self.kept.append(message)
        if self.line is not None:
            self.line.send(message)

    def again(self, after: int) -> bool:
        """Tell once more what came after a number; False when that is not known any more."""
        if after > self.number or (self.kept and self.kept[0]["s"] > after + 1):
            return False
        for message in [each for each in self.kept if each["s"] > after]:
            if self.line is not None:
                self.line.send(message)
        return True


def _packer(kind: str) -> Callable[[bytes], bytes] | None:
    """Compression of a whole stream, each message ending where it can be unpacked."""
    if kind == "zlib-stream":
        zipper = zlib.compressobj()
        return lambda data: zipper.compress(data) + zipper.flush(zlib.Z_SYNC_FLUSH)
    if kind == "zstd-stream":
        import zstandard

        packer = zstandard.ZstdCompressor().compressobj()
        return lambda data: packer.compress(data) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    return None
