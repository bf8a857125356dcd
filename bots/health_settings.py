"""The [health] section of refdesk.toml: where a process that serves tells how it is."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class HealthSettings(BaseModel):
    """On this machine alone unless told otherwise; port 0 switches it off."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
