"""The numbers that a text names, in one form: digits and words, thousands and 만, months of dates.

Pure rules over Korean and English. The same reading serves the answer and the passage, so what it misreads
it misreads on both sides. Knows nothing of what is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

_SCALES = {
    "k": 3,
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "bn": 9,
    "trillion": 12,
    "백": 2,
    "천": 3,
    "만": 4,
    "억": 8,
    "조": 12,
}
_NUMBER = re.compile(
    r"(?:(?<![\w.])|(?<=[가-힣])|(?<=\bv))(?P<digits>\d[\d,]*(?:\.\d+)?)"
    r"(?P<scale>(?:k|bn)\b|\s?(?:thousand|million|billion|trillion)\b|\s?[백천]?[만억조](?![가-힣]{2})|[백천](?=\s?[원명개]))?",
    re.IGNORECASE,
)
_WORDED_TEXT = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
_WORDED = tuple(_WORDED_TEXT.split())
_KOREAN = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_KOREAN_COUNT = re.compile(
    rf"(?<![가-힣])({'|'.join(_KOREAN)})\s?(?=(?:개|명|번|대|곳|가지|달|시간|시|사람|마리|권|차례|살|군데|층)(?![가-힣]{{3}}))"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(
    rf"\b(?P<before>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?\s+\d|\d(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<after>{'|'.join(_MONTHS)})",
    re.IGNORECASE,
)


def numbers(text: str) -> Iterator[str]:
    """The numbers of a text as plain digits; small ones also where they are written as words."""
    for match in _NUMBER.finditer(text):
        plain = match["digits"].replace(",", "")
        yield _scaled(plain, match["scale"].strip().casefold()) if match["scale"] else plain
    yield from filter(None, map(as_digits, re.findall(r"[a-z]+", text.casefold())))
    for match in _KOREAN_COUNT.finditer(text):
        yield str(_KOREAN[match[1]])
    for match in _MONTH.finditer(text):
        yield str(_MONTHS.index((match["before"] or match["after"]).casefold()) + 1)


def as_digits(word: str) -> str:
    """A small English number word (lower case) as digits; empty for any other word."""
    return str(_WORDED.index(word) + 1) if word in _WORDED else ""


def _scaled(digits: str, scale: str) -> str:
    """``2만`` and ``20,000`` are the same number."""
    signs = [scale] if scale in _SCALES else list(scale)
    value = Decimal(digits) * 10 ** sum(_SCALES[sign] for sign in signs)
    return format(value.normalize(), "f")
