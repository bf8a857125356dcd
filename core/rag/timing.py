"""Which time a question asks about, and which passages can speak of it. Pure; the day is an argument."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from core.answers import Plan
from core.documents import Passage, TimeSpan
from core.indexing.dates import periods_in

_CURRENT = re.compile(
    r"\b(?:current(?:ly)?|latest|newest|most recent|right now|today|nowadays|up[- ]to[- ]date|these days|as of now"
    r"|this (?:week|month|year))\b"
    r"|최신|최근|현재|지금|요즘|오늘|올해|이번\s?(?:주|달|분기)|방금",
    re.IGNORECASE,
)


def timed(plan: Plan, asked: str, today: date) -> Plan:
    """The plan with the period asked about: the message's own words count before those it leans on."""
    period = period_of(asked, today) or period_of(plan.question, today)
    current = plan.time_sensitive or bool(_CURRENT.search(asked))
    return replace(plan, period=period, time_sensitive=current or period is not None)


def period_of(text: str, today: date) -> TimeSpan | None:
    """The first period in the text. One to come counts only by its number: "carried over to the next year"
    asks about a rule, and no document is of the future."""
    for span in periods_in(text, today):
        if span.start <= today or str(span.start.year) in text:
            return span
    return None


def covers(passage: Passage, period: TimeSpan) -> bool:
    """Whether the passage can speak about that time at all.

    A period of its own decides. A date alone says when it was written: it speaks of the calendar
    year it stands in, and of another year only if it names that year: written later, anywhere;
    written before, in its title or headings ("Plan for 2027"). Without dates nothing is known, and
    nothing is held against it.
    """
    if passage.period is not None:
        return passage.period.overlaps(period)
    written = passage.date
    if written is None:
        return True
    if TimeSpan(date(written.year, 1, 1), date(written.year, 12, 31)).overlaps(period):
        return True
    later = written > period.end
    where = passage.headed_text if later else " ".join((passage.title, *passage.heading_path))
    return any(_names_year(where, year) for year in range(period.start.year, min(period.end.year, 9998) + 1))


def _names_year(text: str, year: int) -> bool:
    return re.search(rf"(?<!\d){year}(?!\d)", text) is not None
