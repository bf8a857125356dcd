"""Slack's requests over HTTP: events, commands and clicks, signed; and the pages by which a workspace installs the app.

Signatures are checked here and not by Bolt: Bolt reads a body before it looks who sent it, and stumbles over one that
is no JSON, as over a timestamp that is no number. Anybody can send those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_sdk.signature import SignatureVerifier

EVENTS = "/slack/events"
LONGEST = 2**20
"""Bytes of a request; Slack's own are a few thousand."""


@dataclass(frozen=True, slots=True)
class SlackPages:
    """What stands at our address. `heard` is told of each request that was Slack's."""

    app: AsyncApp
    heard: Callable[[], None]
    verifier: SignatureVerifier
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
        if not await self._is_slack(request):
            return web.json_response({"error": "invalid request"}, status=401)
        try:
            asked = await to_bolt_request(request)
        except (ValueError, TypeError, AttributeError):  # signed, but not what Bolt takes for a payload
            return web.json_response({"error": "invalid payload"}, status=400)
        self.heard()
        return await to_aiohttp_response(await self.app.async_dispatch(asked))

    async def _is_slack(self, request: web.Request) -> bool:
        stamp = request.headers.get("X-Slack-Request-Timestamp", "")
        signature = request.headers.get("X-Slack-Signature", "")
        if not (stamp.isascii() and stamp.isdecimal() and len(stamp) < 16 and signature.isascii()):
            return False
        try:
            return self.verifier.is_valid(await request.text(), stamp, signature)
        except (UnicodeDecodeError, LookupError):  # LookupError: a charset that nobody knows
            return False

    async def install(self, request: web.Request) -> web.StreamResponse:
        """Where an admin of a workspace begins."""
        assert self.oauth is not None
        return await to_aiohttp_response(await self.oauth.handle_installation(await to_bolt_request(request)))

    async def installed(self, request: web.Request) -> web.StreamResponse:
        """Where Slack sends them back to."""
        assert self.oauth is not None
        return await to_aiohttp_response(await self.oauth.handle_callback(await to_bolt_request(request)))
