"""`/healthz` and `/metrics` of a process that serves: for whoever restarts it, and whoever watches it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.health import Health

if TYPE_CHECKING:
    from aiohttp import web

    from bots.health_settings import HealthSettings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Watched:
    """What is told: how the process is, and its numbers as a page of the given kind."""

    health: Callable[[], Awaitable[Health]]
    metrics: Callable[[], Awaitable[bytes]]
    kind: str

    async def healthz(self, _: web.Request) -> web.Response:
        """200 or 503."""
        from aiohttp import web

        found = await self.health()
        return web.json_response(found.plain(), status=200 if found.ok else 503)

    async def numbers(self, _: web.Request) -> web.Response:
        """The page of numbers."""
        from aiohttp import web

        return web.Response(body=await self.metrics(), headers={"Content-Type": self.kind})


@asynccontextmanager
async def told(watched: Watched, settings: HealthSettings) -> AsyncIterator[None]:
    """While inside, both pages are there. A port that is taken is no reason not to serve."""
    if not settings.port:
        yield
        return
    from aiohttp import web

    application = web.Application()
    application.router.add_get("/healthz", watched.healthz)
    application.router.add_get("/metrics", watched.numbers)
    runner = web.AppRunner(application, handle_signals=False, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await _listening(runner, settings)
        yield
    finally:
        await runner.cleanup()


async def _listening(runner: web.AppRunner, settings: HealthSettings) -> None:
    from aiohttp import web

    where = f"{settings.host}:{settings.port}"
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
        log.info("health at http://%s/healthz, numbers at http://%s/metrics", where, where)
    except OSError as error:
        log.warning("no health page at %s (%s): choose another port under [health], or 0", where, error.strerror)
