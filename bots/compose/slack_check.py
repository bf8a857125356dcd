"""What `refdesk check` asks of Slack, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapters.slack.checking import Findings, Tokens, examined
from adapters.slack.web import SlackWeb
from bots.slack_features import scopes_of

if TYPE_CHECKING:
    from bots.slack_settings import SlackSettings


async def findings(settings: SlackSettings) -> Findings:
    """What our tokens are good for."""
    app = settings.app_token.get_secret_value() if settings.mode == "socket" else ""
    tokens = Tokens(settings.bot_token.get_secret_value(), app, settings.config_token.get_secret_value())

    async def nobody(_: str) -> str:
        return ""

    async with SlackWeb(nobody, settings.base_url) as web:
        return await examined(web.anonymous(), tokens, tuple(scopes_of(settings.features)))
