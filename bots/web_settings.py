"""The [web] section of refdesk.toml: which service, which domains, how much. The key is never in the file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from core.web.addresses import address
from core.web.domains import Domains, domains


class WebSettings(BaseModel):
    """Off until a service is named and either `allow_domains` or `allow_any = true` is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    provider: Literal["off", "tavily"] = "off"
    allow_domains: tuple[str, ...] = ()
    deny_domains: tuple[str, ...] = ()
    allow_any: bool = False
    max_results: Annotated[int, Field(ge=1, le=20)] = 5
    max_characters: Annotated[int, Field(ge=500, le=100_000)] = 20_000
    timeout: Annotated[float, Field(gt=0, le=60, allow_inf_nan=False)] = 10
    base_url: str = ""
    key: SecretStr = SecretStr("")

    @field_validator("allow_domains")
    @classmethod
    def _allowed(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        domains(value)
        return value

    @field_validator("deny_domains")
    @classmethod
    def _denied(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        domains(deny=value)
        return value

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and address(value) is None:
            raise ValueError("write it as https://host or https://host/path, without a user's name or password")
        return value.rstrip("/")

    @property
    def domains(self) -> Domains:
        """What may be searched."""
        return domains(self.allow_domains, self.deny_domains, allow_any=self.allow_any)

    @property
    def on(self) -> bool:
        """Whether the web is searched at all."""
        return self.provider != "off" and self.domains.open
