"""What a site tells robots before they come in: its robots.txt and its sitemaps. Knows no pages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from adapters.sources.sitemap import LIMIT, TOO_LARGE, Sitemap, sitemap
from adapters.sources.visiting import ROBOT, Asking, Fetched, NotGiven, Visitor
from core.errors import SourceError
from core.web import robots as rules
from core.web.addresses import Address, joined
from core.web.robots import Robots

MOST_SITEMAPS = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of what the sitemaps name: which pages, how many of them, and how many bytes of sitemaps at most."""

    page: Callable[[Address], bool]
    pages: int
    bytes: int


@dataclass
class Mapped:
    """The wanted pages that the sitemaps name, and the sitemaps that could not be read, with the reason.

    `cut` are those that name more than was read, `more` whether there are more of them; `bytes` are unpacked.
    """

    pages: dict[str, Address] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)
    more: bool = False
    bytes: int = 0


async def robots(start: Address, visitor: Visitor) -> Robots:
    """Without a robots.txt all is allowed; a site that fails to give it is asked for nothing: raises SourceError."""
    at = joined(start.url, "/robots.txt")
    assert at is not None
    try:
        found = await visitor.get(at, Asking(bytes=4 * rules.LIMIT))
    except NotGiven as trouble:
        if trouble.reason == "parse.page_private":
            raise SourceError("error.source_private", source=start.url, host=start.host) from trouble
        if trouble.reason == "parse.too_large":
            return Robots()
        raise SourceError("error.site_failed", source=start.url, what=trouble.detail) from trouble
    if found.status >= 500:
        raise SourceError("error.site_failed", source=start.url, what=f"robots.txt: {found.status}")
    if found.status != 200 or found.media_type == "text/html":  # a page for everything that isn't there
        return Robots()
    return rules.robots(found.body[: rules.LIMIT].decode("utf-8", "replace"), ROBOT)


async def mapped(start: Address, visitor: Visitor, named: str, told: Iterable[str], wanted: Wanted) -> Mapped:
    """The sitemap `named`, without which SourceError is raised, or those that robots.txt told of and the usual ones."""
    below = start.url if start.url.endswith("/") else start.url + "/"
    usual = [] if named else [joined(below, "sitemap.xml"), joined(start.url, "/sitemap.xml")]
    guessed = frozenset(at.key for at in usual if at is not None)
    queue = _Queue()
    queue.add(at for at in (*(joined(start.url, url) for url in ([named] if named else told)), *usual) if at)
    found = Mapped()
    while queue.waiting and len(found.pages) <= wanted.pages and found.bytes <= wanted.bytes:
        at = queue.waiting.popleft()
        read = await _sitemap(at, visitor, found, sure=at.key not in guessed)
        if named and not read.pages and not read.sitemaps and found.failed:
            raise SourceError("error.site_failed", source=at.url, what=found.failed[-1][1])
        await asyncio.to_thread(_take, read.pages, found, wanted)
        queue.add(read.sitemaps)
    found.more = queue.more or bool(queue.waiting)
    return found


@dataclass
class _Queue:
    """The sitemaps to read, each once; `more` when there were too many."""

    waiting: deque[Address] = field(default_factory=deque)
    more: bool = False
    _seen: set[str] = field(default_factory=set)

    def add(self, sitemaps: Iterable[Address]) -> None:
        for at in sitemaps:
            if at.key in self._seen:
                continue
            if len(self._seen) >= MOST_SITEMAPS:
                self.more = True
                return
            self._seen.add(at.key)
            self.waiting.append(at)


def _take(pages: Iterable[Address], found: Mapped, wanted: Wanted) -> None:
    """One page more than are wanted tells that there are more."""
    for at in pages:
        if len(found.pages) > wanted.pages:
            return
        if at.key not in found.pages and wanted.page(at):
            found.pages[at.key] = at


async def _sitemap(at: Address, visitor: Visitor, found: Mapped, *, sure: bool) -> Sitemap:
    """What it names. One that is missing names nothing; one that was only guessed may be something else."""
    try:
        given = await visitor.get(at, Asking(bytes=LIMIT))
    except NotGiven as trouble:
        found.failed.append((at.url, trouble.detail))
        found.bytes += LIMIT if trouble.reason == "parse.too_large" else 0
        return Sitemap()
    what = str(given.status)
    if given.status == 200:
        try:
            read = await asyncio.to_thread(_read, given)
            found.bytes += read.size
            if not read.whole:
                found.cut.append(at.url)
            return read
        except ValueError as error:
            what = str(error)
            found.bytes += LIMIT if what == TOO_LARGE else len(given.body)
    if (sure and given.status not in (404, 410)) or given.status >= 500:
        found.failed.append((at.url, what))
    return Sitemap()


def _read(given: Fetched) -> Sitemap:
    if given.media_type == "text/html":
        raise ValueError("no sitemap")
    return sitemap(given.body)
