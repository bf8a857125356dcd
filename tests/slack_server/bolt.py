"""The real slack-bolt AsyncApp at a stand-in, as the tests of either use it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from aiohttp import web
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.slack_server import SlackServer

Register = Callable[[AsyncApp], None]


@asynccontextmanager
async def client_of(slack: SlackServer, token: str = "") -> AsyncIterator[AsyncWebClient]:
    """A real client with a session of its own and no retries."""
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(token or slack.bot_token, base_url=slack.base_url, session=session, retry_handlers=[])


@asynccontextmanager
async def in_socket_mode(slack: SlackServer, register: Register) -> AsyncIterator[AsyncSocketModeHandler]:
    """A running app on a socket."""
    async with client_of(slack) as client:
        app = AsyncApp(client=client, signing_secret="")
        register(app)
        handler = AsyncSocketModeHandler(app, app_token=slack.app.app_token, ping_interval=0.2)
        before = slack.sockets.opened
        await handler.connect_async()  # type: ignore[no-untyped-call]
        await slack.until(lambda: slack.sockets.opened > before and slack.sockets.connections)
        try:
            yield handler
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]


@asynccontextmanager
async def over_http(register: Register, **server: Any) -> AsyncIterator[SlackServer]:
    """A stand-in and an app that it posts events to."""
    answer: list[Callable[[web.Request], Awaitable[web.StreamResponse]]] = []

    async def answered(request: web.Request) -> web.StreamResponse:
        return await answer[0](request)

    application = web.Application()
    application.router.add_post("/slack/events", answered)
    runner = web.AppRunner(application, handle_signals=False, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
        async with SlackServer(request_url=url, **server) as slack, client_of(slack) as client:
            app = AsyncApp(client=client, signing_secret=slack.app.signing_secret)
            register(app)
            answer.append(_bolt(app))
            yield slack
    finally:
        await runner.cleanup()


def _bolt(app: AsyncApp) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request

    async def answered(request: web.Request) -> web.StreamResponse:
        response = await app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(response)

    return answered
