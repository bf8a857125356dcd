"""One walk over a site: from its robots.txt and sitemap, or from link to link, to the pages that are documents.

What a page is called is decided here: redirects, canonical addresses and spellings of one address end in one
document. Knows no entries and no files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from adapters.sources.choosing import matcher
from adapters.sources.mapping import Mapped, mapped
from adapters.sources.naming import Page, folder_key, id_of, own
from adapters.sources.pages import Kept, Pages
from adapters.sources.visiting import Asking, Fetched, LedAway, NotGiven, Visitor
from adapters.sources.webpage import Seen, look
from core.errors import SourceError
from core.web.addresses import Address, address
from core.web.robots import Robots

HTML = frozenset({"text/html", "application/xhtml+xml"})
READ = HTML | {"text/plain", "text/markdown", "text/csv", "application/pdf"}
_NO_PAGES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".mjs", ".map", ".woff", ".woff2"),
    *(".mp4", ".mp3", ".webm", ".zip", ".gz", ".tar", ".tgz", ".exe", ".dmg", ".jar", ".xml", ".json", ".rss", ".atom"),
)
_SHELVED = 50
"""Pages after which the index is written, so that a visit that is broken off was not for nothing."""

Discover = Literal["auto", "sitemap", "links"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which pages: how they are found, which names, how many, how deep from the start, how long and how much in all."""

    discover: Discover = "auto"
    sitemap: str = ""
    include: tuple[str, ...] = ("**/*",)
    exclude: tuple[str, ...] = ()
    pages: int = 2000
    depth: int = 10
    seconds: float = 1800.0
    bytes: int = 2**30


@dataclass
class Walk:
    """`go` fills `pages`, `troubles` (reason and detail by document) and `complete`."""

    start: Address
    rules: Rules
    visitor: Visitor
    shelf: Pages
    pages: dict[str, Page] = field(default_factory=dict)
    troubles: dict[str, tuple[str, str]] = field(default_factory=dict)
    complete: bool = True
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._include, self._exclude = matcher(self.rules.include), matcher(self.rules.exclude)
        self._root = folder_key(self.start)
        self._asking = Asking(READ.__contains__, self._may_follow, self._conditions)
        self._robots = Robots()
        self._away = ""
        self._given = self._held = 0

    async def go(self) -> None:
        """Visit; raises SourceError when there is no site."""
        found = await mapped(self.start, self.visitor, self.rules.sitemap, look=self.rules.discover != "links")
        self._robots = found.robots
        self.visitor.slow_down(found.robots.delay)
        for url, what in found.failed:
            self.cut("parse.note_sitemap", what, url)
        named = self._named(found)
        if named or self.rules.discover == "sitemap":
            await self._visit(named)
        else:
            await self._follow()

    def cut(self, reason: str, detail: str, document: str = "") -> None:
        """The walk ended early, or could not look everywhere: nothing may be taken for deleted."""
        self.complete = False
        # Named by the start's address, not as its page: what is said of a page stays while the page does.
        self.troubles.setdefault(document or self.start.url, (reason, detail))

    def within(self, at: Address) -> bool:
        """Whether an address lies below the start."""
        return at.key == self._root or at.key.startswith((f"{self._root}/", f"{self._root}?"))

    @property
    def urls(self) -> set[str]:
        """The addresses of all pages that were given."""
        return {page.kept.url for page in self.pages.values()}

    def documents(self) -> Iterator[Page]:
        """The pages that are documents: each once, those that want to be found, and that somebody wants."""
        for key, page in self.pages.items():
            if page.seen.listed and self._include(self._name(page.at)) and own(self.pages, self._root, key) == key:
                yield page

    # --- which pages ------------------------------------------------------------------------------

    def _named(self, found: Mapped) -> Sequence[Address]:
        wanted = [at for at in found.pages if self._may(at) and self._include(self._name(at))]
        return self._limited(list({at.key: at for at in wanted}.values()))

    def _may(self, at: Address) -> bool:
        return self._may_follow(at) and not urlsplit(at.url).path.lower().endswith(_NO_PAGES)

    def _may_follow(self, at: Address) -> bool:
        return self.within(at) and not self._exclude(self._name(at)) and self._robots.allows(_asked_for(at))

    def _name(self, at: Address) -> str:
        """The address below the start, for the patterns."""
        return at.key[len(self._root) :].lstrip("/") or "index.html"

    def _limited(self, at: Sequence[Address]) -> Sequence[Address]:
        room = max(0, self.rules.pages - len(self._asked))
        if len(at) > room:
            self.cut("parse.note_pages_limit", str(self.rules.pages))
        return at[:room]

    # --- visiting ---------------------------------------------------------------------------------

    async def _follow(self) -> None:
        """From link to link, one step from the start after the other."""
        if not self._robots.allows(_asked_for(self.start)):
            raise SourceError("error.site_robots", source=self.start.url)
        level: Sequence[Address] = [self.start]
        for depth in range(self.rules.depth + 1):
            before = set(self.pages)
            await self._visit(level)
            if depth == 0 and not self.pages:
                raise self._no_start()
            if depth == self.rules.depth:
                return  # what lies deeper is no part of the collection
            given = [self.pages[key] for key in self.pages if key not in before]
            level = self._limited(self._new(link for page in given for link in _onward(page)))
            if not level:
                return

    def _no_start(self) -> SourceError:
        if self._away:
            return SourceError("error.site_moved", source=self.start.url, target=self._away)
        _, what = next(iter(self.troubles.values()), ("", "404"))
        return SourceError("error.site_failed", source=self.start.url, what=what)

    def _new(self, links: Iterable[Address]) -> list[Address]:
        new = {at.key: at for at in links if at.key not in self._asked and at.key not in self.pages and self._may(at)}
        return [new[key] for key in sorted(new)]

    async def _visit(self, level: Sequence[Address]) -> None:
        """All pages of a level, as many at once as the visitor's manners allow."""
        self._asked.update(at.key for at in level)
        waiting = iter(level)

        async def work() -> None:
            for at in waiting:
                if self._held > self.rules.bytes:
                    self.cut("parse.note_size_limit", str(max(1, self.rules.bytes // 2**20)))
                    return
                await self._page(at)
                self._given += 1
                if self._given % _SHELVED == 0:
                    await asyncio.to_thread(self.shelf.save)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(len(level), self.visitor.manners.at_once)):
                group.create_task(work())

    async def _page(self, at: Address) -> None:
        try:
            found = await self.visitor.get(at, self._asking)
        except LedAway as away:
            self._away = away.url if at == self.start else self._away
            return
        except NotGiven as trouble:
            await self._not_given(at, trouble)
            return
        kept = self.shelf.known.get(found.url)
        if found.status == 304 and kept is not None:
            await self._take(found.url, kept)
        elif found.status == 200 and found.media_type in READ:
            await self._take(found.url, await asyncio.to_thread(self.shelf.put, found.body, _about(found)))
        elif found.status not in (200, 304, 404, 410):
            await self._not_given(at, NotGiven(found.url, "parse.page_failed", str(found.status), found.status))

    async def _not_given(self, at: Address, trouble: NotGiven) -> None:
        """A page that is known stands as it was; of one that is not, nobody knows what it leads to."""
        where = address(trouble.url) or at
        self.troubles[id_of(where)] = (trouble.reason, trouble.detail)
        kept = self.shelf.known.get(where.url)
        if kept is not None and trouble.reason != "parse.page_private":
            await self._take(where.url, kept)
        elif trouble.reason == "parse.page_failed":
            self.complete = False

    async def _take(self, url: str, kept: Kept) -> None:
        at = address(url)
        if at is None or at.key in self.pages:
            return
        body = await asyncio.to_thread(self.shelf.body, kept.hash)
        if body is None:
            self.shelf.known.pop(url, None)
            self.cut("parse.page_failed", "304", id_of(at))
            return
        html = kept.media_type in HTML
        seen = await asyncio.to_thread(look, body, url, kept.charset, kept.robots) if html else _plain(kept)
        self.pages[at.key] = Page(at, kept, seen)
        self._held += kept.size

    def _conditions(self, url: str) -> dict[str, str]:
        kept = self.shelf.known.get(url)
        return kept.conditions if kept is not None else {}


def _asked_for(at: Address) -> str:
    """The part of an address that a robots.txt speaks of."""
    return "/" + at.url.partition("://")[2].partition("/")[2]


def _onward(page: Page) -> Iterator[Address]:
    yield from page.seen.links
    if page.seen.canonical is not None:
        yield page.seen.canonical


def _plain(kept: Kept) -> Seen:
    return Seen(listed="noindex" not in kept.robots)


def _about(found: Fetched) -> dict[str, str]:
    return {
        "url": found.url,
        "media_type": found.media_type,
        "charset": found.charset,
        "etag": found.etag,
        "modified": found.modified,
        "robots": found.robots,
    }
