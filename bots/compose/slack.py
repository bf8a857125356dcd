"""Slack, put together: the Web API within its budget, replies, readers. How events come in: `connection.py`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapters.slack.direct import SlackDirects
from adapters.slack.listening import SlackDoor, SlackHearing
from adapters.slack.people import SlackPeople
from adapters.slack.posts import SlackPosts
from adapters.slack.reader import SlackReader
from adapters.slack.replies import SlackReplies
from adapters.slack.sealing import Seal, fits
from adapters.slack.teams import Teams, TeamsByToken
from adapters.slack.web import SlackWeb
from core.desk.desk import Desk
from core.errors import ConfigError, UpstreamError
from core.messages import Language
from core.pulse import Pulse

if TYPE_CHECKING:
    from adapters.slack.installations import Installations, States
    from adapters.sql.database import Database
    from bots.compose.base import Base
    from bots.slack_settings import SlackSettings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackParts:
    """Slack, as far as a desk needs it."""

    web: SlackWeb
    people: SlackPeople
    replies: SlackReplies
    posts: SlackPosts
    reader: SlackReader
    teams: Teams
    pulse: Pulse = field(default_factory=Pulse)
    installed: Installations | None = None
    states: States | None = None
    language: Language = "en"

    @property
    def directs(self) -> SlackDirects:
        """The way to one person alone."""
        return SlackDirects(self.web, self.people, self.teams)


async def opened_slack(stack: AsyncExitStack, base: Base) -> SlackParts:
    """Open until the stack is closed; nothing is asked of Slack yet. Raises ConfigError."""
    settings = base.settings.slack
    check(settings)
    if settings.workspaces == "several":
        installed, states = _installations(settings, base.database)
        web = await stack.enter_async_context(SlackWeb(installed.token, settings.base_url, budget=base.slack_budget))
        return replace(slack_over(base, web), teams=installed, installed=installed, states=states)

    async def token(_: str) -> str:
        return settings.bot_token.get_secret_value()

    web = await stack.enter_async_context(SlackWeb(token, settings.base_url, budget=base.slack_budget))
    return slack_over(base, web)


def slack_over(base: Base, web: SlackWeb) -> SlackParts:
    """Everything that speaks through this connection."""
    people = SlackPeople(web)
    record, stop, language = base.stores.record.retarget, base.room.interrupts.stop, base.settings.language
    replies = SlackReplies(web, record, _responding(web), stop, language)
    posts, reader, teams = SlackPosts(web), SlackReader(web, people), TeamsByToken(web)
    return SlackParts(web, people, replies, posts, reader, teams, language=language)


def door(parts: SlackParts, desk: Desk) -> SlackDoor:
    """Where Slack's payloads come in."""
    return SlackDoor(desk, parts.web, parts.people, parts.posts, parts.language)


def hearing(parts: SlackParts, desk: Desk) -> SlackHearing:
    """Slack's events, on their way to this desk."""
    return SlackHearing(door(parts, desk), plain=parts.reader.plain)


def check(settings: SlackSettings) -> None:
    """Raises ConfigError for a secret that is missing."""
    several = settings.workspaces == "several"
    if settings.mode == "socket" and not settings.app_token.get_secret_value():
        raise ConfigError(where="slack", what="set SLACK_APP_TOKEN in the environment (it begins with xapp-)")
    if settings.mode == "http" and not settings.signing_secret.get_secret_value():
        raise ConfigError(where="slack", what='set SLACK_SIGNING_SECRET in the environment, or mode = "socket"')
    if several and not settings.client_secret.get_secret_value():
        raise ConfigError(where="slack", what="set SLACK_CLIENT_SECRET in the environment, beside SLACK_CLIENT_ID")
    if several and not fits(settings.secret_key.get_secret_value()):
        raise ConfigError(
            where="slack",
            what="set REFDESK_SECRET_KEY in the environment to 32 random characters or more, for example from"
            " `openssl rand -base64 32`: the workspaces' tokens are encrypted with it",
        )


def _installations(settings: SlackSettings, database: Database) -> tuple[Installations, States]:
    from adapters.slack.installations import Installations, SealedStore, States

    seal = Seal(settings.secret_key.get_secret_value())
    store = SealedStore(settings.client_id, database.engine, seal, database.alone)
    return Installations(store, frozenset(settings.teams)), States(database.engine, database.alone)


def _responding(web: SlackWeb) -> Any:
    async def respond(address: str, body: Mapping[str, Any]) -> None:
        status, text = await web.post(address, body)
        if status != 200:
            raise UpstreamError("error.slack_down", detail=f"response URL: {status} {text[:80]}")

    return respond
