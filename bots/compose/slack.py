"""Slack, put together: the Web API within its budget, replies, readers, and Bolt in one of its two modes."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapters.slack.listening import SlackDoor, SlackHearing
from adapters.slack.people import SlackPeople
from adapters.slack.posts import SlackPosts
from adapters.slack.reader import SlackReader
from adapters.slack.replies import SlackReplies
from adapters.slack.web import SlackWeb
from core.desk.desk import Desk
from core.errors import ConfigError, UpstreamError

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

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


async def opened_slack(stack: AsyncExitStack, base: Base) -> SlackParts:
    """Open until the stack is closed; nothing is asked of Slack yet. Raises ConfigError."""
    settings = base.settings.slack
    _check(settings)

    async def token(_: str) -> str:
        return settings.bot_token.get_secret_value()

    return slack_over(base, await stack.enter_async_context(SlackWeb(token, settings.base_url)))


def slack_over(base: Base, web: SlackWeb) -> SlackParts:
    """Everything that speaks through this connection."""
    people = SlackPeople(web)
    replies = SlackReplies(web, base.stores.record.retarget, _responding(web))
    return SlackParts(web, people, replies, SlackPosts(web), SlackReader(web, people))


def hearing(parts: SlackParts, desk: Desk) -> SlackHearing:
    """Slack's events, on their way to this desk."""
    return SlackHearing(SlackDoor(desk, parts.web, parts.people, parts.posts, parts.replies))


async def bolt(parts: SlackParts, settings: SlackSettings) -> AsyncApp:
    """Bolt's app with our client; nothing of the environment reaches it."""
    from slack_bolt.async_app import AsyncApp

    client = await parts.web.client("")
    return AsyncApp(
        client=client,
        signing_secret=settings.signing_secret.get_secret_value(),
        request_verification_enabled=settings.mode == "http",
        raise_error_for_unhandled_request=False,
    )


def _check(settings: SlackSettings) -> None:
    if settings.mode == "socket" and not settings.app_token.get_secret_value():
        raise ConfigError(where="slack", what="set SLACK_APP_TOKEN in the environment (it begins with xapp-)")
    if settings.mode == "http" and not settings.signing_secret.get_secret_value():
        raise ConfigError(where="slack", what='set SLACK_SIGNING_SECRET in the environment, or mode = "socket"')


def _responding(web: SlackWeb) -> Any:
    async def respond(address: str, body: Mapping[str, Any]) -> None:
        status, text = await web.post(address, body)
        if status != 200:
            raise UpstreamError("error.slack_down", detail=f"response URL: {status} {text[:80]}")

    return respond
