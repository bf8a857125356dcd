"""Slack's requests over HTTP: events, commands and clicks, signed; and the pages by which a workspace installs the app.

Bolt checks signatures. What it would stumble over is refused before it: a timestamp that is no number, a body that is
no text or too long.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow

log = logging.getLogger(__name__)

EVENTS = "/slack/events"
LONGEST = 2**20
"""Bytes of a request; Slack's own are a few thousand."""


@dataclass(frozen=True, slots=True)
class SlackPages:
    """What stands at our address. `heard` is told of each request that was Slack's."""

    app: AsyncApp
    heard: Callable[[], None]
    oauth: AsyncOAuthFlow | None = None

    def application(self) -> web.Application:
        """The routes."""
        made = web.Application(client_max_size=LONGEST)
        made.router.add_post(EVENTS, self.event)
        if self.oauth is not None:
            made.router.add_get(self.oauth.install_path, self.install)
            made.router.add_get(self.oauth.redirect_uri_path, self.installed)
        return made

    async def event(self, request: web.Request) -> web.StreamResponse:
        """One event, command or click. What Bolt answers is what Slack is told."""
        stamp = request.headers.get("X-Slack-Request-Timestamp", "")
        if not (stamp.isascii() and stamp.isdecimal() and len(stamp) < 16):
            return _not_slack()
        try:
            asked = await to_bolt_request(request)
        except (UnicodeDecodeError, LookupError):  # LookupError: a charset that nobody knows
            return _not_slack()
        answer = await self.app.async_dispatch(asked)
        if answer.status != 401:
            self.heard()
        return await to_aiohttp_response(answer)

    async def install(self, request: web.Request) -> web.StreamResponse:
        """Where an admin of a workspace begins."""
        assert self.oauth is not None
        return await to_aiohttp_response(await self.oauth.handle_installation(await to_bolt_request(request)))

    async def installed(self, request: web.Request) -> web.StreamResponse:
        """Where Slack sends them back to."""
        assert self.oauth is not None
        return await to_aiohttp_response(await self.oauth.handle_callback(await to_bolt_request(request)))


def _not_slack() -> web.Response:
    return web.json_response({"error": "invalid request"}, status=401)
