"""A prompt's fixed text, named and versioned, so that a trace can tell which wording an answer came from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """The fixed parts of one step's prompt, in every variant."""

    name: str
    parts: tuple[str, ...]

    @property
    def version(self) -> str:
        """Eight hexadecimal digits: another wording is another version."""
        return hashlib.sha256("\x1f".join(self.parts).encode()).hexdigest()[:8]

    @property
    def tag(self) -> str:
        """``name@version``, the first tag of each request made from it."""
        return f"{self.name}@{self.version}"
