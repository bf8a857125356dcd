"""One walk over a site: from its robots.txt and sitemap, or from link to link, to the pages that are documents.

What a page is called is decided here: redirects, canonical addresses and spellings of one address end in one
document; so is what is surely no document any more. Knows no entries and no files.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from adapters.sources.bounds import Bounds, Rules
from adapters.sources.mapping import MOST_SITEMAPS, Mapped, Wanted, mapped, robots
from adapters.sources.naming import Page, id_of, own
from adapters.sources.pages import Kept, Pages
from adapters.sources.sitemap import MOST
from adapters.sources.visiting import Asking, Fetched, LedAway, NotGiven, Visitor
from adapters.sources.webpage import MOST_LINKS, Seen, look
from core.errors import SourceError
from core.web.addresses import Address, address

HTML = frozenset({"text/html", "application/xhtml+xml"})
READ = HTML | {"text/plain", "text/markdown", "text/csv", "application/pdf"}
CLOSED = frozenset({401, 403, 451})
"""What a site answers where not everybody may read."""

_SHELVED = 50
"""Pages after which the index is written, so that a visit that is broken off was not for nothing."""


@dataclass
class Walk:
    """`go` fills `pages`, `troubles` (reason and detail by document), `answered` and `complete`.

    `answered` are the documents that the site has spoken of: those that are not among the pages are surely gone.
    """

    start: Address
    rules: Rules
    visitor: Visitor
    shelf: Pages
    pages: dict[str, Page] = field(default_factory=dict)
    troubles: dict[str, tuple[str, str]] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    complete: bool = True
    _asked: set[str] = field(default_factory=set)
    _ahead: dict[str, Address] = field(default_factory=dict)
    _closed: dict[str, tuple[Kept | None, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._bounds = Bounds(self.start, self.rules)
        self._asking = Asking(READ.__contains__, self._bounds.redirect, self._conditions)
        self._away = ""
        self._by_links = False
        self._given = self._held = 0
        self._led = {kept.asked: kept for kept in self.shelf.known.values() if kept.asked}

    async def go(self) -> None:
        """Visit; raises SourceError when there is no site."""
        self._bounds.robots = await robots(self.start, self.visitor)
        self.visitor.slow_down(self._bounds.robots.delay)
        found = await self._mapped() if self.rules.discover != "links" else Mapped()
        if found.pages or self.rules.discover == "sitemap":
            await self._visit(self._limited(list(found.pages.values())))
        else:
            await self._follow()
        if not self.complete:
            await self._visit(await asyncio.to_thread(self._passed_by))
        await self._settle()

    def cut(self, reason: str, detail: str, document: str = "") -> None:
        """The walk ended early, or could not look everywhere: what it didn't come by may not be taken for deleted."""
        self.complete = False
        # Named by the start's address, not as its page: what is said of a page stays while the page does.
        self.troubles.setdefault(document or self.start.url, (reason, detail))

    def urls(self) -> set[str]:
        """The addresses of all pages that were given, and of those that still may be where not all were asked for."""
        given = {page.kept.url for page in self.pages.values()}
        if self.complete:
            return given
        known = ((url, address(url)) for url in self.shelf.known if url not in given)
        unasked = (url for url, at in known if at is not None and id_of(at) not in self.answered)
        return given | set(islice(unasked, self.rules.pages))

    def documents(self) -> Iterator[Page]:
        """The pages that are documents: each once, those that want to be found, and that somebody wants."""
        for key, page in self.pages.items():
            if page.seen.listed and self._bounds.document(page.at) and own(self.pages, self._bounds.root, key) == key:
                yield page

    # --- which pages ------------------------------------------------------------------------------

    async def _mapped(self) -> Mapped:
        wanted = Wanted(
            lambda at: self._bounds.page(at) and self._bounds.document(at), self.rules.pages, self.rules.bytes
        )
        told = self._bounds.robots.sitemaps
        found = await mapped(self.start, self.visitor, self.rules.sitemap, told, wanted)
        self._held += found.bytes
        for url, what in found.failed:
            self.cut("parse.note_sitemap", what, url)
        for url in found.cut:
            self.cut("parse.note_sitemap_cut", str(MOST), url)
        if self._held > self.rules.bytes:
            self._too_large()
        elif found.more and len(found.pages) <= self.rules.pages:
            self.cut("parse.note_sitemaps_limit", str(MOST_SITEMAPS))
        return found

    def _limited(self, at: Sequence[Address]) -> Sequence[Address]:
        room = max(0, self.rules.pages - len(self._asked))
        if len(at) > room:
            self.cut("parse.note_pages_limit", str(self.rules.pages))
        return at[:room]

    def _passed_by(self) -> Sequence[Address]:
        """The known pages that the walk did not come by: each says itself whether it is still there."""
        found: list[Address] = []
        for at in filter(None, map(address, self.shelf.known)):
            if at.key in self._asked or at.key in self.pages or id_of(at) in self.answered:
                continue
            if self._bounds.page(at) and self._bounds.document(at):
                found.append(at)
            else:
                self.answered.add(id_of(at))  # nobody wants it any more
        return found[: self.rules.pages]

    # --- visiting ---------------------------------------------------------------------------------

    async def _follow(self) -> None:
        """From link to link, one step from the start after the other."""
        if not self._bounds.allowed(self.start):
            raise SourceError("error.site_robots", source=self.start.url)
        self._by_links = True
        level: Sequence[Address] = [self.start]
        for depth in range(self.rules.depth + 1):
            self._ahead = {}
            await self._visit(level)
            if depth == 0 and not self.pages:
                raise self._no_start()
            if depth == self.rules.depth:
                return  # what lies deeper is no part of the collection
            new = sorted(self._ahead.keys() - self._asked - self.pages.keys())
            level = self._limited([self._ahead[key] for key in new])
            if not level:
                return

    def _no_start(self) -> SourceError:
        if self._away:
            return SourceError("error.site_moved", source=self.start.url, target=self._away)
        _, what = next(iter(self.troubles.values()), ("", "404"))
        return SourceError("error.site_failed", source=self.start.url, what=what)

    async def _visit(self, level: Sequence[Address]) -> None:
        """All pages of a level, as many at once as the visitor's manners allow."""
        self._asked.update(at.key for at in level)
        waiting = iter(level)

        async def work() -> None:
            for at in waiting:
                if self._held > self.rules.bytes:
                    self._too_large()
                    return
                await self._page(at)
                self._given += 1
                if self._given % _SHELVED == 0:
                    await asyncio.to_thread(self.shelf.save)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(len(level), self.visitor.manners.at_once)):
                group.create_task(work())

    def _too_large(self) -> None:
        self.cut("parse.note_size_limit", str(max(1, self.rules.bytes // 2**20)))

    async def _page(self, at: Address) -> None:
        try:
            found = await self.visitor.get(at, self._asking)
        except LedAway as away:
            self._away = away.url if at == self.start else self._away
            self.answered.add(id_of(at))
            return
        except NotGiven as trouble:
            await self._not_given(at, trouble)
            return
        kept = self.shelf.known.get(found.url)
        where = address(found.url) or at
        if found.status in CLOSED:
            self._refused({at, where}, str(found.status))
        elif found.status == 304 and kept is not None:
            await self._take(self.shelf.reached(kept, _asked(at, found)))
        elif found.status == 200 and found.media_type in READ:
            await self._take(await asyncio.to_thread(self.shelf.put, found.body, _about(at, found)))
        elif found.status not in (200, 304, 404, 410):
            await self._not_given(at, NotGiven(found.url, "parse.page_failed", str(found.status), found.status))
        if where.key in self.pages or found.status in (200, 404, 410):
            self.answered.update((id_of(at), id_of(where)))

    async def _not_given(self, at: Address, trouble: NotGiven) -> None:
        """A page that is known stands as it was; of one that is not, nobody knows what it leads to."""
        where = address(trouble.url) or at
        self.troubles[id_of(where)] = (trouble.reason, trouble.detail)
        kept = self.shelf.known.get(where.url) or self._led.get(where.url)
        if kept is not None and trouble.reason != "parse.page_private":
            await self._take(kept)
        elif trouble.reason == "parse.page_failed" and self._by_links:
            self.complete = False

    def _refused(self, asked: set[Address], status: str) -> None:
        """Not everybody may read this page, so nobody is to read of it."""
        for at in asked:
            self.troubles[id_of(at)] = ("parse.page_closed", status)
            self._closed[id_of(at)] = (self.shelf.known.get(at.url), status)

    async def _settle(self) -> None:
        """Pages that ask for a login now are gone; where most of them do, it is us that the site turns away."""
        known = [kept for kept, _ in self._closed.values() if kept is not None]
        if len(known) <= len(self.pages):
            self.answered.update(self._closed)
            return
        self.complete = False
        self.troubles.update((id_, ("parse.page_failed", status)) for id_, (_, status) in self._closed.items())
        for kept in known:
            await self._take(kept)

    async def _take(self, kept: Kept) -> None:
        at = address(kept.url)
        if at is None or at.key in self.pages:
            return
        body = await asyncio.to_thread(self.shelf.body, kept.hash)
        if body is None:
            self.shelf.known.pop(kept.url, None)
            self.cut("parse.page_failed", "304", id_of(at))
            return
        html = kept.media_type in HTML
        seen = await asyncio.to_thread(self._seen, body, kept) if html else _plain(kept)
        if self._by_links and not seen.whole:
            self.cut("parse.note_links_limit", str(MOST_LINKS), at.url)
        self.pages[at.key] = Page(at, kept, replace(seen, links=()))
        self._held += kept.size

    def _seen(self, body: bytes, kept: Kept) -> Seen:
        """What the page says; the way ahead keeps no more of its links than may still be followed."""
        seen = look(body, kept.url, kept.charset, kept.robots)
        if self._by_links:
            for at in (*seen.links, *filter(None, [seen.canonical])):
                if len(self._ahead) > self.rules.pages:
                    break
                known = at.key in self._ahead or at.key in self._asked or at.key in self.pages
                if not known and self._bounds.page(at):
                    self._ahead[at.key] = at
        return seen

    def _conditions(self, url: str) -> dict[str, str]:
        kept = self.shelf.known.get(url)
        return kept.conditions if kept is not None else {}


def _plain(kept: Kept) -> Seen:
    return Seen(listed="noindex" not in kept.robots)


def _about(at: Address, found: Fetched) -> dict[str, str]:
    return {
        "url": found.url,
        "media_type": found.media_type,
        "charset": found.charset,
        "etag": found.etag,
        "modified": found.modified,
        "robots": found.robots,
        "asked": _asked(at, found),
    }


def _asked(at: Address, found: Fetched) -> str:
    return at.url if at.url != found.url else ""
