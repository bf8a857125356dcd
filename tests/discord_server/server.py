"""The stand-in as a whole: one port for REST and gateway, from the start of a block to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

import discord
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route
from simcord.backend import Backend
from yarl import URL

from tests.discord_server.asking import Call
from tests.discord_server.clock import WallClock
from tests.discord_server.faults import Fault, Limit, fits
from tests.discord_server.gateway import Gateway
from tests.discord_server.rest import Rest
from tests.discord_server.world import World

TOKEN = "discord-bot-token.for-tests.0123456789"


class DiscordServer:
    """Discord as one bot sees it.

    `content`: whether the application was given the Message Content intent. `members`: the same for members.
    `heartbeat`: seconds between two heartbeats. `shards`: how many Discord advises.
    """

    token = TOKEN

    def __init__(
        self, *, content: bool = True, members: bool = False, heartbeat: float = 41.25, shards: int = 1, port: int = 0
    ) -> None:
        granted = discord.Intents.all()
        granted.message_content, granted.members, granted.presences = content, members, False
        self.clock = WallClock()
        self.backend = Backend(clock=self.clock)
        self.world = World(self.backend, self.clock)
        self.gateway = Gateway(self.backend, TOKEN, granted, heartbeat)
        self.rest = Rest(self.backend, TOKEN, content, shards=shards)
        self.url = ""
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def calls(self) -> list[Call]:
        """Every request to the REST API."""
        return self.rest.calls

    @property
    def faults(self) -> list[Fault]:
        """What goes wrong next, each once."""
        return self.rest.faults

    @property
    def limits(self) -> list[Limit]:
        """How often one may ask."""
        return self.rest.limits

    @property
    def invalid(self) -> int:
        """Requests that count towards the ban of an address: 10,000 in ten minutes."""
        return sum(call.status in (401, 403, 429) for call in self.calls)

    def called(self, method: str, path: str) -> list[Call]:
        """The calls to a path; a star stands for one part of it."""
        return [call for call in self.calls if method in ("*", call.method) and fits(path, call.path)]

    async def until(self, holds: Callable[[], object], seconds: float = 5.0) -> None:
        """Wait until something holds; raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.005)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 2**20)
        app.router.add_get("/gateway/", self.gateway.serve)
        app.router.add_route("*", "/api/v10/{path:.*}", self.rest.serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/api/v10"
        self.rest.gateway_url = self.gateway.resume_url = f"ws://127.0.0.1:{port}/gateway/"
        self.backend.subscribers.append(self.gateway.publish)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.rest.closing.set()
        self.gateway.drop()
        if self._runner is not None:
            await self._runner.cleanup()


@contextmanager
def pointed(server: DiscordServer) -> Iterator[None]:
    """discord.py goes to this server inside the block: it has no other way to be told than these two names."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = server.url, URL(server.rest.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before
