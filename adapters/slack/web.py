"""Calls to Slack's Web API within our budget: patient with what passes, and its refusals as errors of ours.

Knows HTTP and Slack's codes, and for which workspace which token; nothing of what is said.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.budget import Budget
from core.errors import UpstreamError, UpstreamRefused, UpstreamTimeout

log = logging.getLogger(__name__)

BASE_URL = "https://slack.com/api/"
TRIES = 4
PAUSE = 0.5

_PASSING = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "ratelimited"})
_UNSAFE = frozenset({"chat.postMessage", "chat.postEphemeral", "chat.startStream"})
"""Done twice they are seen twice: after a break in the connection the caller has to look before trying again."""

_IN_JSON = ("chat.", "views.", "assistant.threads.setS")

_TOLD = {
    "not_in_channel": "error.slack_not_in_channel",
    "channel_not_found": "error.slack_not_in_channel",
    "is_archived": "error.slack_archived",
    "missing_scope": "error.slack_scope",
    "restricted_action": "error.slack_restricted",
    **dict.fromkeys(
        ("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "no_permission"),
        "error.slack_signed_out",
    ),
    "not_installed": "error.slack_not_installed",
    "key_changed": "error.slack_key",
}

SOCKETS = ("apps.connections.open", "socket")
_TOLD_OF_SOCKETS = {
    **dict.fromkeys((*_TOLD, "not_allowed_token_type", "no_permission"), "error.slack_app_token"),
    "missing_scope": "error.slack_app_token",
    "too_many_websockets": "error.slack_too_many_sockets",
    "link_disabled": "error.slack_socket_off",
}
_SIGNED_OUT = frozenset(
    {"error.slack_signed_out", "error.slack_not_installed", "error.slack_key", "error.slack_app_token"}
)


class SlackRefused(UpstreamRefused):
    """Slack said no. `code` is its own word for it."""

    def __init__(self, code: str, method: str, needed: str = "") -> None:
        told = _TOLD_OF_SOCKETS if method in SOCKETS else _TOLD
        super().__init__(told.get(code, "error.slack_refused"), detail=f"{method}: {code}", code=code, needed=needed)
        self.code = code

    @property
    def signed_out(self) -> bool:
        """Whether no call will be allowed until somebody does something about the token."""
        return self.reason in _SIGNED_OUT


class SlackUnsure(UpstreamError):
    """The connection broke: nobody knows whether it was done."""

    default_reason = "error.slack_down"


Tokens = Callable[[str], Awaitable[str]]
"""The bot token of a workspace; raises UpstreamRefused when we are not installed there."""


@dataclass
class SlackWeb:
    """The Web API. One HTTP session for all calls; open it as a context manager."""

    tokens: Tokens
    base_url: str = BASE_URL
    timeout: float = 15.0
    budget: Budget = field(default_factory=Budget)
    tries: int = TRIES
    pause: float = PAUSE
    _session: aiohttp.ClientSession | None = None
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What was called how often, and with what outcome: ok, a code of Slack's, or broken."""
    _known: dict[str, str] = field(default_factory=dict)

    async def __aenter__(self) -> SlackWeb:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self.timeout))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def call(self, method: str, team: str, **params: Any) -> dict[str, Any]:
        """The answer, once the budget allows the call. Raises SlackRefused, SlackUnsure, UpstreamTimeout."""
        for attempt in range(self.tries):
            await self.budget.turn(method, team, str(params.get("channel", "")))
            try:
                return await self._once(method, team, params)
            except SlackApiError as error:
                await self._patience(error, method, team, attempt)
            except (aiohttp.ClientError, SlackClientError, OSError, TimeoutError) as error:
                if method in _UNSAFE or attempt + 1 == self.tries:
                    raise SlackUnsure(detail=f"{method}: {type(error).__name__}") from error
                await asyncio.sleep(self.pause * 2**attempt)
        raise UpstreamTimeout("error.slack_down", detail=method)

    async def now(self, method: str, team: str, **params: Any) -> dict[str, Any] | None:
        """The answer to a call that can be left out: None when the budget or Slack has no room for it at the moment.

        Raises SlackRefused.
        """
        if not self.budget.take(method, team, str(params.get("channel", ""))):
            return None
        try:
            return await self._once(method, team, params)
        except SlackApiError as error:
            code, wait = _code(error), _retry_after(error)
            if wait is not None:
                self.budget.hold(method, team, wait)
                return None
            if code in _PASSING or _status(error) >= 500:
                return None
            raise SlackRefused(code, method, _needed(error)) from error
        except (aiohttp.ClientError, SlackClientError, OSError, TimeoutError) as error:
            if method in _UNSAFE:
                raise SlackUnsure(detail=f"{method}: {type(error).__name__}") from error
            return None

    async def me(self, team: str) -> str:
        """Our own user id in a workspace."""
        if team not in self._known:
            answer = await self.call("auth.test", team)
            self._known[team] = str(answer["user_id"])
        return self._known[team]

    async def post(self, address: str, body: Mapping[str, Any]) -> tuple[int, str]:
        """What a response URL says to this: HTTP status and text. Raises SlackUnsure."""
        assert self._session is not None
        try:
            async with self._session.post(address, json=dict(body)) as answer:
                return answer.status, await answer.text()
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise SlackUnsure(detail=f"response URL: {type(error).__name__}") from error

    async def client(self, team: str) -> AsyncWebClient:
        """slack_sdk's client for a workspace, without retries of its own."""
        token = await self.tokens(team)
        return AsyncWebClient(
            token, base_url=self.base_url, timeout=int(self.timeout), session=self._session, retry_handlers=[]
        )

    def anonymous(self) -> AsyncWebClient:
        """slack_sdk's client without a token, for what brings its own."""
        timeout = int(self.timeout)
        return AsyncWebClient(base_url=self.base_url, timeout=timeout, session=self._session, retry_handlers=[])

    def forget(self, team: str) -> None:
        """What is known of ourselves in a workspace may not be true any more."""
        self._known.pop(team, None)

    async def _once(self, method: str, team: str, params: dict[str, Any]) -> dict[str, Any]:
        outcome = "broken"
        try:
            answer = await self._sent(method, team, params)
            outcome = "ok"
        except SlackApiError as error:
            outcome = _code(error) or f"http_{_status(error)}"
            raise
        except SlackRefused as error:
            outcome = error.code
            raise
        finally:
            self.calls[method, outcome] += 1
        return answer

    async def _sent(self, method: str, team: str, params: dict[str, Any]) -> dict[str, Any]:
        client = await self.client(team)
        given = {name: value for name, value in params.items() if value is not None}
        if method.startswith(_IN_JSON) and method != "chat.getPermalink":
            answer = await client.api_call(method, json=given)
        else:  # methods that read take forms alone
            answer = await client.api_call(method, data=given)
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    async def _patience(self, error: SlackApiError, method: str, team: str, attempt: int) -> None:
        """Wait as long as Slack asks, or as its troubles usually last. Raises what no waiting helps."""
        code, wait = _code(error), _retry_after(error)
        if wait is not None:
            self.budget.hold(method, team, wait)
            log.warning("Slack asks for %.0f s without %s", wait, method)
            return
        if code in _PASSING or _status(error) >= 500:
            if attempt + 1 == self.tries:
                raise UpstreamError("error.slack_down", detail=f"{method}: {code or _status(error)}") from error
            await asyncio.sleep(self.pause * 2**attempt)
            return
        raise SlackRefused(code, method, _needed(error)) from error


def refusal(error: SlackApiError, method: str) -> UpstreamError:
    """What a call was answered with that nobody repeats: a refusal, or that Slack is down."""
    code = _code(error)
    if _retry_after(error) is not None or code in _PASSING or _status(error) >= 500:
        return UpstreamError("error.slack_down", detail=f"{method}: {code or _status(error)}")
    return SlackRefused(code, method, _needed(error))


def _code(error: SlackApiError) -> str:
    data = getattr(error.response, "data", None)
    return str(data.get("error") or "") if isinstance(data, dict) else ""


def _needed(error: SlackApiError) -> str:
    data = getattr(error.response, "data", None)
    return str(data.get("needed") or "") if isinstance(data, dict) else ""


def _status(error: SlackApiError) -> int:
    """slack_sdk hands on its own response or, for a body that is no JSON, aiohttp's."""
    return int(getattr(error.response, "status_code", 0) or getattr(error.response, "status", 0) or 0)


def _retry_after(error: SlackApiError) -> float | None:
    """Seconds that Slack asked for; None when it did not."""
    if _status(error) != 429 and _code(error) != "ratelimited":
        return None
    headers = {str(name).lower(): value for name, value in (getattr(error.response, "headers", None) or {}).items()}
    found = headers.get("retry-after", "")
    value = found[0] if isinstance(found, list) else found
    return float(value) if str(value).isdecimal() else 30.0
