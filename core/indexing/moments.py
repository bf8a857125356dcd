"""Time expressions that need to know today: "last year", "작년 3분기", "in March", "3 months ago". Pure.

"Today" and "now" are left out on purpose: "오늘 입사했는데 …" asks about no particular day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from core.documents import TimeSpan
from core.indexing.spans import MONTH, ORDINALS, YEAR, Reading, Rule, month_number, months_span, quarter_span, year_span

_YEAR_SHIFTS: Mapping[int, str] = {
    -2: "the year before last|재작년|지지난해",
    -1: "last year|previous year|작년도|작년|지난해|지난 해|전년도|전년",
    0: "this year|current year|올해|올 해|금년도|금년|당해",
    1: "next year|내년도|내년|다음 해",
    2: "후년",
}
_YEARS = {name: shift for shift, names in _YEAR_SHIFTS.items() for name in names.split("|")}
_SHIFTS = {
    **dict.fromkeys(("지지난", "저저번"), -2),
    **dict.fromkeys(("last", "previous", "지난", "저번"), -1),
    **dict.fromkeys(("this", "current", "이번"), 0),
    **dict.fromkeys(("next", "다음"), 1),
}
_COUNT_WORDS: Mapping[int, str] = {
    1: "a an one 한 일",
    2: "two 두 이",
    3: "three 세 삼",
    4: "four 네",
    5: "five",
    6: "six",
}
_COUNTS = {word: number for number, words in _COUNT_WORDS.items() for word in words.split()} | {"ten": 10, "twelve": 12}
_YEAR_NAME = "(" + "|".join(sorted(_YEARS, key=len, reverse=True)) + ")"
_THAT_YEAR = r"(?:'s)?,? ?"
_SHIFT_EN, _SHIFT_KO = r"\b(last|previous|this|current|next) ", r"(지지난|저저번|지난|저번|이번|다음) ?"
_COUNT = r"(\d{1,2}|an?|one|two|three|four|five|six|ten|twelve)"
_EVERY = r"(?<!every )(?<!each )(?<!매년 )(?<!매해 )(?<!해마다 )"
# "3개월 전" is also "three months before …": read as "ago" only where nothing is said before it.
_AGO_KO = r"(?:(?<![^,.?!])|지금(?:으로)?부터|약|한) *(\d{1,2}|한|두|세|네|일|이|삼) ?"
_AGO_END = r" ?전(?=에|의|쯤|\s|$|[.,?!])"
_UNIT_DAYS = {"day": 1, "week": 7, "일": 1, "주": 7, "주일": 7}


def rules(today: date) -> Sequence[Rule]:
    """Rules for `core.indexing.spans.find`, to be tried before those for absolute years."""
    readings = _Readings(today)
    pairs: list[tuple[str, Reading]] = [*_named_years(readings), *_shifts(readings), *_ago(readings), *_bare(readings)]
    return [(re.compile(pattern, re.IGNORECASE), reading) for pattern, reading in pairs]


def _named_years(r: _Readings) -> list[tuple[str, Reading]]:
    """Parts of a year that is named in words, then such years alone."""
    ordinal = "(" + "|".join(ORDINALS) + ")"
    return [
        (rf"{_YEAR_NAME} (\d{{1,2}})월 (\d{{1,2}})일", lambda m: r.day(r.year(m[1]), m[2], m[3])),
        (rf"{_YEAR_NAME} ?(\d{{1,2}})월", lambda m: r.month(r.year(m[1]), m[2])),
        (rf"{_YEAR_NAME} ?([1-4]) ?분기", lambda m: quarter_span(r.year(m[1]), int(m[2]))),
        (rf"{_YEAR_NAME} ?(상|하)반기", lambda m: months_span(r.year(m[1]), 1 if m[2] == "상" else 7, 6)),
        (rf"{_YEAR_NAME}{_THAT_YEAR}q([1-4])\b", lambda m: quarter_span(r.year(m[1]), int(m[2]))),
        (rf"\bq([1-4])(?: of)? {_YEAR_NAME}", lambda m: quarter_span(r.year(m[2]), int(m[1]))),
        (rf"\b{ordinal} quarter(?: of)? {_YEAR_NAME}", lambda m: quarter_span(r.year(m[2]), ORDINALS[m[1].casefold()])),
        (rf"\b({MONTH})(?: of)?,? {_YEAR_NAME}", lambda m: months_span(r.year(m[2]), month_number(m[1]))),
        (rf"(?<![\w가-힣]){_YEAR_NAME}(?![a-z])", lambda m: year_span(r.year(m[1]))),
    ]


def _shifts(r: _Readings) -> list[tuple[str, Reading]]:
    """This, last and next: month, quarter, week; yesterday."""
    return [
        (rf"{_SHIFT_EN}month\b", lambda m: r.months(_shift(m))),
        (rf"{_SHIFT_KO}달", lambda m: r.months(_shift(m))),
        (r"(?<![가-힣])(?:이달|당월|금월)", lambda _: r.months(0)),
        (r"(?<![가-힣])전월", lambda _: r.months(-1)),
        (r"(?<![가-힣])(?:익월|내달)", lambda _: r.months(1)),
        (rf"{_SHIFT_EN}quarter\b", lambda m: r.quarters(_shift(m))),
        (rf"{_SHIFT_KO}분기", lambda m: r.quarters(_shift(m))),
        (r"(?<![가-힣])(당|전)분기", lambda m: r.quarters(0 if m[1] == "당" else -1)),
        (rf"{_SHIFT_EN}week\b", lambda m: r.weeks(_shift(m))),
        (rf"{_SHIFT_KO}주(?=[에의도\s,.?!]|$)", lambda m: r.weeks(_shift(m))),
        (r"\bthe day before yesterday\b|(?<![가-힣])(?:그저께|그제|엊그제)(?![가-힣]{2})", lambda _: r.days(-2)),
        (r"\byesterday\b|(?<![가-힣])(?:어제|어저께)", lambda _: r.days(-1)),
    ]


def _ago(r: _Readings) -> list[tuple[str, Reading]]:
    """So long ago, and the stretch of so long that ends today."""
    stretch_en, stretch_ko = r"\b(?:last|past|previous) ", r"(?<![가-힣])(?:최근|지난) ?"
    return [
        (rf"\b{_COUNT} years? ago\b", lambda m: year_span(r.today.year - _count(m))),
        (rf"\b{_COUNT} months? ago\b", lambda m: r.months(-_count(m))),
        (rf"\b{_COUNT} (day|week)s? ago\b", lambda m: r.days(-_count(m) * _UNIT_DAYS[m[2].casefold()])),
        (rf"{_AGO_KO}년{_AGO_END}", lambda m: year_span(r.today.year - _count(m))),
        (rf"{_AGO_KO}(?:개월|달){_AGO_END}", lambda m: r.months(-_count(m))),
        (rf"{_AGO_KO}(주일|주|일){_AGO_END}", lambda m: r.days(-_count(m) * _UNIT_DAYS[m[2]])),
        (rf"{stretch_en}{_COUNT} years?\b", lambda m: r.since_months(12 * _count(m))),
        (rf"{stretch_en}{_COUNT} months?\b", lambda m: r.since_months(_count(m))),
        (rf"{stretch_en}{_COUNT} (day|week)s?\b", lambda m: r.since_days(_count(m) * _UNIT_DAYS[m[2].casefold()])),
        (rf"{stretch_ko}(\d{{1,2}}|한|두|세) ?년(?=간|동안|\s|$)", lambda m: r.since_months(12 * _count(m))),
        (rf"{stretch_ko}(\d{{1,2}}|한|두|세) ?(?:개월|달)", lambda m: r.since_months(_count(m))),
        (
            rf"{stretch_ko}(\d{{1,2}}|한|두|세|일) ?(일|주|주일)(?=간|동안|\s|$)",
            lambda m: r.since_days(_count(m) * _UNIT_DAYS[m[2]]),
        ),
        (rf"\bsince ({YEAR})\b|(?<!\d)({YEAR})년? ?(?:이후|이래)", lambda m: r.since(date(int(m[1] or m[2]), 1, 1))),
    ]


def _bare(r: _Readings) -> list[tuple[str, Reading]]:
    """A month, quarter or half without a year: the latest that has begun."""
    no_year = rf"(?!(?: of)?[ ,]*(?:{YEAR}|\d)|[ -]*(?:fy ?)?{YEAR})"
    return [
        (
            rf"{_EVERY}\b(?:in|during|since|of|last|until|by) (?i:{MONTH})(?![a-z]){no_year}",
            lambda m: r.latest_month(m[0]),
        ),
        (
            rf"(?<![\d년해도/.])(?<![년해도] ){_EVERY}(\d{{1,2}})월(?: ?(\d{{1,2}})일)?(?=[에의도부까은는이\s,.?!]|$)",
            r.latest,
        ),
        (rf"(?<![\w-])(?<!{YEAR}[ -]){_EVERY}q([1-4])(?![\w.:)]){no_year}", lambda m: r.latest_quarter(int(m[1]))),
        (rf"(?<![\d년해도])(?<![년해도] )(?<!\d ){_EVERY}([1-4]) ?분기", lambda m: r.latest_quarter(int(m[1]))),
    ]


def _shift(match: re.Match[str]) -> int:
    return _SHIFTS[match[1].casefold()]


def _count(match: re.Match[str]) -> int:
    word = match[1].casefold()
    return int(word) if word.isdigit() else _COUNTS[word]


class _Readings:
    """What the expressions mean on one particular day."""

    def __init__(self, today: date) -> None:
        self.today = today

    def year(self, name: str) -> int:
        return self.today.year + _YEARS[name.casefold()]

    def month(self, year: int, month: str) -> TimeSpan | None:
        return months_span(year, int(month)) if 1 <= int(month) <= 12 else None

    def day(self, year: int, month: str, day: str) -> TimeSpan | None:
        try:
            only = date(year, int(month), int(day))
        except ValueError:
            return None
        return TimeSpan(only, only)

    def months(self, shift: int) -> TimeSpan:
        return months_span(self.today.year, self.today.month + shift)

    def quarters(self, shift: int) -> TimeSpan:
        return quarter_span(self.today.year, (self.today.month + 2) // 3 + shift)

    def weeks(self, shift: int) -> TimeSpan:
        monday = self.today + timedelta(days=7 * shift - self.today.weekday())
        return TimeSpan(monday, monday + timedelta(days=6))

    def days(self, shift: int) -> TimeSpan:
        day = self.today + timedelta(days=shift)
        return TimeSpan(day, day)

    def since(self, start: date) -> TimeSpan | None:
        return TimeSpan(start, self.today) if start <= self.today else None

    def since_days(self, count: int) -> TimeSpan | None:
        return self.since(self.today - timedelta(days=count))

    def since_months(self, count: int) -> TimeSpan | None:
        start = months_span(self.today.year, self.today.month - count)
        return self.since(start.start + timedelta(days=min(self.today.day, start.end.day) - 1))

    def latest_month(self, expression: str) -> TimeSpan:
        month = month_number(expression.rsplit(maxsplit=1)[-1])
        return months_span(self.today.year - (month > self.today.month), month)

    def latest(self, match: re.Match[str]) -> TimeSpan | None:
        month = int(match[1])
        year = self.today.year - (month > self.today.month)
        return self.day(year, match[1], match[2]) if match[2] else self.month(year, match[1])

    def latest_quarter(self, quarter: int) -> TimeSpan:
        span = quarter_span(self.today.year, quarter)
        return span if span.start <= self.today else quarter_span(self.today.year - 1, quarter)
