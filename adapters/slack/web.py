"""Calls to Slack's Web API within our budget: patient with what passes, and its refusals as errors of ours.

Knows HTTP and Slack's codes, and for which workspace which token; nothing of what is said.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.budget import Budget
from adapters.slack.refusals import code_of, is_passing, needed_of, retry_after, status_of
from core.errors import UpstreamError, UpstreamRefused, UpstreamTimeout, UpstreamUnsure

log = logging.getLogger(__name__)

BASE_URL = "https://slack.com/api/"
TRIES = 4
PAUSE = 0.5

_UNSAFE = frozenset({"chat.postMessage", "chat.postEphemeral", "chat.startStream"})
"""Done twice they are seen twice: after trouble the caller has to look before trying again."""

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


class SlackUnsure(UpstreamUnsure):
    """Nobody knows whether it was done: the connection broke, or Slack had trouble of its own."""

    default_reason = "error.slack_down"


NO_ANSWER = (aiohttp.ClientError, SlackClientError, OSError, TimeoutError, AttributeError)
"""What slack_sdk raises when nothing of Slack's comes back; AttributeError for a body that is no object."""

Tokens = Callable[[str], Awaitable[str]]
"""The bot token of a workspace; raises UpstreamRefused when we are not installed there."""


@dataclass
class SlackWeb:
    """The Web API. As a context manager it has one HTTP session for all calls, else one for each."""

    tokens: Tokens
    base_url: str = BASE_URL
    timeout: float = 15.0
    budget: Budget = field(default_factory=Budget)
    tries: int = TRIES
    pause: float = PAUSE
    share: float = 1.0
    """Of the budget; whoever has less leaves the rest to those who answer people."""
    patience: float = math.inf
    """Seconds that Slack may ask us to wait; who is asked for more gives up."""
    _session: aiohttp.ClientSession | None = None
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What was called how often, and with what outcome: ok, a code of Slack's, or broken."""
    _known: dict[str, str] = field(default_factory=dict)

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self.timeout))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def call(self, method: str, team: str, **params: Any) -> dict[str, Any]:
        """The answer, once the budget allows the call. Raises SlackRefused, SlackUnsure, UpstreamTimeout."""
        for attempt in range(self.tries):
            await self.budget.turn(method, team, str(params.get("channel", "")), self.share)
            try:
                return await self._once(method, team, params)
            except _TooMany as told:
                self.budget.hold(method, team, told.seconds)
                log.warning("Slack asks for %.0f s without %s", told.seconds, method)
                if told.seconds > self.patience:
                    break
            except SlackUnsure:
                if method in _UNSAFE or attempt + 1 == self.tries:
                    raise
                await asyncio.sleep(self.pause * 2**attempt)
        raise UpstreamTimeout("error.slack_down", detail=method)

    async def tell(self, method: str, team: str, **params: Any) -> dict[str, Any]:
        """As `call`, for words that nobody can look for: rather twice than never."""
        for attempt in range(self.tries - 1):
            try:
                return await self.call(method, team, **params)
            except SlackUnsure as error:
                log.warning("told once more: %s", error)
                await asyncio.sleep(self.pause * 2**attempt)
        return await self.call(method, team, **params)

    async def now(self, method: str, team: str, **params: Any) -> dict[str, Any] | None:
        """The answer to a call that can be left out: None when the budget or Slack has no room for it at the moment.

        Raises SlackRefused, and SlackUnsure for what must not be done twice.
        """
        if not self.budget.take(method, team, str(params.get("channel", ""))):
            return None
        try:
            return await self._once(method, team, params)
        except _TooMany as told:
            self.budget.hold(method, team, told.seconds)
            return None
        except SlackUnsure:
            if method in _UNSAFE:
                raise
            return None

    async def me(self, team: str) -> str:
        """Our own user id in a workspace."""
        if team not in self._known:
            answer = await self.call("auth.test", team)
            if not answer.get("user_id"):
                raise SlackUnsure(detail="auth.test tells nobody")
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
        """Raises _TooMany, SlackRefused, SlackUnsure."""
        outcome = "broken"
        try:
            answer = await self._sent(method, team, params)
            outcome = "ok"
        except SlackApiError as error:
            outcome = code_of(error) or f"http_{status_of(error)}"
            raise _meaning(error, method) from error
        except SlackRefused as error:
            outcome = error.code
            raise
        except NO_ANSWER as error:
            raise SlackUnsure(detail=f"{method}: {type(error).__name__}") from error
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


class _TooMany(Exception):
    """Slack asks for so many seconds without this method."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


def _meaning(error: SlackApiError, method: str) -> Exception:
    """What Slack's answer means for whoever called."""
    code, wait = code_of(error), retry_after(error)
    if wait is not None:
        return _TooMany(wait)
    if is_passing(error):
        return SlackUnsure(detail=f"{method}: {code or status_of(error)}")
    return SlackRefused(code, method, needed_of(error))


def refusal(error: SlackApiError, method: str) -> UpstreamError:
    """What a call was answered with that nobody repeats: a refusal, or that Slack is down."""
    meaning = _meaning(error, method)
    if isinstance(meaning, UpstreamError):
        return meaning
    return UpstreamError("error.slack_down", detail=f"{method}: ratelimited")
