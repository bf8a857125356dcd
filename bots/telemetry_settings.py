"""The [telemetry] section of refdesk.toml: where spans are sent, if anywhere."""

from __future__ import annotations

from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, field_validator


class TelemetrySettings(BaseModel):
    """Off until an OTLP collector is named; what its address needs to be allowed in comes from the environment."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    otlp: str = ""

    @field_validator("otlp")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value)
        if value and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query):
            raise ValueError("write it as http://host:4318 or https://host/path, without a user's name or password")
        return value.rstrip("/")
