"""Markdown to passages-to-be, along headings: the Splitter of every document format.

A piece never crosses a heading or the end of a page; inside a section `semantic-text-splitter` keeps tables and fences
whole when they fit. A piece's text is a plain slice of the document's text, so its offset tells
heading path, anchor and page. A section with few words stays a piece of its own: its heading path
says what the words are about.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapters.parsers.headings import Heading, headings, slug
from adapters.parsers.paging import page_cuts
from core.documents import Parsed, Piece
from core.indexing.text import language_of

if TYPE_CHECKING:
    from semantic_text_splitter import MarkdownSplitter as _Semantic

CRUMB = 80  # a rest of a section shorter than this joins the piece before it

WINDOW = 20_000


@dataclass(frozen=True, slots=True)
class _Section:
    """The text between two headings: its offsets, the titles above it, its anchor."""

    start: int
    end: int
    path: tuple[str, ...]
    anchor: str


class MarkdownSplitter:
    """Splits at headings first, then each section to pieces of `target` to `maximum` characters.

    Korean says as much in fewer characters, so its sections have limits of their own. Only a fence
    line or a rule that would be a piece by itself makes its neighbour longer.
    """

    def __init__(
        self, target: int = 700, maximum: int = 1000, *, korean_target: int = 420, korean_maximum: int = 600
    ) -> None:
        if not (0 < target <= maximum and 0 < korean_target <= korean_maximum):
            raise ValueError("0 < target <= maximum is needed")
        self._limits = (target, maximum)
        self._korean_limits = (korean_target, korean_maximum)
        self._splitters: dict[tuple[int, int], _Semantic] = {}

    def split(self, document: Parsed) -> Sequence[Piece]:
        """Pieces in reading order; their texts cover everything but blank lines and headings.

        A heading that nothing stands under is a piece itself, with its title as the text.
        """
        pages = [mark.offset for mark in document.pages]
        cuts = page_cuts(document.text, document.pages)
        pieces: list[Piece] = []
        for section in _by_page(document.text, _sections(document.text), cuts):
            for offset, text in self._slices(document.text, section):
                at = bisect_right(pages, offset) - 1
                page = document.pages[at].page if at >= 0 else None
                pieces.append(Piece(text, section.path, section.anchor, offset, page))
        return pieces

    def _slices(self, text: str, section: _Section) -> list[tuple[int, str]]:
        body = text[section.start : section.end]
        limits = self._korean_limits if language_of(body) == "ko" else self._limits
        if len(body.strip()) <= limits[1]:
            cuts = [(0, len(body))]
        else:
            semantic = self._semantic(limits)
            chunks = (
                (start + at, start + at + len(chunk))
                for start, end in _windows(body)
                for at, chunk in semantic.chunk_indices(body[start:end])
            )
            cuts = _join_crumbs(list(chunks), body, limits[1])
        trimmed = (_trim(body, start, end) for start, end in cuts)
        return [(section.start + start, body[start:end]) for start, end in trimmed if start < end]

    def _semantic(self, limits: tuple[int, int]) -> _Semantic:
        from semantic_text_splitter import MarkdownSplitter as Semantic

        if limits not in self._splitters:
            # Trimming would take the indentation of code and nested lists.
            self._splitters[limits] = Semantic(limits, trim=False)
        return self._splitters[limits]


def _sections(text: str) -> Iterator[_Section]:
    path: list[tuple[int, str]] = []
    seen: Counter[str] = Counter()
    start, anchor = 0, ""
    found = list(headings(text))
    for index, heading in enumerate(found):
        yield _Section(start, heading.start, tuple(title for _, title in path), anchor)
        path = [above for above in path if above[0] < heading.level]
        if heading.title:
            path.append((heading.level, heading.title))
        anchor, start = _anchor(heading, seen), heading.end
        if _is_bare(text, found, index):
            yield _title_only(text, heading, tuple(title for _, title in path), anchor)
    yield _Section(start, len(text), tuple(title for _, title in path), anchor)


def _by_page(text: str, sections: Iterable[_Section], cuts: Sequence[int]) -> Iterator[_Section]:
    """The sections cut where a page ends, unless what stands there says nothing by itself."""
    for section in sections:
        start = section.start
        for cut in cuts[bisect_right(cuts, section.start) : bisect_left(cuts, section.end)]:
            if not (_says_nothing(text[start:cut]) or _says_nothing(text[cut : section.end])):
                yield replace(section, start=start, end=cut)
                start = cut
        yield replace(section, start=start)


def _anchor(heading: Heading, seen: Counter[str]) -> str:
    if heading.anchor:
        return heading.anchor
    name = slug(heading.title)
    seen[name] += 1
    return name if seen[name] == 1 else f"{name}-{seen[name] - 1}"


def _is_bare(text: str, found: Sequence[Heading], index: int) -> bool:
    """Whether nothing at all stands under a heading: no text and no deeper heading."""
    following = found[index + 1] if index + 1 < len(found) else None
    end = following.start if following else len(text)
    return not text[found[index].end : end].strip() and (following is None or following.level <= found[index].level)


def _title_only(text: str, heading: Heading, path: tuple[str, ...], anchor: str) -> _Section:
    at = text.find(heading.title, heading.start, heading.end)
    if at < 0 or not heading.title:  # inline markup inside: take the whole line
        return _Section(heading.start, heading.end, path[:-1], anchor)
    return _Section(at, at + len(heading.title), path[:-1], anchor)


def _windows(body: str) -> Iterator[tuple[int, int]]:
    """Stretches of an endless section, cut at blank lines: the cost of splitting grows faster than its length."""
    start = 0
    while len(body) - start > WINDOW:
        end = start + WINDOW
        for mark in ("\n\n", "\n", " "):
            at = body.rfind(mark, start + WINDOW // 2, end)
            if at > 0:
                end = at + len(mark)
                break
        yield start, end
        start = end
    yield start, len(body)


def _join_crumbs(cuts: list[tuple[int, int]], body: str, maximum: int) -> list[tuple[int, int]]:
    """Short rests join the piece before them where they fit; what says nothing joins a neighbour anyway."""
    joined: list[tuple[int, int]] = []
    for start, end in cuts:
        text = body[start:end].strip()
        before = joined[-1] if joined else (start, start)
        is_crumb = len(text) < CRUMB and len(body[before[0] : end].strip()) <= maximum
        if joined and (is_crumb or _says_nothing(text) or _says_nothing(body[before[0] : before[1]])):
            joined[-1] = (before[0], end)
        else:
            joined.append((start, end))
    return joined


def _says_nothing(text: str) -> bool:
    """Whether the text is only signs: rules, or the first or last line of a fence too long for one piece."""
    lines = (line.strip() for line in text.split("\n"))
    return not any(any(map(str.isalnum, line)) and not line.startswith(("```", "~~~")) for line in lines)


def _trim(body: str, start: int, end: int) -> tuple[int, int]:
    """Without blank lines at both ends; the first line keeps its indentation."""
    text = body[start:end]
    end = start + len(text.rstrip())
    blank = len(text) - len(text.lstrip())
    return start + text.rfind("\n", 0, blank) + 1, end
