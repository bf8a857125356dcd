"""Text as every part of Refdesk wants it: one normal form, one guess of its language, its sentences.

Pure functions over Markdown and prose in Korean and English. Knows nothing of files, formats or
passages.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from core.indexing.blocks import Block, blocks, fenced

TextLanguage = Literal["ko", "en", "und"]

KOREAN_SHARE = 0.15  # Korean technical prose is full of Latin names; so small a Hangul share is still Korean
LONG_ITEM = 300  # a list item is one unit up to here; a longer one is split like prose

# --- normal form ------------------------------------------------------------------------------------

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_ODD_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
# Control characters, soft hyphens, zero-width marks, bidirectional overrides, lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)


_UNSHOWN = re.compile(f"[\t\n\x0b-\r\u2028\u2029]|{_UNSEEN.pattern}")


def one_line(name: str) -> str:
    """A name that may be printed anywhere: signs that move a cursor or hide are written as escapes."""
    return _UNSHOWN.sub(lambda match: match[0].encode("unicode_escape").decode(), name)


# What moves a cursor, rings a bell or turns the direction of writing; line ends and tabs are no harm.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text of a model as any terminal may show it; piece by piece or whole, it comes to the same."""
    return _CONTROL.sub("", text)


def normalise(text: str) -> str:
    """NFC, ``\\n`` line ends, plain spaces, and nothing that can't be seen. Idempotent."""
    text = _LINE_ENDS.sub("\n", text)
    text = _ODD_SPACES.sub(" ", text)
    return unicodedata.normalize("NFC", _UNSEEN.sub("", text))


# --- language ---------------------------------------------------------------------------------------

_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]")
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]")


def language_of(text: str) -> TextLanguage:
    """Korean, English or undecided, by the share of scripts among the letters outside code.

    A text of nothing but code is judged by the code.
    """
    lines = text.split("\n")
    prose = "\n".join(line for line, code in zip(lines, fenced(lines), strict=True) if not code)
    for part in (prose, text):
        letters = sum(map(str.isalpha, part))
        if letters:
            break
    else:
        return "und"
    if len(_HANGUL.findall(part)) >= KOREAN_SHARE * letters:
        return "ko"
    return "en" if len(_LATIN.findall(part)) > letters / 2 else "und"


# --- sentences --------------------------------------------------------------------------------------


def sentences(text: str) -> list[str]:
    """The sentences of Markdown text, in reading order.

    List items, table rows and code are units of their own; headings, table headers, rules and
    markup lines are left out. White space inside prose is collapsed to single blanks, so a
    sentence is found in its text once both are compared with `split()`; code stays as it is.
    """
    return [sentence for block in blocks(text) for sentence in _divide(block)]


def _divide(block: Block) -> list[str]:
    if block.kind == "code":
        return [block.text]
    flat = " ".join(block.text.split())
    if block.kind == "row" or (block.kind == "item" and len(flat) <= LONG_ITEM):
        found = [flat]
    else:
        found = [sentence for line in block.text.split("\f") for sentence in _divide_prose(line)]
    return [sentence for sentence in found if any(map(str.isalnum, sentence))]


def _divide_prose(text: str) -> list[str]:
    found = _prose_sentences(" ".join(text.split()))
    # Lines without any full stop (addresses, notes, logs) would be one endless sentence.
    if len(found) == 1 and len(found[0]) > LONG_ITEM and "\n" in text:
        return [" ".join(line.split()) for line in text.split("\n")]
    return found


_END = re.compile(
    r"""(?<![.!?…])[.!?…]++[)\]"'*_`”’」』》]*+(?=\s)"""
    "|[。！？]+[”’」』]*"
    "|(?<=[니한된있없이]다)[.!?]+(?=[가-힣])"  # "…합니다.그리고": the blank is often forgotten
)
# Never split inside: inline code, link targets, bracketed asides, spaced Korean dates.
_WHOLE = re.compile(
    r"(?<!`)(`++).{1,300}?(?<!`)\1(?!`)|\]\([^()\s]{0,300}(?:\([^()]{0,300}\))?[^()]{0,300}\)|\([^()]{1,200}\)"
    r"|\d{4}\. ?\d{1,2}\.(?: ?\d{1,2}\.?)?"
)
# After these a capital may well begin the next sentence.
_MAY_END = frozenset(re.findall(r"\S+", "etc inc ltd co corp al a.m p.m u.s u.k e.u ph.d jr sr min max ext"))
_ABBREVIATIONS = _MAY_END | frozenset(
    re.findall(
        r"\S+",
        "e.g i.e vs cf approx dr mr mrs ms prof st no nos vol fig figs sec ch eq ed eds pp p dept est govt gov"
        " jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun avg ver rev resp incl"
        " excl ca viz u.n a.k.a w.r.t aka tel misc temp",
    )
)
_OPENERS = " *_\"'`“‘「『(["


def _prose_sentences(text: str) -> list[str]:
    whole = [match.span() for match in _WHOLE.finditer(text)]
    found: list[str] = []
    start = at = 0
    for match in _END.finditer(text):
        while at < len(whole) and whole[at][1] <= match.start():
            at += 1
        inside = at < len(whole) and whole[at][0] <= match.start()
        aside = inside and text[whole[at][1] - 1] == ")" and match.end() >= whole[at][1]  # "(See there.) Next"
        if (aside or not inside) and _ends(text, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    found.append(text[start:].strip())
    return [part for part in found if part]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the mark found really ends a sentence: what stands before and after it decides."""
    marks = match[0].rstrip(")]\"'*_`”’」』》")
    before = text[max(start, match.start() - 40) : match.start()].lstrip()
    following = text[match.end() : match.end() + 12].lstrip(_OPENERS)[:1]
    goes_on = following.islower() and following.isascii()
    if marks != ".":
        return not goes_on or marks == match[0] == "?"
    word = re.split(r"[\s(\[\"'“‘*_/]", before)[-1].casefold()
    if word.isdigit():  # "1. Install", "2025. 10. 14."
        return before != word and not following.isdigit()
    if word in _ABBREVIATIONS:
        return word in _MAY_END and (following.isupper() or bool(_HANGUL.match(following)))
    if len(word) == 1 and word.isalpha() and word.isascii():  # initials: J. Smith
        return False
    return not (goes_on and len(word) < 4)
