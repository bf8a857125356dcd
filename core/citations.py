"""Footnotes: drop the markers of unknown evidence, renumber by first use, attribute the quoted words.

Pure text over the evidence. The same scan serves the finished text and the stream, so a number that
was shown never changes. Knows nothing of platforms: how a footnote is rendered is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from core.answers import Citation
from core.asserting import asserts
from core.attribution import gained_number, settled_numbers
from core.claims import Said, claims, read
from core.documents import Passage
from core.links import retrieved_links, strip_foreign_links
from core.markers import code_areas, fence_areas, markers, settled
from core.ports import Evidence, Vectors
from core.quoting import quote

# Where a footnote may be added: behind a plain word or bracket, before the full stop.
_PLAIN_END = re.compile(r"(?s:.*[\w)%`])(?=[.。…]*$)")


def cite(text: str, evidence: Sequence[Evidence]) -> tuple[str, tuple[Citation, ...]]:
    """The text with markers ``[1]``, ``[2]``, … by first use, and the footnote of each.

    Passages of one document under the same headings and page share a footnote. Links that no passage
    holds are taken out.
    """
    passages = [each.passage for each in evidence]
    numbering = _Numbering(_places(passages))
    rendered = strip_foreign_links(numbering.render(text).strip(), retrieved_links(passages)).strip()
    said = claims(rendered)
    footnotes: list[Citation] = []
    for number, members in enumerate(numbering.used(), start=1):
        carriers = [claim.text for claim in said if number in claim.numbers]
        footnotes.append(_footnote(number, [passages[i - 1] for i in members], carriers))
    return rendered, tuple(footnotes)


def attributed(
    text: str, evidence: Sequence[Evidence], support: Sequence[Sequence[float]] | Vectors
) -> tuple[str, tuple[Citation, ...]]:
    """As `cite`, with each footnote checked; `support` has a row for each of `claims(text)`, a column a passage.

    A footnote whose passage does not support its sentence moves to the passage that clearly does; it goes when
    none does, or when the sentence has a right one besides. Without a clear better one it stays: doubt alone
    takes nothing away. A sentence that claims something and has no footnote gains one where a passage certainly
    supports it and no other number changes by it: a careful librarian adds the missing shelf mark, and does not
    renumber the page for it. Words never change. Raises ValueError for a table of another shape.
    """
    passages = [each.passage for each in evidence]
    said = read(text)
    if len(support) != len(said) or any(len(row) != len(passages) for row in support):
        raise ValueError("support needs a row for each claim and a column for each passage")
    rows = [[float(p) for p in row] for row in support]
    meant = [marker.numbers for marker in markers(text)]
    for each, row in zip(said, rows, strict=True):
        if each.markers and asserts(each.claim.text):
            numbers = each.claim.numbers
            instead = dict(zip(numbers, settled_numbers(numbers, row), strict=True))
            for place in each.markers:
                meant[place] = tuple(filter(None, (instead[n] for n in meant[place])))
    # Written as plain markers, the corrected text is read like any other.
    return cite(_with_gains(_corrected(text, meant), zip(said, rows, strict=True), _places(passages)), evidence)


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
            places = _places([each.passage for each in evidence])
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


def _corrected(text: str, meant: Sequence[tuple[int, ...]]) -> str:
    """The text with other numbers in the place of its markers (empty: none)."""
    numbers = iter(meant)
    return _replaced(text, lambda _numbers: "".join(f"[{n}]" for n in next(numbers)))


def _with_gains(text: str, said: Iterable[tuple[Said, Sequence[float]]], places: Mapping[int, str]) -> str:
    """The text with the footnotes that its bare sentences gain."""
    uses = [(marker.start, places[n]) for marker in markers(text) for n in marker.numbers if n in places]
    gains: list[tuple[int, int]] = []
    at = 0
    for each, row in said:
        words = r"\s+".join(map(re.escape, each.claim.text.split()))
        stands = re.compile(words).search(text, at)
        if stands is None:
            continue
        at = stands.end()
        number = 0 if each.markers else gained_number(row)
        end = _may_gain(text, stands) if number and asserts(each.claim.text) else None
        if end is not None and _order([*uses, (end, places[number])])[: len(_order(uses))] == _order(uses):
            uses.append((end, places[number]))
            gains.append((end, number))
    for end, number in reversed(gains):
        text = f"{text[:end]} [{number}]{text[end:]}"
    return text


def _may_gain(text: str, stands: re.Match[str]) -> int | None:
    """Where a footnote may be added to a sentence: before its full stop; nowhere in code, tables and links."""
    end = _PLAIN_END.match(stands.group())
    line = text[text.rfind("\n", 0, stands.start()) + 1 : stands.start()]
    if end is None or "|" in line or text[stands.end() : stands.end() + 1] == "(":
        return None
    place = stands.start() + end.end()
    if any(start < place <= stop for start, stop in fence_areas(text)):
        return None
    return None if any(start < place < stop for start, stop in code_areas(text)) else place


def _order(uses: Sequence[tuple[int, str]]) -> list[str]:
    """The places by first use."""
    return list(dict.fromkeys(place for _, place in sorted(uses)))


def _replaced(text: str, render: Callable[[Sequence[int]], str]) -> str:
    at, parts = 0, []
    for marker in markers(text):
        rendered = render(marker.numbers)
        parts += [text[at : marker.start], marker.gap if rendered else "", rendered]
        at = marker.end
    return "".join([*parts, text[at:]])


def _places(passages: Sequence[Passage]) -> dict[int, str]:
    """What passages that share a footnote have in common, by their numbers from 1."""
    return {n: _place(passage) for n, passage in enumerate(passages, start=1)}


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
