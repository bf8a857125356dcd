"""Which threads got somewhere: by the marks people leave, by the words of who asked, by who talked at all. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONG = 400
"""A message of so many characters is worth a document though nobody replied: an announcement, a how-to."""

MARKS = frozenset({"white_check_mark", "heavy_check_mark", "ballot_box_with_check", "✅", "✔️", "✔", "☑️", "☑"})
"""Reactions that say: this is the answer."""

_ACCEPTING = re.compile(
    r"\b(?:that (?:worked|works|did it|fixed it|helped|solved it)|(?:it|this) (?:works|worked|is fixed) now|works now"
    r"|solved|resolved|fixed it|thanks?|thank you|thx|ty|perfect|got it working)\b"
    r"|감사합니다|고맙습니다|감사해요|고마워요|해결됐|해결되었|해결했|해결 완료|잘 됩니다|잘 되네요|됐습니다|되네요",
    re.IGNORECASE,
)
_DENYING = re.compile(
    r"(?:\b(?:not|no|never|still|but)|n['’]t|\bun)[\s-]?\S{0,12}\s?(?:work|fix|solv|resolv|help)|\bin advance\b"
    r"|안 ?되|아직|미리",
    re.IGNORECASE,
)


def is_worth(people: int, opening: str) -> bool:
    """Whether a search should find a thread: people (no bots) talked to each other, or the first said a lot."""
    return people > 1 or len(opening) >= LONG


def is_accepted(asker: str, told: Iterable[tuple[str, str]]) -> bool:
    """Whether who asked says so, after somebody else's reply; `told` is who said what, in order."""
    replied = False
    for author, text in told:
        if author != asker:
            replied = True
        elif replied and _ACCEPTING.search(text) and not _DENYING.search(text):
            return True
    return False
