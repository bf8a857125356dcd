"""refdesk.toml and the environment: the only reader of both, typed, and never at import.

Every mistake becomes a ConfigError that names the place and the remedy.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from bots.access_settings import PeopleSettings, VisibilitySettings, check_bare
from bots.discord_settings import DiscordSettings, DiscordSourceSettings, with_discord
from bots.health_settings import HealthSettings
from bots.index_settings import IndexSettings
from bots.mistakes import mistake
from bots.model_settings import ModelSettings
from bots.schedule_settings import Cron, Interval, Zone
from bots.slack_settings import SlackSettings, SlackSourceSettings, with_slack
from bots.source_settings import (
    THREADS,
    GitSettings,
    Kind,
    WebsiteSettings,
    check_git,
    is_path,
    parted,
    passed_on,
    with_tokens,
)
from bots.telemetry_settings import TelemetrySettings
from bots.web_settings import WebSettings
from core.answers import ROUTES
from core.errors import ConfigError
from core.messages import Language
from core.policy import PRESETS, Policy
from core.web.reach import reach

CONFIG_NAME = "refdesk.toml"
_KEY = "OPENAI_API_KEY"
_LIBRARIES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH")

DATABASES = ("sqlite:///", "sqlite+aiosqlite:///", "postgresql://", "postgres://", "postgresql+asyncpg://")


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CollectionSettings(_Section):
    """One collection and its source."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    source: str
    title: str = ""
    hint: str = ""
    link: str = ""
    include: tuple[str, ...] = ("**/*",)
    exclude: tuple[str, ...] = ()
    every: Interval = ""
    cron: Cron = ""
    visibility: VisibilitySettings = VisibilitySettings()
    owners: PeopleSettings = PeopleSettings()
    allow_private: tuple[str, ...] = ()
    git: GitSettings = GitSettings()
    website: WebsiteSettings = WebsiteSettings()
    slack: SlackSourceSettings = SlackSourceSettings()
    discord: DiscordSourceSettings = DiscordSourceSettings()

    @field_validator("name")
    @classmethod
    def _no_route(cls, value: str) -> str:
        if value in ROUTES:
            raise ValueError(f"{value} is what a way of answering is called; choose another name, as {value}-docs")
        return value

    @field_validator("source")
    @classmethod
    def _known_kind(cls, value: str) -> str:
        parted(value)
        return value

    @field_validator("title", "hint")
    @classmethod
    def _composed(cls, value: str) -> str:
        return unicodedata.normalize("NFC", value)

    @field_validator("allow_private")
    @classmethod
    def _hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        reach(value)
        return value

    @model_validator(mode="after")
    def _fits_its_kind(self) -> CollectionSettings:
        if self.every and self.cron:
            raise ValueError("write `every` or `cron`, not both")
        sections = (("git", GitSettings), ("website", WebsiteSettings), ("slack", SlackSourceSettings))
        for kind, section in (*sections, ("discord", DiscordSourceSettings)):
            if self.kind != kind and getattr(self, kind) != section():
                raise ValueError(f"[collections.{kind}] is for a source of the kind {kind}:")
        for platform in THREADS:
            if self.kind == platform.name:
                platform.check(self.path, getattr(self, platform.name).allow_closed, self.visibility)
        if self.kind == "git":
            check_git(self.path, self.git)
        elif "{commit}" in self.link or "{repository}" in self.link:
            raise ValueError("{commit} and {repository} are filled in for a source of the kind git: alone")
        return self

    @field_validator("link")
    @classmethod
    def _known_fields(cls, value: str) -> str:
        unknown = set(re.findall(r"\{[^{}]*\}?|\}", value)) - {"{path}", "{anchor}", "{commit}", "{repository}"}
        if unknown:
            known = "{path} and {anchor} are filled in, and for a source of the kind git: {commit} and {repository}"
            raise ValueError(f"{known}; not {', '.join(sorted(unknown))}")
        return value

    @field_validator("include", "exclude")
    @classmethod
    def _patterns(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if value and value != ("**/*",):
            from pathspec import GitIgnoreSpec

            try:
                GitIgnoreSpec.from_lines(value)
            except (ValueError, re.error) as error:
                raise ValueError(f"not patterns as in .gitignore ({error})") from error
        return value

    @field_validator("include")
    @classmethod
    def _something(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not any(value):
            raise ValueError('nothing would be read; leave it out, or write ["**/*"]')
        return value

    @property
    def kind(self) -> Kind:
        """What kind of source it is."""
        return parted(self.source)[0]

    @property
    def path(self) -> str:
        """The path or address of the source, as written; absolute after `load` where it is a path."""
        return parted(self.source)[1]


class PolicySettings(_Section):
    """A preset and what is changed in it; the fields are those of `core.policy.Policy`."""

    model_config = ConfigDict(extra="allow", frozen=True)
    preset: Literal["chain", "self", "crag-any", "crag", "crag-loop", "adaptive"] = "adaptive"

    def policy(self) -> Policy:
        """The policy; raises ValueError for a field that does not exist or has the wrong type."""
        base = PRESETS[self.preset]
        changes = dict(self.model_extra or {})
        for name, value in changes.items():
            _matching(base, name, value)
        return replace(base, **changes)


def _matching(base: Policy, name: str, value: object) -> None:
    if name == "name" or name not in Policy.__dataclass_fields__:
        raise ValueError(f"policy.{name} is not a setting")
    wanted = type(getattr(base, name))
    number_for_float = wanted is float and type(value) is int
    if type(value) is not wanted and not number_for_float:
        raise ValueError(f"policy.{name} must be a {wanted.__name__}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"policy.{name} must be a finite number")


class IngestSettings(_Section):
    """Limits of reading documents."""

    max_file_mb: Annotated[float, Field(gt=0, le=1024, allow_inf_nan=False)] = 25
    max_seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = 60
    max_memory_mb: Annotated[float, Field(ge=256, le=65_536, allow_inf_nan=False)] = 1024
    max_passages: Annotated[int, Field(ge=1, le=1_000_000)] = 5000

    @property
    def recipe(self) -> str:
        """What of this belongs into the documents' hashes: under another limit long ones are read anew."""
        return "" if self.max_passages == IngestSettings().max_passages else f"/passages-{self.max_passages}"


class Settings(_Section):
    """Everything that can be set. Paths are absolute after `load`."""

    data_dir: Path = Path(".refdesk")
    language: Language = "en"
    timezone: Zone = "UTC"
    at_once: Annotated[int, Field(ge=1, le=1000)] = 32
    collections: tuple[CollectionSettings, ...] = ()
    admins: PeopleSettings = PeopleSettings()
    policy: PolicySettings = PolicySettings()
    models: ModelSettings = ModelSettings()
    ingest: IngestSettings = IngestSettings()
    index: IndexSettings = IndexSettings()
    web: WebSettings = WebSettings()
    slack: SlackSettings = SlackSettings()
    discord: DiscordSettings = DiscordSettings()
    telemetry: TelemetrySettings = TelemetrySettings()
    health: HealthSettings = HealthSettings()
    database_url: str = ""
    now: date | None = None
    model_cache: Path | None = None

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, value: str) -> str:
        if value and not value.startswith(DATABASES):
            raise ValueError("write it as postgresql+asyncpg://… or sqlite+aiosqlite:///…")
        return value

    @model_validator(mode="after")
    def _distinct_names(self) -> Settings:
        names = [each.name for each in self.collections]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"the collection name {name!r} is used twice; give each collection a name of its own")
        return self

    @model_validator(mode="after")
    def _whose_ids(self) -> Settings:
        named = [*self.admins.ids]
        for each in self.collections:
            named += [*each.visibility.ids, *each.owners.ids]
        check_bare(named)
        return self

    @property
    def rules(self) -> Policy:
        """The policy of a run. The `fast` profile begins answers ahead unless the policy says otherwise."""
        policy = self.policy.policy()
        unsaid = "speculate" not in (self.policy.model_extra or {})
        return replace(policy, speculate=True) if unsaid and self.models.is_fast else policy

    @property
    def index_path(self) -> Path:
        """The embedded index."""
        return self.data_dir / "index.db"

    @property
    def record_url(self) -> str:
        """SQLAlchemy's address of the record. Raises ConfigError for a folder that an address can't name."""
        if "?" in str(self.data_dir) and not self.database_url:
            raise ConfigError(where=str(self.data_dir), what="a data folder's path can't hold a question mark")
        return self.database_url or f"sqlite+aiosqlite:///{self.data_dir / 'refdesk.db'}"


def cache_dir() -> Path:
    """Where indexes live that belong to no configuration: REFDESK_DATA_DIR, or the user's cache."""
    if os.environ.get("REFDESK_DATA_DIR"):
        return Path(os.environ["REFDESK_DATA_DIR"]).expanduser().resolve()
    from platformdirs import user_cache_path

    return user_cache_path("refdesk")


def language_here(env: Mapping[str, str] | None = None) -> Language:
    """The language for sentences that answer no question: Korean in a Korean locale, else English."""
    env = os.environ if env is None else env
    locale = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "ko" if locale.lower().startswith("ko") else "en"


def git_environment() -> dict[str, str]:
    """What of our environment the `git` command may see."""
    return passed_on(os.environ)


def reader_environment() -> dict[str, str]:
    """What of our environment the processes that read documents may see: where libraries are, and nothing else."""
    return {name: os.environ[name] for name in _LIBRARIES if os.environ.get(name)}


def is_configured() -> bool:
    """Whether there is a refdesk.toml here, or one is named in the environment."""
    return bool(os.environ.get("REFDESK_CONFIG")) or Path(CONFIG_NAME).exists()


def load(path: Path | None = None, env: Mapping[str, str] | None = None) -> Settings:
    """The settings of a file (by default refdesk.toml here, or REFDESK_CONFIG) and the environment.

    REFDESK_DATA_DIR and REFDESK_DATABASE_URL overrule the file; keys come from the environment alone. Raises
    ConfigError.
    """
    env = os.environ if env is None else env
    chosen = path or (Path(env["REFDESK_CONFIG"]) if env.get("REFDESK_CONFIG") else Path(CONFIG_NAME))
    raw = _read(chosen)
    raw.setdefault("language", language_here(env))
    raw.setdefault("model_cache", cache_dir() / "models")
    if env.get("REFDESK_DATA_DIR"):
        raw["data_dir"] = env["REFDESK_DATA_DIR"]
    if env.get("REFDESK_DATABASE_URL"):
        raw["database_url"] = env["REFDESK_DATABASE_URL"]
    _with_web_key(raw, env, str(chosen))
    _with_index_key(raw, env, str(chosen))
    _with_models(raw, env, str(chosen))
    with_slack(raw, env, str(chosen))
    with_discord(raw, env, str(chosen))
    with_tokens(raw, env, str(chosen))
    return _absolute(validated(raw, str(chosen)), chosen.resolve().parent, str(chosen))


def _with_web_key(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    web = raw.get("web")
    if not isinstance(web, dict):
        return
    if "key" in web:
        raise ConfigError(where=where, what="web.key is not a setting; set TAVILY_API_KEY in the environment instead")
    raw["web"] = {**web, "key": env.get("TAVILY_API_KEY", "")}


def _with_index_key(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    index = raw.get("index")
    if not isinstance(index, dict):
        return
    if "key" in index:
        raise ConfigError(
            where=where, what="index.key is not a setting; set PINECONE_API_KEY in the environment instead"
        )
    raw["index"] = {**index, "key": env.get("PINECONE_API_KEY", "")}


def models_here(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the environment says of the models: for a run without a refdesk.toml, and over one that there is."""
    env = os.environ if env is None else env
    names = {
        "base_url": "REFDESK_BASE_URL",
        "small": "REFDESK_SMALL",
        "large": "REFDESK_LARGE",
        "key": "OPENAI_API_KEY",
    }
    return {setting: env[name] for setting, name in names.items() if env.get(name)}


def _with_models(raw: dict[str, Any], env: Mapping[str, str], where: str) -> None:
    models = raw.get("models", {})
    if not isinstance(models, dict):
        return
    if "key" in models:
        raise ConfigError(
            where=where, what="models.key is not a setting; set OPENAI_API_KEY in the environment instead"
        )
    raw["models"] = {**models, **models_here(env)}


def validated(raw: dict[str, Any], where: str) -> Settings:
    """Settings from plain values; raises ConfigError with the first mistake."""
    try:
        settings = Settings.model_validate(raw)
        settings.policy.policy()
    except ValidationError as error:
        raise ConfigError(where=where, what=mistake(raw, error.errors()[0])) from error
    except ValueError as error:
        raise ConfigError(where=where, what=str(error)) from error
    return settings


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError("error.config_missing", path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(where=str(path), what=f"not valid TOML ({error})") from error
    except OSError as error:
        raise ConfigError("error.config_unreadable", path=str(path), what=error.strerror or str(error)) from error


def _absolute(settings: Settings, base: Path, where: str) -> Settings:
    def placed(path: str | Path) -> Path:
        try:
            return (base / Path(path).expanduser()).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # nobody's home, a loop of links, a NUL
            raise ConfigError(where=where, what=f"{path} is no usable path ({str(error).rstrip('.')})") from error

    collections = tuple(
        each.model_copy(update={"source": f"{each.kind}:{placed(each.path)}"})
        if is_path(each.kind, each.path)
        else each
        for each in settings.collections
    )
    places = {"data_dir": placed(settings.data_dir)}
    if settings.model_cache is not None:
        places["model_cache"] = placed(settings.model_cache)
    return settings.model_copy(update={"collections": collections, **places})
