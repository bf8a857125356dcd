"""Where a collection's documents come from, as refdesk.toml says it: the kinds of sources and what each can be told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from bots import discord_settings, slack_settings
from core.errors import ConfigError
from core.web.addresses import address

Kind = Literal["folder", "git", "website", "jsonl", "slack", "discord", "corrections"]
HOW = (
    "write it as folder:PATH, git:ADDRESS, website:ADDRESS, jsonl:PATH, slack:CHANNELS, discord:CHANNELS, or"
    " corrections: alone"
)

PASSED_ON = (
    *("PATH", "HOME", "TMPDIR", "SSH_AUTH_SOCK", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"),
)
"""What of our environment the `git` command may see."""

_LOCAL = re.compile(r"(?:file://|/|\.{1,2}/|~)")
_Limit = Field(gt=0, allow_inf_nan=False)

THREADS = (slack_settings.THREADS, discord_settings.THREADS)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GitSettings(_Section):
    """What of a repository is wanted. `token_env` names the environment variable that holds a token."""

    branch: Annotated[str, Field(pattern=r"^(?:[\w.][\w./-]*)?$", max_length=200)] = ""
    subfolder: str = ""
    token_env: Annotated[str, Field(pattern=r"^(?:[A-Za-z_]\w*)?$")] = ""
    token: SecretStr = SecretStr("")
    allow_local: bool = False
    max_mb: Annotated[float, _Limit] = 1024
    max_seconds: Annotated[float, _Limit] = 600

    @field_validator("subfolder")
    @classmethod
    def _inside(cls, value: str) -> str:
        if ".." in value.split("/") or "\0" in value or value.startswith(":"):
            raise ValueError("name a folder of the repository, like docs/guide")
        return value.strip("/")


class WebsiteSettings(_Section):
    """How a site is visited, and how much of it."""

    discover: Literal["auto", "sitemap", "links"] = "auto"
    sitemap: str = ""
    max_pages: Annotated[int, Field(ge=1, le=100_000)] = 2000
    max_depth: Annotated[int, Field(ge=0, le=100)] = 10
    max_minutes: Annotated[float, _Limit] = 30
    max_mb: Annotated[float, _Limit] = 1024
    page_seconds: Annotated[float, _Limit] = 30
    requests_per_second: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] = 4
    at_once: Annotated[int, Field(ge=1, le=32)] = 4


def parted(source: str) -> tuple[Kind, str]:
    """Kind and place of a source as it is written; raises ValueError that says how to write it."""
    kind, _, place = source.partition(":")
    place = place.strip()
    if kind not in get_args(Kind) or bool(place) == (kind == "corrections"):  # those are in our own record
        raise ValueError(HOW)
    if "\0" in place:
        raise ValueError("a path can't hold a NUL character")
    if kind == "website" and ((at := address(place)) is None or "#" in at.url):
        raise ValueError("write it as website:https://host/path, without a user's name, a password or a #")
    for platform in THREADS:
        if kind == platform.name:
            platform.channels(place)
    return kind, place  # type: ignore[return-value]


def is_path(kind: Kind, place: str) -> bool:
    """Whether the place is a path on this machine."""
    return kind in ("folder", "jsonl") or (kind == "git" and bool(_LOCAL.match(place)) and "://" not in place)


def check_git(place: str, git: GitSettings) -> None:
    """Raises ValueError for a repository on this machine that nobody allowed."""
    if _LOCAL.match(place) and not git.allow_local:
        raise ValueError("a repository on this machine is read only with allow_local = true under [collections.git]")


def with_tokens(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    """Tokens come from the environment alone; raises ConfigError for one that is missing."""
    collections = raw.get("collections")
    for each in collections if isinstance(collections, list) else ():
        if isinstance(each, dict):
            try:
                for platform in THREADS:
                    platform.with_token(each, env)
            except ValueError as error:
                raise ConfigError(where=where, what=str(error)) from error
        git = each.get("git") if isinstance(each, dict) else None
        if not isinstance(git, dict):
            continue
        if "token" in git:
            raise ConfigError(where=where, what="git.token is not a setting; name an environment variable in token_env")
        name = git.get("token_env")
        if isinstance(name, str) and name:
            if not env.get(name):
                raise ConfigError(where=where, what=f"git.token_env names {name}, which is not set in the environment")
            each["git"] = {**git, "token": env[name]}


def passed_on(env: Mapping[str, str]) -> dict[str, str]:
    """What the `git` command is given of an environment."""
    return {name: env[name] for name in PASSED_ON if env.get(name)}
