"""The application, its guilds, and where its gateway is."""

from __future__ import annotations

from typing import Any

from simcord.http import dispatch

from tests.discord_server.asking import Asked

MESSAGE_CONTENT = 1 << 19
"""The flag of an application in fewer than 100 guilds that may read what is not addressed to it."""


def gateway(asked: Asked) -> Any:
    """Where to connect."""
    return {"url": asked.rest.gateway_url}


def connecting(asked: Asked) -> Any:
    """Where and how often to connect, in how many shards."""
    left = {"total": 1000, "remaining": 1000, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": asked.rest.gateway_url, "shards": asked.rest.shards, "session_start_limit": left}


def application(asked: Asked) -> Any:
    """What the application may."""
    told = dispatch(asked.backend, "GET", "/oauth2/applications/@me")
    return told | {"flags": MESSAGE_CONTENT if asked.rest.content else 0}


def guilds(asked: Asked) -> Any:
    """The guilds in brief, a page of them."""
    found = asked.by_simcord()
    return [{key: each[key] for key in ("id", "name", "icon", "features")} | {"owner": False} for each in found]
