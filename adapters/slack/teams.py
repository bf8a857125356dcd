"""Which token and which bot user of ours belong to a workspace: the one there is, or each workspace's own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Protocol

from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize

from adapters.slack.web import SlackWeb


class Teams(Protocol):
    """The workspaces that we work in."""

    async def token(self, team: str) -> str:
        """The bot token there. Raises SlackRefused when we are not installed."""
        ...

    async def us(self, enterprise: str | None, team: str | None) -> AuthorizeResult | None:
        """Who we are there; None when we are not installed."""
        ...


@dataclass
class OneTeam:
    """One token for the one workspace, whichever name an event gives it."""

    bot_token: str = field(repr=False)
    web: SlackWeb | None = None
    _asking: asyncio.Future[AuthorizeResult] | None = None

    async def token(self, team: str) -> str:
        """The token."""
        return self.bot_token

    async def us(self, enterprise: str | None, team: str | None) -> AuthorizeResult | None:
        """Asked of Slack once, however many events come first. Raises SlackRefused, UpstreamError."""
        if self._asking is None or (self._asking.done() and self._asking.exception() is not None):
            self._asking = asyncio.ensure_future(self._asked())
        return await asyncio.shield(self._asking)

    async def _asked(self) -> AuthorizeResult:
        assert self.web is not None
        found = await self.web.call("auth.test", "")
        return AuthorizeResult(
            enterprise_id=found.get("enterprise_id"),
            team_id=found.get("team_id"),
            bot_user_id=found.get("user_id"),
            bot_id=found.get("bot_id"),
            bot_token=self.bot_token,
        )


class TeamsAuthorize(AsyncAuthorize):
    """What Bolt asks for each event. Nothing of the environment, and no call to Slack for each."""

    def __init__(self, teams: Teams) -> None:
        self._teams = teams

    async def __call__(self, *, enterprise_id: str | None, team_id: str | None, **_: Any) -> AuthorizeResult | None:
        """Who we are where the event comes from."""
        return await self._teams.us(enterprise_id, team_id)
