"""Where the Pinecone indexes are and how long anything may take. Knows nothing of the client."""

from __future__ import annotations

from dataclasses import dataclass

HOST = "https://api.pinecone.io"


@dataclass(frozen=True, slots=True)
class PineconeOptions:
    """`name` is what the indexes' names begin with. Seconds, retries included: a question waits for `timeout`,
    a sync for `patience`, making an index for `creation`, and for writes to be visible `visible`."""

    name: str = "refdesk"
    cloud: str = "aws"
    region: str = "us-east-1"
    host: str = HOST
    timeout: float = 10.0
    patience: float = 60.0
    creation: float = 180.0
    visible: float = 120.0
