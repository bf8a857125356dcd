"""What is said to a chat model and what comes back, with what it cost. Knows no vendor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel

S = TypeVar("S", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Said:
    """One message to the model. Passages and quoted conversation are data inside a user message."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one request cost. `cost` is in US dollars; None when the model's price isn't known.

    `calls` counts the HTTP requests that were answered: another method of structured output is another call.
    """

    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    calls: int = 1
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Structured(Generic[S]):
    """A validated value and what it cost; `method` says how it was got (``json_schema``, ``tool``, ``json``)."""

    value: S
    usage: Usage
    method: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the answer's text; the last one carries the usage."""

    text: str
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """Messages in order, and the most tokens the answer may have (None: the model's own limit).

    `most_calls` is how many HTTP requests it may take at most, other ways of asking and later tries included.
    """

    messages: tuple[Said, ...]
    max_tokens: int | None = None
    temperature: float = 0.0
    tags: tuple[str, ...] = field(default=())
    most_calls: int | None = None
