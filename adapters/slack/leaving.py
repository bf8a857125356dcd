"""When a workspace throws the app out: its tokens are deleted, and what was still to be answered there ends quietly."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from adapters.slack.web import SlackRefused, SlackWeb
from core.desk.desk import Desk
from core.pulse import Pulse

log = logging.getLogger(__name__)

Forget = Callable[[str], Awaitable[None]]
"""Deletes what is stored of a workspace."""


@dataclass(frozen=True, slots=True)
class SlackLeaving:
    """`forget` is None where there is one workspace: then nothing is left to do, and the pulse says so."""

    desk: Desk
    web: SlackWeb
    pulse: Pulse
    forget: Forget | None = None

    async def uninstalled(self, body: dict[str, Any]) -> None:
        """The app was thrown out."""
        await self._left(str(body.get("team_id") or ""), "app_uninstalled")

    async def revoked(self, body: dict[str, Any]) -> None:
        """Tokens were revoked; those of people are none of ours."""
        if (body.get("event") or {}).get("tokens", {}).get("bot"):
            await self._left(str(body.get("team_id") or ""), "token_revoked")

    async def _left(self, team: str, why: str) -> None:
        if self.forget is not None:
            await self.forget(team)
        else:
            error = SlackRefused("token_revoked", why)
            if self.pulse.refused(error):
                log.error("Slack does not let us work: %s (%s)", error.user_message("en"), error)
        self.web.forget(team)
        open_turns = await self.desk.leave("slack", team)
        log.warning("workspace %s: %s; %d open questions end without an answer", team, why, open_turns)
