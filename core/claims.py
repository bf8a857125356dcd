"""The sentences of an answer, and which footnote markers belong to each. Pure text; knows no evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.indexing.blocks import is_table_head
from core.indexing.text import sentences
from core.markers import fence_areas, markers

# A marker is read as one private sign, so that its form and its place after a full stop don't matter.
_OPEN, _CLOSE = "\ue000", "\ue001"
_TAG = re.compile(rf"[ \t]*{_OPEN}(\d+){_CLOSE}")
_PRIVATE = re.compile(rf"[{_OPEN}{_CLOSE}]")
_TAGS = rf"(?:{_OPEN}\d+{_CLOSE}[ \t]*)+"
_AFTER_END = re.compile(rf"([.!?。？！…]+[\"'”’)\]]*)[ \t]*({_TAGS})")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer without its markers, and the numbers that it cites (empty: none)."""

    text: str
    numbers: tuple[int, ...]


def claims(text: str) -> tuple[Claim, ...]:
    """The sentences of an answer; a marker that stands after a full stop or a fence counts for what it follows."""
    return tuple(each.claim for each in read(text))


@dataclass(frozen=True, slots=True)
class Said:
    """A claim, and which markers of the text (from 0, in order) are its own."""

    claim: Claim
    markers: tuple[int, ...]


def read(text: str) -> list[Said]:
    """The claims with their markers."""
    meant = [each.numbers for each in markers(text)]
    tagged = _tagged(text)
    found: list[Said] = []
    for block in _blocks(tagged):
        for sentence in sentences(block) if "\n" not in block else [block]:
            own = tuple(int(each) for each in _TAG.findall(sentence) if int(each) < len(meant))
            bare = _TAG.sub("", sentence).strip()
            if re.search(r"\w", bare):
                found.append(_said(bare, own, meant))
            elif own and found:
                last = found.pop()
                found.append(_said(last.claim.text, (*last.markers, *own), meant))
    return found


def _said(text: str, own: tuple[int, ...], meant: Sequence[tuple[int, ...]]) -> Said:
    return Said(Claim(text, tuple(dict.fromkeys(n for each in own for n in meant[each]))), own)


def _tagged(text: str) -> str:
    """The text with every marker as its place (from 0) between two private signs."""
    at, parts = 0, []
    for place, marker in enumerate(markers(text)):
        parts += [_PRIVATE.sub("", text[at : marker.start]), f" {_OPEN}{place}{_CLOSE}"]
        at = marker.end
    return "".join([*parts, _PRIVATE.sub("", text[at:])])


def _blocks(text: str) -> Iterator[str]:
    """Fences whole, everything else by lines, tags drawn into the sentence before them; no heads of tables."""
    at = 0
    for start, end in [*fence_areas(text), (len(text), len(text))]:
        lines = text[at:start].splitlines()
        for line, following in zip(lines, [*lines[1:], ""], strict=False):
            if not is_table_head(line, following):
                yield _AFTER_END.sub(lambda m: f" {m[2].strip()}{m[1]} ", line)
        if start < end:
            yield text[start:end]
        at = end
