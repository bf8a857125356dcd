"""The [models] section of refdesk.toml: which models are asked, where, and for which steps. The key is never in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

Family = Literal["local", "model", "cascade"]
"""Who does a step: the keyless local one, a model, or the local one wherever it is sure and else a model."""

Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]

STEPS = ("plan", "grade", "rewrite", "write", "check")

_PROFILES: Mapping[str, Mapping[str, Family]] = {
    "local": dict.fromkeys(STEPS, "local"),
    "model": dict.fromkeys(STEPS, "model"),
    "fast": {"plan": "cascade", "grade": "cascade", "rewrite": "model", "write": "model", "check": "cascade"},
}


def _plain(url: str) -> bool:
    """Whether it is an http(s) address with a port that exists, and without a user's name, password or query."""
    try:
        parts = urlsplit(url)
        usable = parts.port != 0
    except ValueError:
        return False
    http = parts.scheme in ("http", "https") and bool(parts.hostname)
    return http and usable and "@" not in parts.netloc and not parts.query


class StepSettings(BaseModel):
    """Who does each step; what is left out is as the profile says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    plan: Family | None = None
    grade: Family | Literal["cross-encoder"] | None = None
    rewrite: Literal["local", "model"] | None = None
    write: Literal["local", "model"] | None = None
    check: Family | None = None


class ModelSettings(BaseModel):
    """Which embedder and analyzer; and, once `large` is named, the models of an OpenAI-compatible service.

    `small` judges and `large` writes; without `small` the large one does both, and `checker` may be a third.
    `prices` are US dollars a million tokens: input, cached input, output.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    embedder: Literal["use", "local-e5", "openai"] = "use"
    analyzer: Literal["bigrams", "morphemes"] = "bigrams"
    base_url: str = ""
    small: str = ""
    large: str = ""
    checker: str = ""
    embedding: str = ""
    dimension: Annotated[int, Field(ge=8, le=20000)] | None = None
    reranker: str = ""
    profile: Literal["local", "model", "fast"] | None = None
    steps: StepSettings = StepSettings()
    timeout: Seconds = 60
    idle: Seconds = 20
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    structured_method: Literal["auto", "json_schema", "tool", "json"] = "auto"
    old_max_tokens: bool = False
    prices: Mapping[str, tuple[float, float, float]] = {}
    checkpoints: Literal["auto", "async", "exit", "off"] = "auto"
    key: SecretStr = SecretStr("")

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and not _plain(value):
            raise ValueError("write it as http://host:port/v1 or https://host/v1, without a user's name or password")
        return value.rstrip("/")

    @field_validator("small", "large", "checker", "embedding", "reranker")
    @classmethod
    def _named(cls, value: str) -> str:
        if value and not (value.strip() and value.isprintable()):
            raise ValueError("write the model's name as the service lists it")
        return value.strip()

    @model_validator(mode="after")
    def _complete(self) -> ModelSettings:
        asked = [step for step in STEPS if self.family(step) in ("model", "cascade")]
        if asked and not self.large:
            raise ValueError(f"{asked[0]} is to be done by a model: name one as large (and a cheaper one as small)")
        if self.steps.grade == "cross-encoder" and not self.reranker:
            raise ValueError("steps.grade is cross-encoder: name a model as reranker")
        return self

    def family(self, step: str) -> str:
        """Who does the step named ``plan``, ``grade``, ``rewrite``, ``write`` or ``check``."""
        profile = self.profile or ("fast" if self.large else "local")
        return getattr(self.steps, step) or _PROFILES[profile][step]

    @property
    def is_fast(self) -> bool:
        """Whether the profile, named or by default, is `fast`."""
        return (self.profile or ("fast" if self.large else "local")) == "fast"

    @property
    def written_by_model(self) -> bool:
        """Whether any step asks a model, so that a run is worth being taken up again."""
        return any(self.family(step) in ("model", "cascade") for step in STEPS)
