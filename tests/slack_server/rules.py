"""How strict and how fast this Slack is: its limits in time and number, and the app's own settings."""

from __future__ import annotations

from dataclasses import dataclass, field

_SCOPES = (
    "app_mentions:read assistant:write channels:history channels:join channels:read chat:write commands groups:history "
    "groups:read im:history im:read im:write links:read mpim:history mpim:read reactions:read reactions:write "
    "team:read usergroups:read users:read"
)
_EVENTS = (
    "app_home_opened app_mention app_uninstalled assistant_thread_context_changed assistant_thread_started "
    "link_shared member_joined_channel member_left_channel message.channels message.groups message.im message.mpim "
    "reaction_added tokens_revoked"
)
SCOPES = frozenset(_SCOPES.split())
EVENTS = frozenset(_EVENTS.split())


@dataclass
class Rules:
    """Slack's own numbers; tests shorten the times. `rates` switches the rate limits on.

    `retries` are the waits before an event is sent again. `streams_in` and `status_in` name the kinds of
    conversations that take native streams and status lines.
    """

    ack_seconds: float = 3.0
    retries: tuple[float, ...] = (0.0, 60.0, 300.0)
    rates: bool = False
    posts_at_once: int = 1
    stream_seconds: float = 300.0
    status_seconds: float = 120.0
    trigger_seconds: float = 3.0
    response_seconds: float = 1800.0
    response_uses: int = 5
    streams_in: frozenset[str] = frozenset({"public", "private", "im"})
    status_in: frozenset[str] = frozenset({"public", "private", "im"})
    mention_first: bool = False
    unfurls: bool = True


@dataclass
class AppConfig:
    """The app as its manifest would say it."""

    id: str = "A0REFDESK"
    client_id: str = "1.2"
    client_secret: str = "client-secret"
    signing_secret: str = "signing-secret"
    app_token: str = "xapp-1-A0REFDESK"
    config_token: str = "xoxe.xoxp-1-config"
    events: set[str] = field(default_factory=lambda: set(EVENTS))
    domains: set[str] = field(default_factory=set)
    """Whose links are reported as `link_shared`."""
    agent_view: bool = True
    redirect_codes: dict[str, str] = field(default_factory=dict)
    """Codes of finished OAuth pages: code → workspace."""
