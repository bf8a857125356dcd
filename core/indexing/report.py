"""What a sync tells while it runs and when it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, Protocol

from core.catalog.alarms import Alarm, seen
from core.catalog.telling import told_alarms, told_shortly
from core.catalog.tested import SelfTest
from core.documents import Problem
from core.indexing.text import one_line
from core.messages import Language
from core.wording import SENTENCES, say

Phase = Literal["list", "documents", "passages", "cards", "test", "publish", "clean"]
"""`passages` is told between `documents`: how far a very long document is."""

PUBLISHING: frozenset[str] = frozenset({"publish", "clean"})
"""From here on a sync is seen: whoever stops it would be told that nothing came of it."""


class Progress(Protocol):
    """Told how far a sync is; must return at once."""

    def __call__(self, phase: Phase, done: int, total: int) -> None: ...


def silent(phase: Phase, done: int, total: int) -> None:
    """A Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of one sync of one collection. Document counts; `problems` by name with the reason, remarks too.

    `complete` False: the source could not list everything, so nothing was removed. `generation` is
    what is published now, `published` whether this sync published it, `prompt_changed` whether a Card is new.
    `self_test` is the router's by the new Cards; `untested` says that it should have been made and failed.
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
    unnamed: int = 0
    prompt_changed: bool = False
    self_test: SelfTest | None = None
    alarms: tuple[Alarm, ...] = ()
    untested: bool = False

    @property
    def failed(self) -> int:
        """How many documents could not be read; those with a remark could."""
        return sum(not problem.is_remark for problem in self.problems) + self.unnamed


def summary(report: SyncReport, language: Language) -> str:
    """The counts of a sync as one line for people."""
    return say(
        "sync.report",
        language,
        collection=report.collection,
        added=report.added,
        changed=report.changed,
        removed=report.removed,
        unchanged=report.unchanged,
        failed=report.failed,
        passages=report.passages,
        seconds=f"{report.seconds:.1f}",
    )


def told_router(report: SyncReport, language: Language, known: frozenset[str] = frozenset()) -> list[str]:
    """What the sync's test of the router came to, without a word of other collections than those its readers know.

    Reports are read in channels.
    """
    if report.untested:
        return [say("router.untested", language)]
    if report.self_test is None:
        return []
    lines = ["  " + told_shortly(report.self_test, language)]
    if report.alarms:
        lines.append("  " + say("router.alarms", language, count=len(report.alarms)))
    shown = seen(report.alarms, known) if known else ()
    return [*lines, *(f"  {line}" for line in told_alarms(shown, language))]


MOST_NEWS = 10
"""Documents named to somebody who wants an answer; `refdesk sync` and `refdesk check` name all."""


def told_report(report: SyncReport, language: Language, *, only_news: bool = False) -> list[str]:
    """What came of a sync; with `only_news` nothing where nothing changed, and of many problems the first."""
    if only_news and not report.published and report.complete:
        return []
    problems = told_all(report.problems, language)
    shown = problems[:MOST_NEWS] if only_news else problems
    left_out = len(problems) - len(shown) + report.unnamed
    more = [say("sync.more", language, count=left_out)] if left_out else []
    prompt = [say("sync.prompt_changed", language)] if report.prompt_changed and not only_news else []
    router = [] if only_news else told_router(report, language)
    partly = [] if report.complete else [say("sync.incomplete", language, collection=report.collection)]
    return [summary(report, language), *shown, *more, *prompt, *router, *partly]


_OTHER_KINDS = ("parse.unsupported", "parse.convert")
MOST_UNSUPPORTED = 3
"""Files of kinds that are not read are named up to here; a folder of pictures is told in one line."""


def told_all(problems: Sequence[Problem], language: Language) -> list[str]:
    """All problems and remarks, a line each, but many files of kinds that are not read in one line by kind."""
    unsupported = [problem for problem in problems if problem.reason in _OTHER_KINDS]
    if len(unsupported) <= MOST_UNSUPPORTED:
        return [told(problem, language) for problem in problems]
    kinds = Counter(PurePosixPath(problem.document).suffix.casefold() or "–" for problem in unsupported)
    named = ", ".join(f"{one_line(kind)} {count}" for kind, count in kinds.most_common())
    rest = [told(problem, language) for problem in problems if problem.reason not in _OTHER_KINDS]
    key = "sync.convert" if any(problem.reason == "parse.convert" for problem in unsupported) else "sync.unsupported"
    return [*rest, say(key, language, count=len(unsupported), kinds=named)]


OPEN_LINE = "parse.line_open"
"""A line that may be any document: until it is mended, nothing of its file can be taken for removed."""

_UNKNOWN = {False: "parse.unreadable", True: "parse.note_unknown"}


def told(problem: Problem, language: Language) -> str:
    """A problem or a remark as one line for people; one that another version of us stored, in general words."""
    known = problem.reason if problem.reason in SENTENCES else _UNKNOWN[problem.is_remark]
    detail = one_line(problem.detail)
    if known == OPEN_LINE:
        file, _, number = one_line(problem.document).rpartition(":")
        return say("sync.line", language, reason=say(known, language, document=file, number=number, detail=detail))
    reason = say(known, language, detail=detail, limit_mb=detail)
    key = "sync.remark" if problem.is_remark else "sync.problem"
    return say(key, language, document=one_line(problem.document), reason=reason)
