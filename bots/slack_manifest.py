"""The Slack app as a manifest to paste: the fewest scopes for the chosen features. Asks Slack nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bots.compose.slack_ids import id_of
from bots.slack_features import events_of, scopes_of
from core.errors import ConfigError
from core.messages import Language
from core.web.addresses import address
from core.wording import say

if TYPE_CHECKING:
    from bots.slack_settings import SlackSettings

EVENTS, INSTALL, REDIRECT = "/slack/events", "/slack/install", "/slack/oauth_redirect"
"""Where Slack finds us over HTTP, below the address that people gave."""

_OLDER = ("assistant_thread_context_changed", "assistant_thread_started")
_LONGEST_NAME = 35
_LONGEST_SHORTCUT = 24


@dataclass(frozen=True, slots=True)
class Wished:
    """What a manifest is to be for. `url` is our public address for the mode `http`; empty: Socket Mode.

    `assistant` is for an app that still has Slack's older Assistant view instead of the Agent view.
    """

    name: str = "Refdesk"
    url: str = ""
    assistant: bool = False
    language: Language = "en"


def manifest(settings: SlackSettings, wished: Wished) -> dict[str, Any]:
    """The manifest. Raises ConfigError for a name or an address that Slack would not take."""
    _check(wished)
    agent = "agent" in settings.features
    events = events_of(settings.features)
    if agent and wished.assistant:
        events = tuple(sorted({*events, *_OLDER}))
    several = settings.workspaces == "several"
    redirects = {"redirect_urls": [_at(wished, REDIRECT)]} if several and wished.url else {}
    return {
        "display_information": {"name": wished.name, "description": say("manifest.description", wished.language)},
        "features": _features(settings, wished, agent=agent),
        "oauth_config": {**redirects, "scopes": {"bot": sorted(scopes_of(settings.features))}},
        "settings": {
            "event_subscriptions": {**_request(wished), "bot_events": list(events)},
            "interactivity": {"is_enabled": True, **_request(wished)},
            "org_deploy_enabled": False,
            "socket_mode_enabled": not wished.url,
            "token_rotation_enabled": False,
        },
    }


def _features(settings: SlackSettings, wished: Wished, *, agent: bool) -> dict[str, Any]:
    language = wished.language
    command = {
        "command": settings.command,
        "description": say("manifest.command", language),
        "usage_hint": "ask … | reindex | jobs | collections | status | help",
        "should_escape": False,
    }
    shortcut = say("manifest.shortcut_named", language, name=wished.name)
    return {
        "app_home": {
            "home_tab_enabled": "home" in settings.features,
            "messages_tab_enabled": True,
            "messages_tab_read_only_enabled": False,
        },
        "bot_user": {"display_name": wished.name, "always_online": True},
        "slash_commands": [{**command, **({"url": _at(wished, EVENTS)} if wished.url else {})}],
        "shortcuts": [
            {
                "name": shortcut if len(shortcut) <= _LONGEST_SHORTCUT else say("manifest.shortcut", language),
                "type": "message",
                "callback_id": id_of("ask_about"),
                "description": say("manifest.shortcut_about", language),
            }
        ],
        **(_view(wished) if agent else {}),
    }


def _view(wished: Wished) -> dict[str, Any]:
    """Prompts are made from the Cards when somebody opens the tab, so none stand here."""
    kind = "assistant" if wished.assistant else "agent"
    return {f"{kind}_view": {f"{kind}_description": say("manifest.agent", wished.language)}}


def _request(wished: Wished) -> dict[str, str]:
    return {"request_url": _at(wished, EVENTS)} if wished.url else {}


def _at(wished: Wished, path: str) -> str:
    return wished.url.rstrip("/").removesuffix(EVENTS) + path


def _check(wished: Wished) -> None:
    if not 0 < len(wished.name.strip()) <= _LONGEST_NAME:
        raise ConfigError(where="--name", what=f"Slack takes names of 1 to {_LONGEST_NAME} characters")
    if wished.url and (not wished.url.startswith("https://") or address(wished.url) is None):
        raise ConfigError(where="--http", what="write the public address as https://host, as Slack reaches it")
