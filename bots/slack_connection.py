"""The connection to Slack while a process serves: Socket Mode, or signed requests over HTTP."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bots.compose.connection import bolt, leaving, lines, pages, watch
from bots.compose.slack import hearing
from bots.compose.slack_front import opened_slack_front
from bots.patience import PAUSES, patiently
from bots.slack import register, register_front, register_leaving, register_moving
from core.errors import ConfigError

if TYPE_CHECKING:
    from aiohttp import web

    from bots.compose.service import Service

log = logging.getLogger(__name__)

FINISHING = 3.0
"""Seconds that a request may still take when the process ends."""


@asynccontextmanager
async def connected(service: Service, pauses: Sequence[float] = PAUSES) -> AsyncIterator[None]:
    """While inside, events are heard. Raises UpstreamError when Slack does not let us in, or can't be reached for long.

    `pauses` are those between tries to reach it.
    """
    parts, settings = service.slack, service.base.settings.slack
    assert parts is not None
    app = bolt(parts)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(parts.people.guests.close)
        front = await opened_slack_front(stack, service)
        ear = replace(hearing(parts, service.desk), accepted=front.home.titled)
        stack.push_async_callback(ear.close)
        register(app, ear)
        register_moving(app, parts.people.guests)
        register_leaving(app, leaving(parts, service.desk))
        register_front(app, front, settings.command)
        if settings.workspaces == "one":
            us = await patiently("Slack", lambda: parts.teams.us(None, None), pauses)  # a refused token ends the start
            parts.people.guests.expect(str(us and us.team_id))
            await stack.enter_async_context(watch(parts))
        if settings.mode == "http":
            await stack.enter_async_context(_served(pages(parts, app, settings), settings.host, settings.port))
            stack.callback(setattr, parts.pulse, "connected", False)
            parts.pulse.up()
            log.info("waiting for Slack's requests at http://%s:%s/slack/events", settings.host, settings.port)
        else:
            open_lines = partial(stack.enter_async_context, lines(parts, app, settings))
            await patiently("Slack", open_lines, pauses)
            log.info("connected to Slack")
        yield


@asynccontextmanager
async def _served(application: web.Application, host: str, port: int) -> AsyncIterator[None]:
    from aiohttp import web

    runner = web.AppRunner(application, handle_signals=False, access_log=None, shutdown_timeout=FINISHING)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            what = f"nothing can listen at {host}:{port} ({error.strerror}); choose another `host` or `port`"
            raise ConfigError(where="slack", what=what) from error
        yield
    finally:
        await runner.cleanup()
