"""How Slack reaches us, put together: Bolt, the sockets, the pages over HTTP, and who looks after them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from adapters.slack.http import SlackPages
from adapters.slack.joining import Joining, OAuthApp
from adapters.slack.leaving import SlackLeaving
from adapters.slack.line import Line
from adapters.slack.lines import Lines
from adapters.slack.teams import TeamsAuthorize
from adapters.slack.watch import Watch
from bots.slack_features import scopes_of
from bots.slack_manifest import REDIRECT

if TYPE_CHECKING:
    from aiohttp import web
    from slack_bolt.async_app import AsyncApp

    from bots.compose.slack import SlackParts
    from bots.slack_settings import SlackSettings
    from core.desk.desk import Desk


def bolt(parts: SlackParts) -> AsyncApp:
    """Bolt's app. Who we are is told it for each event; what it reads from the environment by itself is never used."""
    from slack_bolt.async_app import AsyncApp

    with _unworried():
        return AsyncApp(
            client=parts.web.anonymous(),
            authorize=TeamsAuthorize(parts.teams),  # type: ignore[arg-type]  # an AsyncAuthorize is taken too
            signing_secret="",
            request_verification_enabled=False,  # the pages check who sends a request, before anything reads it
            ssl_check_enabled=False,
            raise_error_for_unhandled_request=False,
        )


@contextmanager
def _unworried() -> Iterator[None]:
    """Bolt finds SLACK_BOT_TOKEN in the environment by itself, and warns that it makes no use of it.

    It sets its logger's level as it begins, but keeps a filter.
    """
    logger = logging.getLogger("slack_bolt.AsyncApp")
    logger.addFilter(_is_error)
    try:
        yield
    finally:
        logger.removeFilter(_is_error)


def _is_error(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.ERROR


def lines(parts: SlackParts, app: AsyncApp, settings: SlackSettings) -> Lines:
    """The sockets; to be opened."""
    from adapters.slack.envelopes import through

    handle, token = through(app), settings.app_token.get_secret_value()

    def line() -> Line:
        return Line(parts.web.anonymous(), token, handle, parts.pulse.heard)

    return Lines(line, parts.pulse, quiet=settings.quiet_minutes * 60)


def watch(parts: SlackParts) -> Watch:
    """Who notices that our token was revoked; to be opened."""
    return Watch(parts.web, parts.pulse)


def leaving(parts: SlackParts, desk: Desk) -> SlackLeaving:
    """What is done when a workspace throws us out."""
    return SlackLeaving(desk, parts.web, parts.pulse, parts.installed.gone if parts.installed else None)


def pages(parts: SlackParts, app: AsyncApp, settings: SlackSettings) -> web.Application:
    """What Slack and browsers find over HTTP."""
    from slack_sdk.signature import SignatureVerifier

    verifier = SignatureVerifier(settings.signing_secret.get_secret_value())
    return SlackPages(app, parts.pulse.heard, verifier, _joining(parts, settings)).application()


def _joining(parts: SlackParts, settings: SlackSettings) -> Joining | None:
    if parts.installed is None or parts.states is None:
        return None
    credentials = OAuthApp(
        settings.client_id,
        settings.client_secret.get_secret_value(),
        tuple(sorted(scopes_of(settings.features))),
        settings.public_url + REDIRECT,
    )
    return Joining(parts.web.anonymous(), credentials, parts.installed, parts.states)
