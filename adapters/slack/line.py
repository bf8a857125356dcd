"""One connection of Socket Mode, from its ticket to its end. It never connects again by itself: `lines.py` does.

Slack's own client reconnects in place, closing what it has first, and tries for ever. Here a connection that is asked
to leave goes on hearing until another is there, and one that broke is thrown away with everything that was its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.web import NO_ANSWER, SlackRefused, SlackUnsure, refusal

log = logging.getLogger(__name__)

Envelope = dict[str, Any]
Handle = Callable[[Envelope], Awaitable[Envelope | None]]
"""What to answer to an envelope; None: nothing, so that Slack sends it again."""

HEARTBEAT = 10.0
"""Seconds between our pings; a connection that does not answer one within half of that is dead."""

HELLO = 15.0
"""Seconds within which Slack greets."""


@dataclass(eq=False)
class Line:
    """An open connection. `ended` is set when it is broken or asked to leave; `reason` is Slack's word, or ours."""

    client: AsyncWebClient
    app_token: str = field(repr=False)
    handle: Handle
    heard: Callable[[], None]
    heartbeat: float = HEARTBEAT
    greeting: float = HELLO
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    reason: str = ""
    _session: aiohttp.ClientSession | None = None
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _reader: asyncio.Task[None] | None = None
    _at_work: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def is_open(self) -> bool:
        """Whether something may still come in."""
        return self._reader is not None and not self._reader.done()

    async def open(self) -> None:
        """Connect and wait for Slack's greeting. Raises SlackRefused, UpstreamError."""
        url = await self._ticket()
        self._session = aiohttp.ClientSession(trust_env=True)
        try:
            async with asyncio.timeout(self.greeting):
                self._socket = await self._session.ws_connect(url, heartbeat=self.heartbeat, max_msg_size=16 * 2**20)
                await self._greeted(self._socket)
        except (aiohttp.ClientError, OSError, TimeoutError, TypeError, ValueError) as error:  # TypeError: hung up
            await self.close(0.0)
            raise SlackUnsure(detail=f"socket: {type(error).__name__} {error}") from error
        except BaseException:
            await self.close(0.0)
            raise
        self._reader = asyncio.create_task(self._read(self._socket), name="slack line")

    async def retire(self, grace: float) -> None:
        """Hear what still comes, for so many seconds or until Slack hangs up, and close; at once when cancelled."""
        try:
            if self._reader is not None:
                await asyncio.wait({self._reader}, timeout=grace)
        finally:
            await self.close(grace)

    async def close(self, patience: float) -> None:
        """Hear nothing more, finish what came in within `patience` seconds, and hang up."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._at_work and patience:
            await asyncio.wait(self._at_work, timeout=patience)
        for task in list(self._at_work):
            task.cancel()
        if self._socket is not None:
            await self._socket.close()
        if self._session is not None:
            await self._session.close()

    async def _ticket(self) -> str:
        try:
            answer = await self.client.apps_connections_open(app_token=self.app_token)
            return str(answer["url"])
        except SlackApiError as error:
            raise refusal(error, "apps.connections.open") from error
        except NO_ANSWER as error:
            raise SlackUnsure(detail=f"apps.connections.open: {type(error).__name__}") from error

    async def _greeted(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        message = _parsed(await socket.receive_str())
        if message.get("type") == "disconnect":
            raise SlackRefused(str(message.get("reason")), "socket")
        if message.get("type") != "hello":
            raise ValueError(f"greeted with {message.get('type')!r}")

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Until the connection is gone; what comes in is worked at side by side."""
        try:
            async for message in socket:
                if message.type == aiohttp.WSMsgType.TEXT:
                    self._told(_parsed(message.data))
            self._end("closed")
        except Exception as error:  # noqa: BLE001 - whatever it was, nothing comes in here any more
            self._end(type(error).__name__)

    def _told(self, message: Envelope) -> None:
        self.heard()
        if message.get("type") == "disconnect":
            self._end(str(message.get("reason") or "disconnect"))
        elif message.get("envelope_id"):
            task = asyncio.create_task(self._answer(message), name="slack envelope")
            self._at_work.add(task)
            task.add_done_callback(self._at_work.discard)

    async def _answer(self, envelope: Envelope) -> None:
        """Acknowledge what was dealt with. An acknowledgement that is lost costs nothing: Slack tells us again."""
        try:
            answer = await self.handle(envelope)
            if answer is not None and self._socket is not None:
                await self._socket.send_json(answer)
        except (aiohttp.ClientError, OSError, RuntimeError) as error:
            log.info("an event could not be acknowledged and will come again: %r", error)
        except Exception:
            log.exception("an event could not be dealt with and will come again")

    def _end(self, reason: str) -> None:
        """The first reason counts: what follows it is its consequence."""
        self.reason = self.reason or reason
        self.ended.set()


def _parsed(text: str | bytes) -> Envelope:
    """One message of Slack's. Raises ValueError for anything else."""
    message = json.loads(text)
    if not isinstance(message, dict):
        raise ValueError("no message of Slack's")
    return message
