"""How often Discord's REST API was asked, and with what outcome: for numbers, without ids, tokens or words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace

import aiohttp

_KIND = re.compile(r"[a-z]+(?:-[a-z]+)*|@me|@original")
_SECRET = ("webhooks", "interactions")
"""Paths whose third part is a token."""


@dataclass
class Calls:
    """By method (such as ``POST channels/messages``) and outcome: ok, a status, or unanswered."""

    made: Counter[tuple[str, str]] = field(default_factory=Counter)

    def trace(self) -> aiohttp.TraceConfig:
        """What discord.py passes on to its session."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._ended)
        trace.on_request_exception.append(self._broken)
        return trace

    async def _ended(self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestEndParams) -> None:
        status = about.response.status
        if status != 101:  # the gateway is no call
            self.made[kind(about.method, about.url.path), "ok" if status < 400 else str(status)] += 1

    async def _broken(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self.made[kind(about.method, about.url.path), "unanswered"] += 1


def kind(method: str, path: str) -> str:
    """What a request is about, whomever it is about."""
    parts = [each for each in re.sub(r"^/api/v\d+", "", path).split("/") if each]
    if parts and parts[0] in _SECRET:
        del parts[2:3]
    if "reactions" in parts:
        del parts[parts.index("reactions") + 1 :]
    return " ".join((method, "/".join(each for each in parts if _KIND.fullmatch(each))))
