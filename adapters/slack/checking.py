"""Asking Slack what our tokens are good for. Never repeats a token, and changes nothing there."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.web import NO_ANSWER, SlackUnsure, refusal
from core.errors import ConfigError, RefdeskError

BOT, APP = "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"
_BEGINS = {BOT: ("xoxb-", "xoxe.xoxb-"), APP: ("xapp-",)}
_PATIENCE = 20.0


@dataclass(frozen=True, slots=True)
class Findings:
    """What Slack says of a bot token, and of the app-level token if there is one.

    `missing` are the scopes that the bot lacks; `wrong`, what else has to be mended. `app_id` is empty when unknown.
    """

    team: str = ""
    bot: str = ""
    app_id: str = ""
    missing: tuple[str, ...] = ()
    wrong: tuple[RefdeskError, ...] = ()


async def examined(client: AsyncWebClient, bot_token: str, app_token: str, wanted: Collection[str]) -> Findings:
    """Try both tokens; an empty `app_token` is one that is not needed."""
    (found, bot_wrong), app_wrong = await asyncio.gather(
        _bot(client, bot_token, wanted), _app(client, app_token) if app_token else _nothing()
    )
    wrong = tuple(each for each in (bot_wrong, app_wrong) if each is not None)
    other = _other_app(found.app_id, app_token)
    return Findings(found.team, found.bot, found.app_id, found.missing, (*wrong, *([other] if other else [])))


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
