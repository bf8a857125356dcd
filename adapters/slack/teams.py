"""Which bot of ours belongs to a workspace, for Bolt: asked of Slack once for each, not with every event."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Protocol

from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncAuthorize

from adapters.slack.web import SlackWeb


class Teams(Protocol):
    """The workspaces that we work in."""

    async def us(self, enterprise: str | None, team: str | None) -> AuthorizeResult | None:
        """Who we are there; None when we are not installed. Raises SlackRefused, UpstreamError."""
        ...


@dataclass
class TeamsByToken:
    """Those of the tokens that we were given."""

    web: SlackWeb
    _asked: dict[str, asyncio.Future[AuthorizeResult]] = field(default_factory=dict)

    async def us(self, enterprise: str | None, team: str | None) -> AuthorizeResult | None:
        """One question for each workspace, however many events come first."""
        name = team or ""
        asked = self._asked.get(name)
        if asked is None or (asked.done() and (asked.cancelled() or asked.exception() is not None)):
            asked = self._asked[name] = asyncio.ensure_future(self._ask(name))
        return await asyncio.shield(asked)

    async def _ask(self, team: str) -> AuthorizeResult:
        found = await self.web.call("auth.test", team)
        return AuthorizeResult(
            enterprise_id=found.get("enterprise_id"),
            team_id=found.get("team_id"),
            bot_user_id=found.get("user_id"),
            bot_id=found.get("bot_id"),
            bot_token=await self.web.tokens(team),
        )


class TeamsAuthorize(AsyncAuthorize):
    """What Bolt asks for each event; nothing of the environment is in the answer."""

    def __init__(self, teams: Teams) -> None:
        self._teams = teams

    async def __call__(self, *, enterprise_id: str | None, team_id: str | None, **_: Any) -> AuthorizeResult | None:
        """Who we are where the event comes from."""
        return await self._teams.us(enterprise_id, team_id)
