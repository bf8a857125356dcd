"""Asking Slack what our tokens are good for. Never repeats a token, and changes nothing there."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.web import NO_ANSWER, SlackUnsure, refusal
from core.errors import ConfigError, RefdeskError

BOT, APP, CONFIG = "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_CONFIG_TOKEN"
_BEGINS = {BOT: ("xoxb-", "xoxe.xoxb-"), APP: ("xapp-",), CONFIG: ("xoxe.xoxp-", "xoxe-")}
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Findings:
    """What Slack says of a bot token, and of the app-level token if there is one.

    `missing` are the scopes that the bot lacks; `wrong`, what else has to be mended. `app_id` is empty when unknown.
    `events` are those that the app subscribes to; None where nobody may ask.
    """

    team: str = ""
    bot: str = ""
    app_id: str = ""
    missing: tuple[str, ...] = ()
    wrong: tuple[RefdeskError, ...] = ()
    events: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What to try. An empty one is not needed; `config` lets the app's own settings be read, for twelve hours."""

    bot: str
    app: str = ""
    config: str = ""


async def examined(client: AsyncWebClient, tokens: Tokens, wanted: Collection[str]) -> Findings:
    """Try the tokens."""
    (found, bot_wrong), app_wrong = await asyncio.gather(
        _bot(client, tokens.bot, wanted), _app(client, tokens.app) if tokens.app else _nothing()
    )
    events, unread = await _events(client, tokens.config, found.app_id)
    mistakes = (bot_wrong, app_wrong, _other_app(found.app_id, tokens.app), unread)
    return replace(found, events=events, wrong=tuple(each for each in mistakes if each is not None))


async def _events(client: AsyncWebClient, token: str, app_id: str) -> tuple[frozenset[str] | None, RefdeskError | None]:
    """What the app subscribes to, as its manifest has it (docs.slack.dev, methods/apps.manifest.export)."""
    if not token or not app_id:
        return None, None
    strange = _strange(CONFIG, token)
    if strange is not None:
        return None, strange
    answer, wrong = await _asked(client, "apps.manifest.export", token, app_id=app_id)
    if answer is None:
        return None, wrong
    settings = (answer[0].get("manifest") or {}).get("settings") or {}
    return frozenset(map(str, (settings.get("event_subscriptions") or {}).get("bot_events") or ())), None


async def _nothing() -> None:
    return None


async def _bot(client: AsyncWebClient, token: str, wanted: Collection[str]) -> tuple[Findings, RefdeskError | None]:
    strange = _strange(BOT, token)
    if strange is not None:
        return Findings(), strange
    answer, wrong = await _asked(client, "auth.test", token)
    if answer is None:
        return Findings(), wrong
    body, granted = answer
    missing = tuple(each for each in wanted if granted and each not in granted)
    # who cannot look people up is told so by `missing`
    bot, _ = await _asked(client, "bots.info", token, bot=str(body.get("bot_id") or ""))
    app_id = str((bot[0].get("bot") or {}).get("app_id") or "") if bot else ""
    return Findings(str(body.get("team") or ""), str(body.get("user") or ""), app_id, missing), None


async def _app(client: AsyncWebClient, token: str) -> RefdeskError | None:
    strange = _strange(APP, token)
    return strange if strange is not None else (await _asked(client, "apps.connections.open", token))[1]


async def _asked(
    client: AsyncWebClient, method: str, token: str, **params: str
) -> tuple[tuple[dict[str, Any], frozenset[str]] | None, RefdeskError | None]:
    """The answer with the scopes that its headers name, or why there is none."""
    try:
        async with asyncio.timeout(_PATIENCE):
            answer = await client.api_call(method, data=params, headers={"Authorization": f"Bearer {token}"})
    except SlackApiError as error:
        return None, refusal(error, method)
    except NO_ANSWER as error:
        return None, SlackUnsure(detail=f"{method}: {type(error).__name__}")
    headers = {name.lower(): str(value) for name, value in answer.headers.items()}
    granted = frozenset(each.strip() for each in headers.get("x-oauth-scopes", "").split(",") if each.strip())
    return (dict(answer.data) if isinstance(answer.data, dict) else {}, granted), None


def _strange(name: str, token: str) -> RefdeskError | None:
    """A token that was taken from another field of Slack's pages."""
    if token.startswith(_BEGINS[name]):
        return None
    return ConfigError("error.slack_token_kind", name=name, begins=_BEGINS[name][0])


def _other_app(app_id: str, app_token: str) -> RefdeskError | None:
    """An app-level token names its app: xapp-1-A0123-…"""
    parts = app_token.split("-")
    named = parts[2] if len(parts) > 2 else ""
    if not app_id or not named.startswith("A") or named == app_id:
        return None
    return ConfigError("error.slack_two_apps", app=app_id, other=named)
