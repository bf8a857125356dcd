"""How much one document may ask for, and how it is told in which process it is read. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one document: its bytes, the seconds it takes, the bytes of memory its reader may hold."""

    bytes: int = 25 * MB
    seconds: float = 60.0
    memory: int = 1024 * MB


@dataclass(frozen=True, slots=True)
class Room:
    """The processes that read: how many at once, what they see of our environment, when a fresh one takes over.

    `parsers` names the table of parsers as ``module:name``. A process that was idle for `idle` seconds ends.
    """

    parsers: str = "adapters.parsers.registry:EXTENSIONS"
    environment: Mapping[str, str] = field(default_factory=dict)
    width: int = 2
    documents: int = 200
    idle: float = 30.0
