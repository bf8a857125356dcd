"""The words of a passage that a sentence rests on: what a footnote shows. Pure, by shared words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from core.sentences import Unit, units

LIMIT = 320
"""Characters of the quoted words; a reader compares them at a glance."""

_WORD = re.compile(r"[가-힣]+|[^\W_]+")


def quote(text: str, said: Sequence[str]) -> str:
    """The sentences of `text` nearest to the sentences `said`, in reading order, bounded."""
    pieces = units(text)
    if not pieces:
        return _short(" ".join(text.split()))
    chosen = {index for sentence in said for index in _nearest(pieces, sentence)}
    found, last = "", -1
    for index in sorted(chosen):
        join = "" if not found else " " if index == last + 1 else " … "
        found, last = found + join + pieces[index].text, index
    return _short(found)


def bare(text: str) -> str:
    """Letters and digits alone: two texts that differ only in markup and spacing are the same."""
    return "".join(_WORD.findall(unicodedata.normalize("NFC", text).casefold()))


def words(text: str) -> frozenset[str]:
    """Words in lower case, Hangul as pairs of syllables (particles differ, stems stay)."""
    found: set[str] = set()
    for word in _WORD.findall(unicodedata.normalize("NFC", text).casefold()):
        hangul = "가" <= word[0] <= "힣"
        found.update({word[i : i + 2] for i in range(max(1, len(word) - 1))} if hangul else {word})
    return frozenset(found)


def _nearest(pieces: Sequence[Unit], sentence: str) -> list[int]:
    verbatim = [i for i, piece in enumerate(pieces) if _holds(sentence, piece)]
    if verbatim:
        return verbatim
    wanted = words(sentence)
    shares = [len(wanted & words(piece.text)) / (len(words(piece.text)) + 8) for piece in pieces]
    best = max(range(len(pieces)), key=lambda i: shares[i])
    return [best] if shares[best] > 0 else []


def _holds(sentence: str, piece: Unit) -> bool:
    said, stands = bare(sentence), bare(piece.text)
    return bool(stands) and (stands in said or (len(said) > 8 and said in stands))


def _short(text: str) -> str:
    if len(text) <= LIMIT:
        return text
    cut = text[:LIMIT]
    return (cut[: cut.rfind(" ")] if " " in cut[LIMIT // 2 :] else cut).rstrip(" ,;") + "…"
