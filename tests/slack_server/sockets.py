"""Socket Mode: connections opened by ticket, each event to one of them, acknowledgements by envelope."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import WSMsgType, web

from tests.slack_server.delivering import Unacknowledged, What

MOST = 10
Reason = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]


@dataclass(eq=False)
class Connection:
    """One open socket. A deaf one looks open, answers pings, and is given nothing."""

    socket: web.WebSocketResponse
    request: web.Request
    deaf: bool = False
    leaving: bool = False
    envelopes: list[dict[str, Any]] = field(default_factory=list)
    waiting: dict[str, asyncio.Future[Any]] = field(default_factory=dict)

    async def send(self, envelope: dict[str, Any], seconds: float) -> Any:
        """The acknowledgement's payload; raises Unacknowledged."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting[envelope["envelope_id"]] = answer
        self.envelopes.append(envelope)
        try:
            if not self.deaf:
                await self.socket.send_json(envelope)
            return await asyncio.wait_for(answer, seconds)
        except TimeoutError as error:
            raise Unacknowledged("timeout") from error
        except (ConnectionError, RuntimeError) as error:
            raise Unacknowledged("connection_failed") from error
        finally:
            self.waiting.pop(envelope["envelope_id"], None)

    def acknowledged(self, message: dict[str, Any]) -> None:
        answer = self.waiting.get(message.get("envelope_id", ""))
        if answer is not None and not answer.done():
            answer.set_result(message.get("payload"))

    def lost(self) -> None:
        """Whoever still waits for it gets nothing."""
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionResetError())


@dataclass
class Sockets:
    """All connections of the app; events go to them in turn."""

    app_id: str
    connections: list[Connection] = field(default_factory=list)
    opened: int = 0
    greetings: deque[str | None] = field(default_factory=deque)
    """What the next connections hear instead of a hello; empty: nothing at all; None: they are closed at once."""
    _tickets: set[str] = field(default_factory=set)
    _turn: int = 0
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def ticket(self) -> str:
        """What `apps.connections.open` gives out; it opens one connection."""
        made = uuid.uuid4().hex
        self._tickets.add(made)
        return made

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One connection until it ends."""
        if request.query.get("ticket", "") not in self._tickets:
            return web.Response(status=403)
        self._tickets.discard(request.query["ticket"])
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        if len(self.connections) >= MOST:
            await socket.send_json({"type": "disconnect", "reason": "too_many_websockets", "debug_info": {}})
            await socket.close()
            return socket
        if self.greetings:
            await self._greeted(socket, self.greetings.popleft())
            return socket
        await self._live(Connection(socket, request))
        return socket

    async def _greeted(self, socket: web.WebSocketResponse, words: str | None) -> None:
        """A connection that comes to nothing."""
        if words:
            await socket.send_str(words)
        if words is None:
            await socket.close()
        else:
            await socket.receive()

    async def _live(self, connection: Connection) -> None:
        self.connections.append(connection)
        self.opened += 1
        hello = {"type": "hello", "num_connections": len(self.connections), "connection_info": {"app_id": self.app_id}}
        try:
            await connection.socket.send_json({**hello, "debug_info": {"approximate_connection_time": 18060}})
            self._arrived.set()
            async for message in connection.socket:
                if message.type == WSMsgType.TEXT and not connection.deaf:
                    connection.acknowledged(message.json())
        finally:
            self.connections.remove(connection)
            connection.lost()

    async def carry(self, what: What, body: dict[str, Any], attempt: int, reason: str, seconds: float) -> Any:
        """Over one of the connections, waiting for one if there is none; raises Unacknowledged."""
        connection = await self._next(seconds)
        envelope: dict[str, Any] = {"envelope_id": str(uuid.uuid4()), "type": what, "payload": body}
        envelope["accepts_response_payload"] = what != "events_api"
        if what == "events_api":
            envelope |= {"retry_attempt": attempt, "retry_reason": reason}
        return await connection.send(envelope, seconds)

    async def connected(self, count: int = 1, seconds: float = 5.0) -> None:
        """Until so many connections are open."""
        async with asyncio.timeout(seconds):
            while len(self.connections) < count:
                self._arrived.clear()
                await self._arrived.wait()

    async def disconnect(self, reason: Reason, connection: Connection | None = None) -> None:
        """Ask a connection (all of them) to go, as Slack does before it closes it itself."""
        for each in [connection] if connection else list(self.connections):
            each.leaving = reason != "warning"
            await each.socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {"host": "stand-in"}})

    def drop(self, connection: Connection | None = None) -> None:
        """Cut a connection (all of them) without a word."""
        for each in [connection] if connection else list(self.connections):
            if each.request.transport is not None:
                each.request.transport.abort()

    async def close(self) -> None:
        for each in list(self.connections):
            with suppress(ConnectionError):
                await each.socket.close()

    async def _next(self, seconds: float) -> Connection:
        try:
            await self.connected(1, seconds)
        except TimeoutError as error:
            raise Unacknowledged("no_connection") from error
        staying = [each for each in self.connections if not each.leaving] or self.connections
        self._turn += 1
        return staying[self._turn % len(staying)]
