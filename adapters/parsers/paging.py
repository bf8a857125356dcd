"""Where a text may be cut so that a piece's page is the page of all its words. Pure.

A footnote names the page on which its piece begins. A sentence that runs over to the next page belongs to the page
on which it began; what comes after it does not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.documents import PageMark

_ENDED = re.compile(r"[.!?…。！？:;)\]\"'”’」』|]\s*$")
_RUNS_ON = re.compile(r"[^.!?…。！？\n]{0,300}?(?:[.!?…。！？]+[)\]\"'”’」』]*(?:\s+|$)|\n)")
_STARTS = re.compile(r"\s*(?:#|[-*•|]\s|\d+[.)]\s)")


def page_cuts(text: str, pages: Sequence[PageMark]) -> list[int]:
    """For each page but the first the offset from which on nothing of the page before it stands."""
    return [_cut(text, before.offset, mark.offset) for before, mark in pairwise(pages)]


def _cut(text: str, before: int, offset: int) -> int:
    """The page's beginning, or behind the rest of a sentence that began before it."""
    whole = _ENDED.search(text, max(before, offset - 20), offset) or _STARTS.match(text, offset)
    rest = None if whole else _RUNS_ON.match(text, offset)
    return rest.end() if rest and rest.end() < len(text) else offset
