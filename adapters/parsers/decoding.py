"""Bytes to text when nobody says in which encoding: the reading that looks most like writing wins.

Korean teams hold UTF-8 with and without BOM, CP949 from spreadsheets and old editors, UTF-16 from
Windows; Western files may be cp1252.
"""

from __future__ import annotations

import codecs
import re

from core.errors import ParseError
from core.indexing.text import normalise

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MAIL_KOREAN = b"\x1b$)C"
PLAUSIBLE = 0.9
SAMPLE = 200_000
_FOREIGN = re.compile("[^\x00-\x7f]+")
_PUNCTUATION = frozenset("‘’“”…–—·•§©®°±×÷€£¥₩→←↑↓■□●○▶▲※「」『』《》〈〉【】~、。，！？：；（）％")


def decode(data: bytes, declared: str = "") -> tuple[str, str]:
    """The text and the encoding it was read with; raises ParseError `parse.encoding`."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strict(data, encoding), encoding
    if declared:
        text = _try(data, declared)
        if text is not None and plausibility(text) >= PLAUSIBLE:
            return text, declared
    if _MAIL_KOREAN in data[:SAMPLE]:  # all of it is ASCII, so that it would pass for English
        text = _try(data, "iso2022_kr")
        if text is not None:
            return text, "iso2022_kr"
    text = _try(data, "utf-8")
    if text is not None and not _is_binary(text):
        return text, "utf-8"
    return _best(data)


def _best(data: bytes) -> tuple[str, str]:
    names = ("utf-16-le", "utf-16-be") if data.count(b"\x00") > len(data) / 10 else ("cp949", "cp1252")
    scored = []
    for name in names:
        text = _try(data, name)
        if text is not None:
            scored.append((plausibility(text), name, text))
    mixed = _by_line(data)
    if mixed is not None:
        scored.append((plausibility(mixed), "utf-8/cp949", mixed))
    # One bad byte (a cut download, a stray quote) must not cost a UTF-8 file its reading.
    patched = data.decode("utf-8", errors="replace")
    scored.append((plausibility(patched) - patched.count("\ufffd") / max(1, len(patched)), "utf-8", patched))
    score, name, text = max(scored, key=lambda item: item[0])
    older = _try(data, "johab") if score < PLAUSIBLE else None  # before CP949, from the days of DOS
    if older is not None:
        score, name, text = plausibility(older), "johab", older
    if score < PLAUSIBLE or _is_binary(text):
        raise ParseError("parse.encoding")
    return text, name


def _by_line(data: bytes) -> str | None:
    """A file that several programs added to: each line in UTF-8 or CP949."""
    lines = []
    for line in data.split(b"\n"):
        text = _try(line, "utf-8")
        text = _try(line, "cp949") if text is None else text
        if text is None:
            return None
        lines.append(text)
    return "\n".join(lines)


def _is_binary(text: str) -> bool:
    return text.count("\x00") > len(text) / 10


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ParseError("parse.encoding", detail=str(error)) from error


def _try(data: bytes, encoding: str) -> str | None:
    try:
        # Python's euc_kr is stricter than what calls itself so; CP949 contains it.
        return data.decode("cp949" if encoding.casefold() in {"euc-kr", "euc_kr", "ks_c_5601-1987"} else encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def plausibility(text: str) -> float:
    """0–1: how much of what is not ASCII looks like Korean or European writing. 1 for pure ASCII."""
    sample = normalise(text[:SAMPLE])
    good = bad = 0
    for run in _FOREIGN.findall(sample):
        for char in run:
            if _is_common(char, run):
                good += 1
            else:
                bad += 1
    # Few odd signs in much ASCII are signs; a text of odd signs is a wrong reading.
    return 1 - bad / (good + bad + len(sample) / 50) if bad else 1.0


def _is_common(char: str, run: str) -> bool:
    if "가" <= char <= "힣":
        return is_usual_syllable(char)
    if "À" <= char <= "ɏ":
        return len(run) <= 2  # accented letters stand among plain ones
    return char in _PUNCTUATION or (char.isalpha() and "\u0370" <= char < "\uac00")


def is_usual_syllable(char: str) -> bool:
    """Whether a Hangul syllable is among the 2,350 that nearly all Korean is written with."""
    try:
        return len(char.encode("euc_kr")) == 2
    except UnicodeEncodeError:
        return False
