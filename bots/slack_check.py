"""What `refdesk check` says of Slack: lines for people, with what is missing and what for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.compose.slack import check
from bots.compose.slack_check import findings
from bots.slack_features import events_of, scopes_of
from core.errors import ConfigError
from core.wording import say

if TYPE_CHECKING:
    from adapters.slack.checking import Findings
    from bots.slack_settings import SlackSettings
    from core.messages import Language

_APP = "https://api.slack.com/apps/{app}"


async def slack_lines(settings: SlackSettings, language: Language) -> tuple[list[str], bool]:
    """The lines, and whether something has to be done before Slack works."""
    if settings.mode == "off":
        return [say("check.slack_off", language)], False
    if not settings.on:
        return [say("check.slack_none", language)], False
    try:
        check(settings)
    except ConfigError as error:
        return [error.user_message(language)], True
    if settings.workspaces == "several":
        return [say("check.slack_several", language, url=settings.public_url, teams=", ".join(settings.teams))], False
    found = await findings(settings)
    lines = [_heading(settings, found, language)] if found.team else []
    lines += [each.user_message(language) for each in found.wrong]
    if found.team:
        lines += _scopes(settings, found, language)
        lines += _events(settings, found, language)
    return lines, bool(found.wrong or found.missing or _unheard(settings, found))


def _heading(settings: SlackSettings, found: Findings, language: Language) -> str:
    if settings.mode == "socket":
        return say("check.slack_socket", language, team=found.team, bot=found.bot)
    return say("check.slack_http", language, team=found.team, bot=found.bot, host=settings.host, port=settings.port)


def _scopes(settings: SlackSettings, found: Findings, language: Language) -> list[str]:
    wanted = scopes_of(settings.features)
    if not found.missing:
        return [say("check.slack_scopes", language, count=len(wanted))]
    lines = [
        say("check.slack_scope_missing", language, scope=scope, why=say(wanted[scope], language))
        for scope in found.missing
    ]
    return [*lines, say("check.slack_scope_remedy", language, page=f"{_page(found)}/app-manifest")]


def _unheard(settings: SlackSettings, found: Findings) -> list[str]:
    """The events that are needed and not sent, as far as Slack tells."""
    return [] if found.events is None else [each for each in events_of(settings.features) if each not in found.events]


def _events(settings: SlackSettings, found: Findings, language: Language) -> list[str]:
    if found.events is None:
        return [say("check.slack_events_untold", language, page=f"{_page(found)}/event-subscriptions")]
    unheard = _unheard(settings, found)
    if not unheard:
        return [say("check.slack_events", language, count=len(events_of(settings.features)))]
    lines = [say("check.slack_event_missing", language, event=event) for event in unheard]
    return [*lines, say("check.slack_scope_remedy", language, page=f"{_page(found)}/app-manifest")]


def _page(found: Findings) -> str:
    return _APP.format(app=found.app_id) if found.app_id else "https://api.slack.com/apps"
