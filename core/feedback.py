"""What people think of an answer, and what they know better: the values. Knows no platform and no store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Thumb = Literal["up", "down"]

COMMENT_LIMIT = 2000
"""Characters of a comment or a correction."""

DOCUMENT = ".md"
"""What the document of a correction is called after the correction's id."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's view of one turn; said again, the new view replaces the old. `by` is ``platform/workspace/user``."""

    turn: str
    by: str
    thumb: Thumb
    at: datetime
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How an answer was received."""

    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class Correction:
    """What an owner wrote instead of an answer: a document of the collection that corrections go into.

    `question` is the question that was answered wrongly, `about` the collections whose answer it corrects.
    """

    id: str
    question: str
    text: str
    by: str
    at: datetime
    about: tuple[str, ...] = ()
    link: str | None = None

    @property
    def document(self) -> str:
        """The id of its document."""
        return self.id + DOCUMENT
