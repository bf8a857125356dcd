"""Which models are asked, where, and within what limits. Read by nobody but this adapter; knows no network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr

from adapters.openai.prices import Price

OPENAI = "https://api.openai.com/v1"

Method = Literal["json_schema", "tool", "json"]


@dataclass(frozen=True, slots=True)
class OpenAIModels:
    """One service and its models; times in seconds.

    `timeout` bounds a whole request with its retries and, streaming, its reading; `idle` the wait for the next piece.
    `dimension` None takes what the embedding model gives. `prices` add to the built-in ones and overrule them.
    `embedding_tokens` is the longest text that the embedding model reads.
    `old_max_tokens` sends the limit under its old name as well, for servers that overlook the new one.
    """

    base_url: str = OPENAI
    api_key: SecretStr = field(default_factory=lambda: SecretStr(""))
    small: str = "gpt-4.1-mini"
    large: str = "gpt-4.1"
    embedding: str = "text-embedding-3-small"
    dimension: int | None = None
    embedding_tokens: int = 8000
    timeout: float = 60.0
    idle: float = 20.0
    max_retries: int = 2
    longest_wait: float = 20.0
    connections: int = 1000
    structured_method: Literal["auto", "json_schema", "tool", "json"] = "auto"
    prices: Mapping[str, Price] = field(default_factory=dict)
    old_max_tokens: bool = False

    @property
    def host(self) -> str:
        """The service's name as it may be shown: no path, no user, no password."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname or '?'}:{parts.port}" if parts.port else parts.hostname or "?"

    @property
    def key(self) -> str:
        """What is sent as the key; servers without one still want the header."""
        return self.api_key.get_secret_value().strip() or "none"
