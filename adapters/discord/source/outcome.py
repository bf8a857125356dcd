"""What a visit has come to: what was in the way, and what may no longer be cited."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.documents import Problem


@dataclass
class Outcome:
    """Filled in as the visit goes on, so that it holds even when the visit is broken off.

    `gone` are channels of which nothing may be cited any more, whatever else could not be looked at; `unseen` counts
    those that our bot can't see, `unread` are those of which it may not read what was written before.
    """

    problems: list[Problem] = field(default_factory=list)
    complete: bool = True
    gone: list[str] = field(default_factory=list)
    unseen: int = 0
    unread: set[str] = field(default_factory=set)

    def note(self, document: str, reason: str, detail: str = "") -> None:
        """Say it once."""
        if not any((problem.document, problem.reason) == (document, reason) for problem in self.problems):
            self.problems.append(Problem(document, reason, detail))

    def cut(self, document: str, reason: str, detail: str = "") -> None:
        """Something could not be looked at: nothing is taken for deleted now."""
        self.complete = False
        self.note(document, reason, detail)

    def drop(self, channel: str, reason: str, name: str = "") -> None:
        """Nothing of this channel may stay."""
        self.gone.append(channel)
        self.note(name or channel, reason)
