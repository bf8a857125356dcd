"""Discord as refdesk.toml says it: where its API is, and which channels' threads are a collection. No token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from bots.api_address import api_address
from bots.thread_settings import ThreadPlatform
from core.errors import ConfigError

BASE_URL = "https://discord.com/api/v10"
TOLD_BY = "DISCORD_BOT_TOKEN"
_CHANNEL = re.compile(r"\d{15,20}")
GuildId = Annotated[str, Field(pattern=r"^\d{15,20}$")]
_FINDING = "Discord copies it from a channel's menu once Developer Mode is on"


class DiscordSettings(BaseModel):
    """The [discord] section. The token comes from the environment: DISCORD_BOT_TOKEN. Without it Discord is off.

    `guilds` are the servers that are ours: on others everybody counts as from outside. Without any, all are ours that
    the bot is on, so its page should say that nobody else may invite it. With `try_commands` commands hold at once, on
    those servers alone. Without `message_content` only what names the bot is read.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Literal["gateway", "off"] = "gateway"
    base_url: str = BASE_URL
    gateway_url: str = ""
    message_content: bool = True
    guilds: tuple[GuildId, ...] = ()
    try_commands: tuple[GuildId, ...] = ()
    bot_token: SecretStr = SecretStr("")

    @property
    def on(self) -> bool:
        """Whether a process that serves connects to Discord."""
        return self.mode != "off" and bool(self.bot_token.get_secret_value())

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        return api_address(value)


class DiscordSourceSettings(BaseModel):
    """The [collections.discord] section.

    `allow_closed` names channels that may be read though not everybody on their server may read them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_days: Annotated[int, Field(ge=1, le=10_000)] = 365
    max_threads: Annotated[int, Field(ge=1, le=100_000)] = 2000
    max_minutes: Annotated[float, Field(gt=0, le=1440, allow_inf_nan=False)] = 30
    recheck_days: Annotated[int, Field(ge=0, le=365)] = 7
    allow_closed: tuple[str, ...] = ()
    token_env: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")] = TOLD_BY
    token: SecretStr = SecretStr("")


def discord_here(env: Mapping[str, str]) -> dict[str, str]:
    """What the environment says of Discord: its token, and where its API is."""
    names = {"bot_token": TOLD_BY, "base_url": "REFDESK_DISCORD_URL", "gateway_url": "REFDESK_DISCORD_GATEWAY"}
    return {setting: env[name] for setting, name in names.items() if env.get(name)}


def with_discord(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    """The token comes from the environment alone; raises ConfigError for one that stands in the file."""
    discord = raw.get("discord", {})
    if not isinstance(discord, dict):
        return
    if "bot_token" in discord:
        what = f"discord.bot_token is not a setting; set {TOLD_BY} in the environment instead"
        raise ConfigError(where=where, what=what)
    raw["discord"] = {**discord, **discord_here(env)}


THREADS = ThreadPlatform(
    "discord",
    _CHANNEL,
    f"discord:1029384756102938475,… ({_FINDING})",
    "what is said in a channel that not everybody may read is for those who may: with allow_closed, restrict "
    "the collection under [collections.visibility] to channels, roles or users",
    TOLD_BY,
)
