"""Slack as refdesk.toml says it: where its API is, and which channels' history is a collection. Tokens never are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from bots.api_address import api_address
from bots.slack_features import NAMES, FeatureName
from bots.thread_settings import ThreadPlatform
from core.errors import ConfigError
from core.web.addresses import address

BASE_URL = "https://slack.com/api/"
TOKEN = "SLACK_BOT_TOKEN"  # noqa: S105  # where people put it, not the token itself
TEAM = re.compile(r"T[A-Z0-9]{2,20}")
CHANNEL = re.compile(r"[CG][A-Z0-9]{2,20}")
_FINDING = "Slack shows it at the end of the channel's details"


class SlackSettings(BaseModel):
    """The [slack] section. The tokens come from the environment: SLACK_BOT_TOKEN, and SLACK_APP_TOKEN for `socket`
    or SLACK_SIGNING_SECRET for `http`. Without a bot token Slack is off.

    With `workspaces = "several"` each workspace installs the app by itself, over HTTP: SLACK_CLIENT_ID and
    SLACK_CLIENT_SECRET instead of a token, and REFDESK_SECRET_KEY, by which the tokens are encrypted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Literal["socket", "http", "off"] = "socket"
    base_url: str = BASE_URL
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 3000
    command: Annotated[str, Field(pattern=r"^/[a-z0-9_-]{1,31}$")] = "/refdesk"
    features: tuple[FeatureName, ...] = NAMES
    workspaces: Literal["one", "several"] = "one"
    teams: tuple[str, ...] = ()
    public_url: str = ""
    quiet_minutes: Annotated[float, Field(ge=0.001, le=1440, allow_inf_nan=False)] = 3
    bot_token: SecretStr = SecretStr("")
    app_token: SecretStr = SecretStr("")
    config_token: SecretStr = SecretStr("")
    signing_secret: SecretStr = SecretStr("")
    client_id: str = ""
    client_secret: SecretStr = SecretStr("")
    secret_key: SecretStr = SecretStr("")

    @property
    def on(self) -> bool:
        """Whether a process that serves connects to Slack."""
        known = self.client_id if self.workspaces == "several" else self.bot_token.get_secret_value()
        return self.mode != "off" and bool(known)

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        return api_address(value) + "/"

    @field_validator("public_url")
    @classmethod
    def _public(cls, value: str) -> str:
        if value and (not value.startswith("https://") or address(value) is None):
            raise ValueError("write it as https://host, as browsers and Slack reach it")
        return value.rstrip("/")

    @field_validator("teams")
    @classmethod
    def _ids(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for each in value:
            if each != "*" and not TEAM.fullmatch(each):
                raise ValueError(f'{each!r} is not the id of a workspace; it looks like T0123ABCD, and "*" means any')
        return value

    @model_validator(mode="after")
    def _several_over_http(self) -> SlackSettings:
        if self.workspaces == "one" or self.mode == "off":
            return self
        if self.mode == "socket":
            raise ValueError('several workspaces install the app over HTTP: write mode = "http" too')
        if not self.public_url:
            raise ValueError("several workspaces need public_url, where their browsers are sent back to")
        if not self.teams:
            raise ValueError('say in `teams` which workspaces may install the app, by their ids; ["*"] lets any')
        return self


class SlackSourceSettings(BaseModel):
    """The [collections.slack] section. `allow_closed` names channels that may be read though they are not public."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_days: Annotated[int, Field(ge=1, le=10_000)] = 365
    max_threads: Annotated[int, Field(ge=1, le=100_000)] = 2000
    recheck_days: Annotated[int, Field(ge=0, le=365)] = 7
    allow_closed: tuple[str, ...] = ()
    token_env: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")] = TOKEN
    token: SecretStr = SecretStr("")


SECRETS = {
    "bot_token": TOKEN,
    "app_token": "SLACK_APP_TOKEN",
    "config_token": "SLACK_CONFIG_TOKEN",
    "signing_secret": "SLACK_SIGNING_SECRET",
    "client_id": "SLACK_CLIENT_ID",
    "client_secret": "SLACK_CLIENT_SECRET",
    "secret_key": "REFDESK_SECRET_KEY",
}


def slack_here(env: Mapping[str, str]) -> dict[str, str]:
    """What the environment says of Slack: its tokens, and where its API is."""
    names = {**SECRETS, "base_url": "REFDESK_SLACK_URL"}
    return {setting: env[name] for setting, name in names.items() if env.get(name)}


def with_slack(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    """Tokens come from the environment alone; raises ConfigError for one that stands in the file."""
    slack = raw.get("slack", {})
    if not isinstance(slack, dict):
        return
    for name, variable in SECRETS.items():
        if name in slack:
            what = f"slack.{name} is not a setting; set {variable} in the environment instead"
            raise ConfigError(where=where, what=what)
    raw["slack"] = {**slack, **slack_here(env)}


THREADS = ThreadPlatform(
    "slack",
    CHANNEL,
    f"slack:C0123,C0456 ({_FINDING})",
    "what is said in a private or shared channel is for its members: with allow_closed, restrict the "
    "collection under [collections.visibility] to channels, groups or users",
    TOKEN,
)
