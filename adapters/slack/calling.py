"""Asking Slack's Web API: patiently, at the pace it asks for, with its refusals as errors of ours.

Knows HTTP and Slack's codes; nothing of what is asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from core.errors import SourceError

BASE_URL = "https://slack.com/api/"
_AGAIN = 4
_TOKEN = frozenset({"not_authed", "invalid_auth", "account_inactive", "token_revoked", "token_expired"})
_PASSING = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"})


class Refused(Exception):
    """Slack said no, by its own `code`; `needed` names a missing scope."""

    def __init__(self, code: str, needed: str = "") -> None:
        super().__init__(code)
        self.code, self.needed = code, needed


class NotNow(Exception):
    """Slack did not answer, or asks for more patience than we have; later it may."""


@dataclass
class SlackCalls:
    """Calls with one token. All of them wait when one was told to; `patience` seconds are the longest such wait."""

    token: str = field(repr=False)
    base_url: str = BASE_URL
    token_name: str = "SLACK_BOT_TOKEN"  # noqa: S105  # where people put it, not the token itself
    patience: float = 120.0
    pause: float = 1.0
    _not_before: float = field(default=0.0, init=False)

    async def get(self, method: str, **params: str | int | bool | None) -> dict[str, Any]:
        """The answer; raises Refused, NotNow, and SourceError for a token that can't be used."""
        if not self.token:
            raise SourceError("error.slack_token_missing", name=self.token_name)
        # slack_sdk's own handler of 429 reads only the first digit of Retry-After.
        client = AsyncWebClient(self.token, base_url=self.base_url, timeout=30, retry_handlers=[])
        for attempt in range(_AGAIN + 1):
            await self._turn()
            try:
                answer = await client.api_call(method, http_verb="GET", params=dict(params))
                return dict(answer.data) if isinstance(answer.data, dict) else {}
            except SlackApiError as error:
                wait = self._wait(error, attempt)
            except (aiohttp.ClientError, SlackClientError, OSError, TimeoutError) as error:
                wait, reason = self.pause * 2**attempt, type(error).__name__
                if attempt == _AGAIN:
                    raise NotNow(reason) from error
            self._not_before = max(self._not_before, asyncio.get_running_loop().time() + wait)
        raise AssertionError("unreachable")

    async def pages(self, method: str, **params: str | int | bool | None) -> AsyncIterator[dict[str, Any]]:
        """Every page of a method with cursors; raises NotNow for a cursor that leads in a circle."""
        cursor, seen = "", {""}
        while True:
            page = await self.get(method, **params, **({"cursor": cursor} if cursor else {}))
            yield page
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                return
            if cursor in seen:
                raise NotNow(f"{method} gives the same page again")
            seen.add(cursor)

    async def _turn(self) -> None:
        """Wait until calls are welcome again."""
        while True:  # meanwhile another call may have been told to wait longer
            wait = self._not_before - asyncio.get_running_loop().time()
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    def _wait(self, error: SlackApiError, attempt: int) -> float:
        """Seconds after which to ask again; raises what can't be waited for."""
        status, body, headers = _told(error.response)
        code = str(body.get("error") or "")
        if code in _TOKEN:
            raise SourceError("error.slack_token", detail=code, what=code) from error
        if status == 429 or code == "ratelimited":
            wait = _seconds(headers)
        elif status >= 500 or code in _PASSING:
            wait = self.pause * 2**attempt
        else:
            raise Refused(code or f"http_{status}", str(body.get("needed") or "")) from error
        if attempt == _AGAIN or wait > self.patience:
            raise NotNow(code or f"http_{status}") from error
        return wait


def _told(response: Any) -> tuple[int, Mapping[str, Any], Mapping[str, str]]:
    """Status, body and headers; slack_sdk hands on its own response or, for a body that is no JSON, aiohttp's."""
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0))
    body = getattr(response, "data", None)
    return status, body if isinstance(body, dict) else {}, response.headers


def _seconds(headers: Mapping[str, str]) -> float:
    found = {name.lower(): value for name, value in headers.items()}.get("retry-after", "")
    return float(found) if found.isdecimal() else 30.0
