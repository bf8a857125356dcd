"""The way to one person alone in Slack."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.slack.people import SlackPeople
from adapters.slack.teams import Teams
from adapters.slack.web import SlackWeb
from core.errors import AccessDenied
from core.messages import Audience, ReplyTarget


@dataclass(frozen=True, slots=True)
class SlackDirects:
    """The Directs of Slack."""

    web: SlackWeb
    people: SlackPeople
    teams: Teams

    async def open(self, workspace: str, user: str) -> tuple[ReplyTarget, Audience]:
        """Their direct messages with us; an id without a workspace is of the one whose token we have."""
        team = workspace or await self._only()
        opened = await self.web.call("conversations.open", team, users=user)
        channel = str(opened["channel"]["id"])
        target = ReplyTarget("slack", team, channel, "", recipient=user)
        return target, await self.people.private(team, channel, user)

    async def _only(self) -> str:
        us = await self.teams.us(None, None)
        if us is None or not us.team_id:
            raise AccessDenied(detail="which of several workspaces is not said")
        return us.team_id
