"""Footnotes: drop the markers of unknown evidence, renumber by first use, attribute the quoted words.

Pure text over the evidence. The same scan serves the finished text and the stream, so a number that
was shown never changes. Knows nothing of platforms: how a footnote is rendered is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.answers import Citation
from core.documents import Passage
from core.indexing.text import sentences
from core.links import retrieved_links, strip_foreign_links
from core.markers import fence_areas, markers, settled
from core.ports import Evidence
from core.quoting import quote

_AFTER_END = re.compile(r"([.!?。？！…]+[\"'”’)\]]*)[ \t]*((?:\[\d{1,3}\][ \t]*)+)(?=\s|$|[^\[(])")


def cite(text: str, evidence: Sequence[Evidence]) -> tuple[str, tuple[Citation, ...]]:
    """The text with markers ``[1]``, ``[2]``, … by first use, and the footnote of each.

    Passages of one document under the same headings and page share a footnote. Links that no passage
    holds are taken out.
    """
    passages = [each.passage for each in evidence]
    numbering = _Numbering({n: _place(passage) for n, passage in enumerate(passages, start=1)})
    rendered = strip_foreign_links(numbering.render(text).strip(), retrieved_links(passages)).strip()
    said = claims(rendered)
    footnotes: list[Citation] = []
    for number, members in enumerate(numbering.used(), start=1):
        carriers = [claim.text for claim in said if number in claim.numbers]
        footnotes.append(_footnote(number, [passages[i - 1] for i in members], carriers))
    return rendered, tuple(footnotes)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of an answer without its markers, and the numbers that it cites (empty: none)."""

    text: str
    numbers: tuple[int, ...]


def claims(text: str) -> tuple[Claim, ...]:
    """The sentences of an answer; a marker that stands after a full stop or a fence counts for what it follows."""
    found: list[Claim] = []
    for block in _blocks(text):
        for sentence in sentences(block) if "\n" not in block else [block]:
            numbers = tuple(dict.fromkeys(n for marker in markers(sentence) for n in marker.numbers))
            bare = without_markers(sentence).strip()
            if re.search(r"\w", bare):
                found.append(Claim(bare, numbers))
            elif numbers and found:
                last = found.pop()
                found.append(Claim(last.text, tuple(dict.fromkeys((*last.numbers, *numbers)))))
    return tuple(found)


def without_markers(text: str) -> str:
    """The text as if nothing had been cited."""
    return _replaced(text, lambda _numbers: "")


class MarkerStream:
    """Chunks in, the whole safe text so far out; half a marker, code span or link waits for its rest.

    `evidence` may be given as its mere number; then no passages share a footnote, and links stay.
    """

    def __init__(self, evidence: Sequence[Evidence] | int) -> None:
        self._links: frozenset[str] | None = None
        if isinstance(evidence, int):
            places = {n: str(n) for n in range(1, evidence + 1)}
        else:
            places = {n: _place(each.passage) for n, each in enumerate(evidence, start=1)}
            self._links = retrieved_links(each.passage for each in evidence)
        self._numbering = _Numbering(places)
        self._done = ""
        self._open = ""

    def feed(self, chunk: str) -> str:
        """Take a chunk; the text that can be shown now."""
        self._open += chunk
        self._commit()
        return self._shown(self._open[: settled(self._open)])

    def finish(self) -> str:
        """The text when nothing more will come: what `cite` gives."""
        return self._shown(self._open)

    def _commit(self) -> None:
        """Whole paragraphs are rendered once; only the open one is looked at again."""
        end = self._open.rfind("\n\n")
        if end > 0 and not any(
            start <= end < stop or stop == len(self._open) for start, stop in fence_areas(self._open)
        ):
            self._done += self._numbering.render(self._open[:end])
            self._open = self._open[end:]

    def _shown(self, text: str) -> str:
        shown = (self._done + self._numbering.render(text)).strip()
        return shown if self._links is None else strip_foreign_links(shown, self._links).strip()


class _Numbering:
    """Evidence numbers to footnote numbers, by first use."""

    def __init__(self, places: dict[int, str]) -> None:
        self._places = places
        self._members: dict[str, list[int]] = {}

    def render(self, text: str) -> str:
        """The text with its markers renumbered, unknown ones gone."""
        return _replaced(text, self._markers)

    def used(self) -> list[list[int]]:
        """The evidence numbers behind each footnote, in the footnotes' order."""
        return list(self._members.values())

    def _markers(self, numbers: Sequence[int]) -> str:
        known = [self._number(n) for n in numbers if n in self._places]
        return "".join(f"[{n}]" for n in dict.fromkeys(known))

    def _number(self, evidence: int) -> int:
        members = self._members.setdefault(self._places[evidence], [])
        if evidence not in members:
            members.append(evidence)
        return list(self._members).index(self._places[evidence]) + 1


def _replaced(text: str, render: Callable[[Sequence[int]], str]) -> str:
    at, parts = 0, []
    for marker in markers(text):
        rendered = render(marker.numbers)
        parts += [text[at : marker.start], marker.gap if rendered else "", rendered]
        at = marker.end
    return "".join([*parts, text[at:]])


def _blocks(text: str) -> Iterator[str]:
    """Fences whole, everything else by lines, markers drawn into the sentence before them."""
    at = 0
    for start, end in [*fence_areas(text), (len(text), len(text))]:
        for line in text[at:start].splitlines():
            yield _AFTER_END.sub(lambda m: f" {m[2].strip()}{m[1]} ", line)
        if start < end:
            yield text[start:end]
        at = end


def _place(passage: Passage) -> str:
    return "\x1f".join([passage.collection, passage.document_id, str(passage.page), *passage.heading_path])


def _footnote(number: int, passages: Sequence[Passage], said: Sequence[str]) -> Citation:
    first = passages[0]
    quotes = [quote(passage.text, said) for passage in passages]
    return Citation(
        number=number,
        collection=first.collection,
        document_id=first.document_id,
        passage_id=first.id,
        title=first.title,
        heading_path=first.heading_path,
        page=first.page,
        date=first.date,
        link=first.link,
        quote=" … ".join(dict.fromkeys(each for each in quotes if each)),
        origin=first.origin,
    )
