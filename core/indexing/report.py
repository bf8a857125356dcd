"""What a sync tells while it runs and when it is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from core.documents import Problem
from core.indexing.text import one_line
from core.messages import Language
from core.wording import say

Phase = Literal["list", "documents", "cards", "publish", "clean"]


class Progress(Protocol):
    """Told how far a sync is; must return at once."""

    def __call__(self, phase: Phase, done: int, total: int) -> None: ...


def silent(phase: Phase, done: int, total: int) -> None:
    """A Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of one sync of one collection. Document counts; `problems` by name with the reason, remarks too.

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
        """How many documents could not be read; those with a remark could."""
        return sum(not problem.is_remark for problem in self.problems)


def told(problem: Problem, language: Language) -> str:
    """A problem or a remark as one line for people."""
    reason = say(problem.reason, language, detail=problem.detail, limit_mb=problem.detail)
    key = "sync.remark" if problem.is_remark else "sync.problem"
    return say(key, language, document=one_line(problem.document), reason=reason)
