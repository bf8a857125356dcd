"""Calls that no bot token makes: opening a socket, reading the app, turning an OAuth code into an installation."""

from __future__ import annotations

import base64
from typing import Any

from aiohttp import web

from tests.slack_server.bodies import Args
from tests.slack_server.refusing import ApiError
from tests.slack_server.rules import SCOPES
from tests.slack_server.shapes import team_shape
from tests.slack_server.stage import Stage


def open_connection(stage: Stage, token: str) -> dict[str, Any]:
    """apps.connections.open, with the app-level token."""
    if not token:
        raise ApiError("not_authed")
    if token != stage.app.app_token:
        raise ApiError("not_allowed_token_type" if token.startswith("xoxb-") else "invalid_auth")
    host = stage.url.replace("http://", "ws://", 1)
    return {"ok": True, "url": f"{host}/link?ticket={stage.sockets.ticket()}&app_id={stage.app.id}"}


def export(stage: Stage, args: Args, token: str) -> dict[str, Any]:
    """apps.manifest.export, with a configuration token."""
    if token != stage.app.config_token:
        raise ApiError("not_allowed_token_type" if token.startswith("xoxb-") else "invalid_auth")
    if args.need("app_id", "invalid_app_id") != stage.app.id:
        raise ApiError("app_not_found")
    subscribed = {"bot_events": sorted(stage.app.events)}
    return {"ok": True, "manifest": {"settings": {"event_subscriptions": subscribed}}}


def access(stage: Stage, args: Args, request: web.Request) -> dict[str, Any]:
    """oauth.v2.access: each code of `AppConfig.redirect_codes` works once."""
    given = request.headers.get("Authorization", "").removeprefix("Basic ")
    pair = base64.b64decode(given).decode() if given else f"{args.text('client_id')}:{args.text('client_secret')}"
    if pair != f"{stage.app.client_id}:{stage.app.client_secret}":
        raise ApiError("bad_client_secret")
    workspace = stage.world.workspaces.get(stage.app.redirect_codes.pop(args.need("code", "invalid_code"), ""))
    if workspace is None:
        raise ApiError("invalid_code")
    install = stage.world.installed(workspace.id) or stage.world.install(workspace.id, stage.app.id, SCOPES)
    return {
        "ok": True,
        "app_id": stage.app.id,
        "authed_user": {"id": "UINSTALLER"},
        "scope": ",".join(sorted(install.scopes)),
        "token_type": "bot",
        "access_token": install.token,
        "bot_user_id": install.user,
        "team": {"id": workspace.id, "name": team_shape(workspace)["name"]},
        "enterprise": None,
        "is_enterprise_install": False,
    }
