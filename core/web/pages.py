"""Pages of the web as passages: cut along headings, few of each page, the telling ones first.

Pure; the splitter is given. What a page says is data: hidden signs, markup and links that lead elsewhere
are taken out here, before anything reads it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from core.documents import Parsed, Passage, passage_id
from core.indexing.text import language_of
from core.ports import Splitter
from core.web.addresses import Address, address
from core.web.choosing import best
from core.web.cleaning import clean, clean_title, published
from core.web.domains import Domains

COLLECTION = "web"


@dataclass(frozen=True, slots=True)
class Page:
    """A result as a search service gives it: nothing of it is trusted. `published` is its own wording."""

    url: str
    title: str = ""
    text: str = ""
    snippet: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read: which may be, how they are cut, how much of each."""

    domains: Domains
    splitter: Splitter
    max_characters: int = 20_000
    per_page: int = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was searched for: the query, from which day on, and how many passages at most."""

    query: str
    limit: int
    fresh_from: date | None = None


@dataclass(frozen=True, slots=True)
class _Read:
    page: Page
    at: Address
    text: str
    date: date | None = None


def passages_of(pages: Iterable[Page], wanted: Wanted, reading: Reading) -> tuple[Passage, ...]:
    """At most `limit` passages: the best of each page in the order of the results, then the second of each.

    Left out: what the domains do not admit, a page that came before, one without words, and one that is
    known to be older than asked for.
    """
    chosen = [_cut(page, wanted, reading) for page in _distinct(pages, wanted, reading)]
    rows = [each[rank] for rank in range(reading.per_page) for each in chosen if rank < len(each)]
    return tuple(rows[: max(0, wanted.limit)])


def _distinct(pages: Iterable[Page], wanted: Wanted, reading: Reading) -> list[_Read]:
    found: dict[str, _Read] = {}
    texts: set[str] = set()
    for page in pages:
        at = address(page.url)
        if at is None or not reading.domains.admits_host(at.host) or at.key in found:
            continue
        read = _read(page, at, reading)
        too_old = wanted.fresh_from is not None and read.date is not None and read.date < wanted.fresh_from
        if read.text and read.text not in texts and not too_old:
            found[at.key] = read
            texts.add(read.text)
    return list(found.values())


def _read(page: Page, at: Address, reading: Reading) -> _Read:
    # A domain that was allowed by name may be linked to; under `allow_any` only the page's own host may.
    def may_link(other: Address) -> bool:
        return other.host == at.host or (not reading.domains.allow_any and reading.domains.admits_host(other.host))

    text = clean(page.text, reading.max_characters, may_link)
    return _Read(page, at, text or clean(page.snippet, reading.max_characters, may_link), published(page.published, at))


def _cut(read: _Read, wanted: Wanted, reading: Reading) -> list[Passage]:
    """The page's passages, the most telling first."""
    title = clean_title(read.page.title) or read.at.host
    hash_ = hashlib.sha256(read.text.encode()).hexdigest()
    pieces = reading.splitter.split(Parsed(title, read.text))
    overall = language_of(read.text)
    occurrences: Counter[tuple[tuple[str, ...], str]] = Counter()
    cut = []
    for position, piece in enumerate(pieces):
        key, own = (piece.heading_path, piece.text), language_of(piece.text)
        cut.append(
            Passage(
                id=passage_id(COLLECTION, read.at.key, *key, occurrences[key]),
                collection=COLLECTION,
                document_id=read.at.url,
                document_hash=hash_,
                title=title,
                heading_path=piece.heading_path,
                text=piece.text,
                position=position,
                language=overall if own == "und" else own,
                anchor=piece.anchor,
                link=read.at.url,
                date=read.date,
                origin="web",
            )
        )
        occurrences[key] += 1
    return best(cut, wanted.query, read.page.snippet, reading.per_page)
