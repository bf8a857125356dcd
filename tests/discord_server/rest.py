"""The REST API: who asks, how often, what was asked; the work is done by our own answers or else by simcord's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from simcord.backend import Backend
from simcord.backend.errors import BackendError, SetupError
from simcord.http import RouteNotImplemented, UnsupportedField, dispatch

from tests.discord_server.answers import ANSWERS
from tests.discord_server.asking import Asked, Call, Upload
from tests.discord_server.faults import Fault, Limit, too_many
from tests.discord_server.shaping import shaped

Refused = tuple[int, dict[str, Any], dict[str, str]]


@dataclass
class Rest:
    """Every request passes here. `content` says whether the application may read messages that don't call it."""

    backend: Backend
    token: str
    content: bool
    calls: list[Call] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)
    gateway_url: str = ""
    shards: int = 1
    unknown: list[str] = field(default_factory=list)
    """What was asked for and isn't there in this stand-in: a test that meets it has proven nothing."""
    nonces: dict[tuple[str, str], int] = field(default_factory=dict)
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """One request, from the door to the answer."""
        path = "/" + request.match_info["path"]
        body, uploads = await _body(request)
        call = Call(request.method, path, dict(request.query), body, asyncio.get_running_loop().time())
        self.calls.append(call)
        fault = next((each for each in self.faults if each.fits(call.method, path)), None)
        if fault is not None:
            self.faults.remove(fault)
            refused = await self._failing(request, fault)
            if refused is not None:
                return _answer(call, *refused)
        status, told, headers = self._permitted(request, call) or self._done(call, uploads)
        if fault is not None and fault.lost and fault.status:
            return _answer(call, fault.status, {"message": fault.says, "code": fault.code}, {})
        if fault is not None and fault.lost and request.transport is not None:
            request.transport.abort()
        return _answer(call, status, told, headers)

    def _permitted(self, request: web.Request, call: Call) -> Refused | None:
        """What keeps the request out: a wrong token, a limit."""
        by_token = call.path.startswith(("/interactions/", "/webhooks/")) and call.path.count("/") > 2
        if not by_token and request.headers.get("Authorization") != f"Bot {self.token}":
            return 401, {"message": "401: Unauthorized", "code": 0}, {}
        for limit in self.limits:
            if limit.fits(call.method, call.path) and (wait := limit.ask(call.path, call.at)):
                body, headers = too_many(wait, everywhere=limit.everywhere)
                return 429, body, limit.headers(call.path, call.at) | headers
        return None

    def _done(self, call: Call, uploads: list[Upload]) -> Refused:
        """Do the work; a refusal says why as Discord says it."""
        headers: dict[str, str] = {}
        for limit in self.limits:
            if not limit.everywhere and limit.fits(call.method, call.path):
                headers |= limit.headers(call.path, call.at)
        try:
            told = self._worked(call, uploads)
        except (RouteNotImplemented, UnsupportedField) as error:
            self.unknown.append(str(error))
            return 501, {"message": str(error), "code": 0}, headers
        except BackendError as error:
            return error.status, error.to_json(), headers
        except (KeyError, TypeError, ValueError, SetupError) as error:
            return 400, {"message": f"Invalid Form Body: {error!r}", "code": 50035}, headers
        if call.path.endswith("/callback") and call.params.get("with_response") not in ("true", "True", "1"):
            told = None
        return (204, {}, headers) if told is None else (200, shaped(self.backend, told), headers)

    def _worked(self, call: Call, uploads: list[Upload]) -> Any:
        asked = Asked(self, call, uploads)
        for answer in ANSWERS:
            if (parts := answer.parts(call)) is not None and (
                found := answer.answer(asked, *parts)
            ) is not NotImplemented:
                return found
        return self.by_simcord(call, uploads)

    def by_simcord(self, call: Call, uploads: list[Upload]) -> Any:
        """As simcord does it."""
        return dispatch(
            self.backend,
            call.method,
            call.path,
            json=call.json,
            params=call.params,
            files=list(uploads),
            message_content_access=self.content,
        )

    async def _failing(self, request: web.Request, fault: Fault) -> Refused | None:
        if fault.delay:
            waiting = asyncio.create_task(self.closing.wait())
            await asyncio.wait([waiting], timeout=fault.delay)
            waiting.cancel()
        if fault.hang_up and request.transport is not None:
            request.transport.abort()
            return 500, {}, {}
        if fault.retry_after is not None:
            body, headers = too_many(fault.retry_after, everywhere=fault.everywhere)
            return (429, {"html": "<html>1015</html>"}, {}) if fault.cloudflare else (429, body, headers)
        refuses = fault.status and not fault.lost
        return (fault.status, {"message": fault.says, "code": fault.code}, {}) if refuses else None


def _answer(call: Call, status: int, told: Any, headers: Mapping[str, str]) -> web.Response:
    call.status = status
    if isinstance(told, dict) and "html" in told:
        return web.Response(status=status, text=told["html"], content_type="text/html", headers=headers)
    if status == 204:
        return web.Response(status=204, headers=headers)
    return web.Response(
        status=status, body=json.dumps(told).encode(), headers={**headers, "Content-Type": "application/json"}
    )


async def _body(request: web.Request) -> tuple[Any, list[Upload]]:
    """The JSON of a request, by itself or beside files."""
    if request.content_type != "multipart/form-data":
        raw = await request.read()
        return (json.loads(raw) if raw else None), []
    payload, uploads = None, []
    async for part in await request.multipart():
        data = await part.read(decode=True)
        if part.name == "payload_json":
            payload = json.loads(data)
        elif part.filename:
            uploads.append(Upload(part.filename, bytes(data)))
    return payload, uploads
