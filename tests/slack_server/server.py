"""The server itself: HTTP in front of the stage. Receives calls, lets faults happen, answers as Slack does."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.slack_server.api.asking import Asking, missing
from tests.slack_server.api.oauth import access, export, open_connection
from tests.slack_server.api.table import METHODS
from tests.slack_server.bodies import Args, arguments
from tests.slack_server.faults import DoneBut, Fault, Refused, ReplyLost, Reset, Slow, Status, TooMany
from tests.slack_server.interacting import Interacting
from tests.slack_server.limits import check_message
from tests.slack_server.people import People
from tests.slack_server.refusing import ApiError
from tests.slack_server.stage import Call
from tests.slack_server.values import Install
from tests.slack_server.watching import Watching


class SlackServer(People, Interacting, Watching):
    """A Slack on the loopback; see the package's docstring. `async with` starts and stops it."""

    @property
    def base_url(self) -> str:
        """What an AsyncWebClient is given."""
        return f"{self.url}/api/"

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=4 * 2**20)
        application.router.add_route("*", "/api/{method}", self._answer)
        application.router.add_get("/link", self.sockets.serve)
        application.router.add_post("/response/{key}", self._response)
        self._runner = web.AppRunner(application, handle_signals=False, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        if self.webhooks is not None:
            await self.webhooks.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.courier.close()
        await self.sockets.close()
        if self.webhooks is not None:
            await self.webhooks.close()
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        method, at = request.match_info["method"], self.now
        try:
            args, token = await arguments(request)
        except ApiError as error:
            return web.json_response(error.body)
        fault = self.faults.next(method, args.values)
        if isinstance(fault, Slow):
            await asyncio.sleep(fault.seconds)
        early = self._failed(fault)
        if early is not None:
            failed = f"http_{early.status}" if early.status >= 400 else "reset"
            self._record(Call(at, method, args.values, self._workspace(token), failed, early.status))
            return self._cut(request) if isinstance(fault, Reset) else early
        response, refused = self._granted(request, method, args, token, fault)
        self._record(Call(at, method, args.values, self._workspace(token), refused, response.status))
        return self._twisted(request, fault, response)

    def _twisted(self, request: web.Request, fault: Fault | None, response: web.Response) -> web.StreamResponse:
        """What the app hears of what was done."""
        match fault:
            case DoneBut(answer=Refused(error=code, more=more)):
                return web.json_response(ApiError(code, **more).body)
            case DoneBut(answer=Status() as answer):
                return self._failed(answer) or response
            case ReplyLost():
                return self._cut(request)
        return response

    def _failed(self, fault: Fault | None) -> web.Response | None:
        """The answer of a call that never reaches the method."""
        match fault:
            case Status(code=code, body=body, kind=kind):
                return web.Response(status=code, text=body, content_type=kind)
            case TooMany(seconds=seconds):
                return _too_many(seconds)
            case Reset():
                return web.Response()
        return None

    def _granted(
        self, request: web.Request, method: str, args: Args, token: str, fault: Fault | None
    ) -> tuple[web.Response, str]:
        """The method's answer, and the code it was refused with."""
        try:
            if isinstance(fault, Refused):
                raise ApiError(fault.error, **fault.more)
            if method == "apps.connections.open":
                return web.json_response(open_connection(self, token)), ""
            if method == "apps.manifest.export":
                return web.json_response(export(self, args, token)), ""
            if method == "oauth.v2.access":
                return web.json_response(access(self, args, request)), ""
            if method not in METHODS:
                raise ApiError("unknown_method", req_method=method)
            install = self._install(token)
            wait = self._rate(method, args, install)
            if wait:
                return _too_many(wait), "ratelimited"
            scopes = METHODS[method].scopes
            if scopes and not install.scopes.intersection(scopes):
                raise missing(scopes[0], install)
            body = {"ok": True, **METHODS[method].run(Asking(self, args, install, method))}
            return web.json_response(body, headers={"X-OAuth-Scopes": ",".join(sorted(install.scopes))}), ""
        except ApiError as error:
            return web.json_response(error.body), error.code

    def _install(self, token: str) -> Install:
        if not token:
            raise ApiError("not_authed")
        found = self.world.installs.get(token)
        if found is None:
            raise ApiError("invalid_auth")
        if found.revoked:
            raise ApiError("account_inactive")
        return found

    def _rate(self, method: str, args: Args, install: Install) -> int:
        if not self.rules.rates:
            return 0
        return self.rates.check(method, METHODS[method].tier, install.workspace, args.text("channel"), self.now)

    def _workspace(self, token: str) -> str:
        install = self.world.installs.get(token)
        return install.workspace if install else ""

    def _record(self, call: Call) -> None:
        self.calls.append(call)
        self.changed()

    def _cut(self, request: web.Request) -> web.StreamResponse:
        """Break the connection instead of answering."""
        if request.transport is not None:
            request.transport.abort()
        return web.Response()

    async def _response(self, request: web.Request) -> web.Response:
        """A response_url: so many uses, for so long."""
        kept = self.responses.get(request.match_info["key"])
        body: dict[str, Any] = await request.json()
        fault = self.faults.next("response_url", body)
        if isinstance(fault, Status):
            return web.Response(status=fault.code, text=fault.body)
        rules = self.rules
        expired = kept is None or kept["uses"] >= rules.response_uses or self.now - kept["at"] > rules.response_seconds
        error = ""
        if kept is None or expired:
            error = "expired_url"
        else:
            try:
                if not body.get("delete_original"):
                    check_message(body.get("text", ""), body.get("blocks") or [], "")
                kept["uses"] += 1
                self.respond(kept["channel"], kept["user"], body, kept["message"])
            except ApiError as refused:
                error = refused.code
        self._record(Call(self.now, "response_url", body, "", error, 404 if error else 200))
        return web.json_response({"ok": False, "error": error}, status=404) if error else web.Response(text="ok")


def _too_many(seconds: int) -> web.Response:
    headers = {"Retry-After": str(seconds)}
    return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)
