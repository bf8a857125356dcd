"""How a workspace installs the app by OAuth: who may, and what becomes of a token that nobody wanted."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from slack_bolt.error import BoltError
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.errors import SlackClientError
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.installations import Installations, States

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OAuthApp:
    """The app's own credentials, and where people come back to. Everything is said; the environment is not asked."""

    client_id: str
    client_secret: str
    scopes: Sequence[str]
    redirect: str


class Joining(AsyncOAuthFlow):
    """Bolt's flow; a workspace that is not allowed gets its token revoked instead of kept."""

    def __init__(self, client: AsyncWebClient, app: OAuthApp, teams: Installations, states: States) -> None:
        self._teams = teams
        settings = AsyncOAuthSettings(
            client_id=app.client_id,
            client_secret=app.client_secret,
            scopes=list(app.scopes),
            user_scopes=[],
            redirect_uri=app.redirect,
            install_page_rendering_enabled=False,
            installation_store=teams.store,
            state_store=states,
            state_expiration_seconds=states.expiration_seconds,
        )
        super().__init__(client=client, logger=log, settings=settings)

    async def store_installation(self, request: AsyncBoltRequest, installation: Installation) -> None:
        """Keep it. Raises BoltError, which the page tells."""
        team = installation.team_id or ""
        if installation.is_enterprise_install or not self._teams.allows(team):
            with contextlib.suppress(SlackClientError):
                await self.client.auth_revoke(token=installation.bot_token or "")
            log.warning("workspace %s may not install the app: it is not in slack.teams", team or "(organisation)")
            raise BoltError("this workspace may not install the app")
        await self._teams.store.async_save(installation)
        self._teams.renewed(team)
        log.info("installed in workspace %s", team)
