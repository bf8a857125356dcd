"""The [index] section of refdesk.toml: where the vectors are. The key is never in the file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator

from core.web.addresses import address

MANY_PASSAGES = 200_000
"""From here on the embedded index keeps questions waiting for each other: measured by `make bench ONLY=sizes`."""


class IndexSettings(BaseModel):
    """Vectors in our own file, or at Pinecone; words and texts stay in the file either way."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    vectors: Literal["embedded", "pinecone"] = "embedded"
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,38}$")] = "refdesk"
    cloud: Literal["aws", "gcp", "azure"] = "aws"
    region: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")] = "us-east-1"
    host: str = ""
    key: SecretStr = SecretStr("")

    @field_validator("host")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and address(value) is None:
            raise ValueError("write it as https://host, without a user's name or password")
        return value.rstrip("/")

    def outgrown(self, passages: int) -> bool:
        """Whether so many passages are better kept at Pinecone than in the file."""
        return self.vectors == "embedded" and passages >= MANY_PASSAGES

    @property
    def recipe(self) -> str:
        """What of this belongs into the documents' hashes: elsewhere there are no vectors of theirs yet."""
        return f"/pinecone:{self.name}" if self.vectors == "pinecone" else ""
