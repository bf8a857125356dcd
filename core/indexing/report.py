"""What a sync tells while it runs and when it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from core.documents import Problem

Phase = Literal["list", "documents", "cards", "publish", "clean"]


class Progress(Protocol):
    """Told how far a sync is; must return at once."""

    def __call__(self, phase: Phase, done: int, total: int) -> None: ...


def silent(phase: Phase, done: int, total: int) -> None:
    """A Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of one sync of one collection. Document counts; `problems` by name with the reason.

    `complete` False: the source could not list everything, so nothing was removed. `generation` is
    what is published now, `published` whether this sync published it.
    """

    collection: str
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    passages: int = 0
    embedded: int = 0
    problems: tuple[Problem, ...] = ()
    complete: bool = True
    generation: int = 0
    published: bool = False
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        """How many documents could not be read."""
        return len(self.problems)
