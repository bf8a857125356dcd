"""The connection to Slack: Socket Mode, or signed events over HTTP."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bots.compose.slack import bolt, hearing
from bots.slack import register

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

    from bots.compose.service import Service

log = logging.getLogger(__name__)


@asynccontextmanager
async def connected(service: Service) -> AsyncIterator[None]:
    """While inside, events are heard. Raises UpstreamError when Slack does not let us in."""
    parts, settings = service.slack, service.base.settings.slack
    assert parts is not None
    app = await bolt(parts, settings)
    await app.client.auth_test()
    register(app, hearing(parts, service.desk))
    if settings.mode == "http":
        async with _over_http(app, settings.host, settings.port):
            yield
        return
    from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

    handler = AsyncSocketModeHandler(app, app_token=settings.app_token.get_secret_value())
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
        log.info("connected to Slack")
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def _over_http(app: AsyncApp, host: str, port: int) -> AsyncIterator[None]:
    from aiohttp import web

    runner = web.AppRunner(app.web_app(path="/slack/events", port=port), handle_signals=False, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        log.info("waiting for Slack's events at http://%s:%s/slack/events", host, port)
        yield
    finally:
        await runner.cleanup()
