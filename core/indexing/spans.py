"""Time expressions with a year of their own, found in text: days, months, quarters, halves, years.

Korean and English. What is relative to today lives in `core.indexing.dates`. Pure.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from core.documents import TimeSpan


class Found(NamedTuple):
    """A time expression: where it stands, what it covers, and whether it names a single day."""

    start: int
    end: int
    span: TimeSpan

    @property
    def is_day(self) -> bool:
        return self.span.start == self.span.end


Reading = Callable[[re.Match[str]], TimeSpan | None]
Rule = tuple[re.Pattern[str], Reading]

EARLIEST, LATEST = 1970, 2099

_MONTH_STEMS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
YEAR = r"(?:19[7-9]\d|20\d\d)"
# What stands right before or after a number and makes it something else than a year.
_BEFORE = r"(?<![\w:./\\#@$€₩%+,~-])(?<!\d )"
_AFTER = r"(?![\w%:/\\]|[.,]\d|-\w| \d{3})"
_NAMED_BY_NUMBER = re.compile(
    r"(?:\b(?:port|code|error|errors|ticket|issue|pr|no\.?|number|version|build|line|page|room|id|iso|rfc|server|office"
    r"|studio|windows|exchange|excel|ext\.?|top|exactly|about|least|most|than|over|under|limit(?: of| is)?|max|min)"
    r"|포트|코드|오류|에러|번호|버전|티켓|이슈|빌드|약|최대|최소|총)[ #:]*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"[ -]?(?:char(?:acter)?s?|bytes?|bits?|ms|s|sec(?:ond)?s?|minutes?|hours?|days?|weeks?|months?|years?|[kmg]i?b|px"
    r"|users?|people|employees|members|customers|items?|tokens?|rows?|lines?|words?|requests?|files?|documents?|errors?"
    r"|times|won|krw|usd|dollars|euros|points?|steps?|nodes?|pods?|records?|messages?|passages?)\b"
    r"|\s?(?:개|명|원|건|자|번|호|회|달러|바이트|초|분|시간|일|주|글자|페이지|줄|행|토큰|포트|차)(?![가-힣]*간)",
    re.IGNORECASE,
)


def year_span(year: int) -> TimeSpan:
    """The whole calendar year."""
    return TimeSpan(date(year, 1, 1), date(year, 12, 31))


def months_span(year: int, first: int, count: int = 1) -> TimeSpan:
    """`count` months from month `first`; months outside 1–12 run into the neighbouring years."""
    year, first = year + (first - 1) // 12, (first - 1) % 12 + 1
    last_year, last = year + (first + count - 2) // 12, (first + count - 2) % 12 + 1
    return TimeSpan(date(year, first, 1), date(last_year, last, monthrange(last_year, last)[1]))


def quarter_span(year: int, quarter: int) -> TimeSpan:
    """A quarter of the calendar year; 0 is the last one of the year before."""
    return months_span(year, 3 * quarter - 2, 3)


def month_number(name: str) -> int:
    """1–12 for an English month, written out or shortened."""
    return _MONTH_STEMS.index(name.casefold()[:3]) + 1


def day_span(year: int, month: int, day: int) -> TimeSpan | None:
    """A single day, None when there is no such day."""
    try:
        only = date(year, month, day)
    except ValueError:
        return None
    return TimeSpan(only, only) if EARLIEST <= year <= LATEST else None


def _month(year: int, month: int) -> TimeSpan | None:
    return months_span(year, month) if 1 <= month <= 12 and EARLIEST <= year <= LATEST else None


def _range(match: re.Match[str]) -> TimeSpan | None:
    first, last = int(match[1]), int(match[2])
    if last < 100:
        last += first // 100 * 100
    return TimeSpan(date(first, 1, 1), date(last, 12, 31)) if first <= last <= LATEST else None


def _short_year(text: str) -> int:
    return 2000 + int(text) if len(text) == 2 else int(text)


def _bare_year(match: re.Match[str]) -> TimeSpan | None:
    before, after = (
        match.string[max(0, match.start() - 20) : match.start()],
        match.string[match.end() : match.end() + 20],
    )
    if _NAMED_BY_NUMBER.search(before) or _COUNTED.match(after):
        return None
    return year_span(int(match[1]))


def _half(year: int, which: str) -> TimeSpan:
    return months_span(year, 1 if which.casefold() in {"1", "first", "상"} else 7, 6)


def _rule(pattern: str, reading: Reading) -> Rule:
    return re.compile(pattern, re.IGNORECASE), reading


ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_ORDINAL = "(" + "|".join(ORDINALS) + ")"

# In order: what a rule has taken is not read again by a later one.
ABSOLUTE: Sequence[Rule] = (
    _rule(
        rf"(?<![\w.-])({YEAR})([-./])(\d{{1,2}})\2(\d{{1,2}})(?![\d-]|\.\d)(?:T[\d:.]+Z?)?",
        lambda m: day_span(int(m[1]), int(m[3]), int(m[4])),
    ),
    _rule(
        rf"(?<![\w.-])({YEAR})\. ?(\d{{1,2}})\. ?(\d{{1,2}})(?!\d)", lambda m: day_span(int(m[1]), int(m[2]), int(m[3]))
    ),
    _rule(rf"(?<![\w.-])({YEAR})([01]\d)([0-3]\d)(?![\w.-])", lambda m: day_span(int(m[1]), int(m[2]), int(m[3]))),
    _rule(
        r"(?<!\d)(\d{4}|\d\d)년\s*(\d{1,2})월\s*(\d{1,2})일",
        lambda m: day_span(_short_year(m[1]), int(m[2]), int(m[3])),
    ),
    _rule(
        rf"\b({MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? ?({YEAR})(?!\d)",
        lambda m: day_span(int(m[3]), month_number(m[1]), int(m[2])),
    ),
    _rule(
        rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({MONTH}),? ({YEAR})(?!\d)",
        lambda m: day_span(int(m[3]), month_number(m[2]), int(m[1])),
    ),
    _rule(
        rf"(?<![\w./-])(\d{{1,2}})/(\d{{1,2}})/({YEAR})(?![\w/-])",
        lambda m: day_span(int(m[3]), int(m[1]), int(m[2])) or day_span(int(m[3]), int(m[2]), int(m[1])),
    ),
    _rule(
        rf"{_BEFORE}({YEAR})(?:년도?)?\s*(?:[-–—~/]|부터|에서|to|and|until|through)\s*({YEAR})(?:년도?)?(?![\w%]*\d)",
        _range,
    ),
    _rule(rf"{_BEFORE}({YEAR})[/–-](2\d|3\d)(?![\w/-])", _range),
    _rule(rf"{_BEFORE}({YEAR})(?:년도?)?[ -]?q([1-4])(?![\w-])", lambda m: quarter_span(int(m[1]), int(m[2]))),
    _rule(rf"\bq([1-4])(?: of)?[ ,-]*(?:fy ?)?({YEAR})(?!\d)", lambda m: quarter_span(int(m[2]), int(m[1]))),
    _rule(
        rf"\b{_ORDINAL} quarter(?: of)?,? ({YEAR})(?!\d)", lambda m: quarter_span(int(m[2]), ORDINALS[m[1].casefold()])
    ),
    _rule(r"(?<!\d)(\d{4}|\d\d)년도?\s*([1-4])\s*분기", lambda m: quarter_span(_short_year(m[1]), int(m[2]))),
    _rule(rf"{_BEFORE}({YEAR})\s*([1-4])\s*분기", lambda m: quarter_span(int(m[1]), int(m[2]))),
    _rule(rf"{_BEFORE}({YEAR})(?:년도?)?\s*(상|하)반기", lambda m: _half(int(m[1]), m[2])),
    _rule(rf"\b(?:h([12])|(first|second) half(?: of)?),? ({YEAR})(?!\d)", lambda m: _half(int(m[3]), m[1] or m[2])),
    _rule(rf"{_BEFORE}({YEAR})[ -]?h([12])(?![\w-])", lambda m: _half(int(m[1]), m[2])),
    _rule(r"(?<!\d)(\d{4}|\d\d)년\s*(\d{1,2})월", lambda m: _month(_short_year(m[1]), int(m[2]))),
    _rule(rf"\b({MONTH})(?: of)?,? ({YEAR})(?!\d)", lambda m: months_span(int(m[2]), month_number(m[1]))),
    _rule(rf"{_BEFORE}({YEAR}) ({MONTH})(?!\w)", lambda m: months_span(int(m[1]), month_number(m[2]))),
    _rule(rf"{_BEFORE}({YEAR})[-.](0[1-9]|1[0-2])(?![A-Za-z\d_]|[-./]\d)", lambda m: _month(int(m[1]), int(m[2]))),
    _rule(r"(?<!\d)((?:19|20)\d\d)\s*(?:학?년도|년)(?!\s?(?:간|동안|차|치))", lambda m: year_span(int(m[1]))),
    _rule(r"['’](\d\d)년", lambda m: year_span(2000 + int(m[1]))),
    _rule(rf"\bfy[ -]?({YEAR})(?!\d)", lambda m: year_span(int(m[1]))),
    _rule(rf"{_BEFORE}({YEAR}){_AFTER}", _bare_year),
    _rule(rf"{_BEFORE}({YEAR})(?=(?:에|의|부터|까지|엔|은|이|판)(?![가-힣]))", _bare_year),
)

# Addresses, paths, file names and code hold numbers that are no years. Word by word, which keeps it linear.
_CODE = re.compile(r"`[^`]*`")
_WORD = re.compile(r"\S+")
_DIGIT = re.compile(r"\d")
_OPAQUE = re.compile(r"://|.@.|^[~.]*/|\w\.[A-Za-z][A-Za-z0-9]{1,4}(?![A-Za-z0-9_.])")


def _readable(text: str) -> str:
    """The text with what is opaque blanked out, at the same length."""
    text = _CODE.sub(_blank, text)
    return _WORD.sub(lambda word: _blank(word) if _OPAQUE.search(word[0]) else word[0], text)


def _blank(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])


def find(text: str, rules: Sequence[Rule] = ABSOLUTE) -> list[Found]:
    """All time expressions in reading order; no two overlap."""
    if rules is ABSOLUTE and _DIGIT.search(text) is None:  # most lines: two dozen patterns would look in vain
        return []
    text = _readable(text)
    taken = bytearray(len(text))
    found: list[Found] = []
    for pattern, reading in rules:
        for match in pattern.finditer(text):
            start, end = match.span()
            span = None if any(taken[start:end]) else reading(match)
            if span is not None:
                taken[start:end] = b"\x01" * (end - start)
                found.append(Found(start, end, span))
    return sorted(found, key=lambda one: one.start)


def spans(found: Sequence[Found]) -> Iterator[TimeSpan]:
    """Their spans, each once."""
    yield from dict.fromkeys(f.span for f in found)
