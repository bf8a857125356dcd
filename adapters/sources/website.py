"""A website as a source of documents: what its sitemap names, or what its links lead to, below one address.

Listing is the visit: every page is asked for, those that haven't changed cost one conditional request. Fetching
reads what the visit kept. The words of a page are taken out by the parsers.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from adapters.sources.bounds import Rules
from adapters.sources.charsets import readable
from adapters.sources.naming import id_of
from adapters.sources.pages import Pages
from adapters.sources.resolving import Resolve, system_resolve
from adapters.sources.visiting import Manners, Visitor
from adapters.sources.walking import Walk
from core.documents import Listing, Problem, SourceEntry
from core.errors import ParseError, SourceError
from core.web.addresses import Address
from core.web.reach import Reach


@dataclass(frozen=True, slots=True)
class WebsiteSource:
    """The pages below `start`; what was given is kept in `folder` between syncs.

    The listing is incomplete when a limit was reached or a page without which others can't be found was not given;
    what the site says itself of a page holds all the same.
    """

    start: Address
    folder: Path
    rules: Rules = field(default_factory=Rules)
    manners: Manners = field(default_factory=Manners)
    reach: Reach = field(default_factory=Reach)
    resolve: Resolve = system_resolve

    async def list(self) -> Listing:
        """Visit the site; raises SourceError `error.site_…` when it is not there, forbids it or holds nothing."""
        pages = Pages(self.folder)
        await asyncio.to_thread(pages.load)
        async with Visitor(self.reach, self.manners, self.resolve) as visitor:
            walk = Walk(self.start, self.rules, visitor, pages)
            try:
                async with asyncio.timeout(self.rules.seconds):
                    await walk.go()
            except TimeoutError:
                walk.cut("parse.note_time_limit", f"{self.rules.seconds / 60:.3g}")
            finally:
                await asyncio.shield(asyncio.to_thread(pages.clean))
        listing = self._listing(walk)
        await asyncio.to_thread(lambda: pages.keep_only(walk.urls()))
        return listing

    async def fetch(self, entry: SourceEntry) -> bytes:
        """The page as the visit kept it; raises ParseError `parse.gone`."""
        hash_, _, charset = entry.fingerprint.partition("-")
        body = await asyncio.to_thread(Pages(self.folder).body, hash_)
        if body is None:
            raise ParseError("parse.gone")
        if not entry.media_type.startswith("text/"):
            return body
        return await asyncio.to_thread(readable, body, charset)

    def _listing(self, walk: Walk) -> Listing:
        entries = {}
        for page in walk.documents():
            kept = page.kept
            fingerprint = f"{kept.hash}-{kept.charset}"
            id_ = id_of(page.at)
            entries[id_] = SourceEntry(id_, fingerprint, kept.size, _kind(page.at, kept.media_type), None, page.link)
        problems = [Problem(document, reason, detail) for document, (reason, detail) in walk.troubles.items()]
        if not entries and not problems:
            raise SourceError("error.site_empty", source=self.start.url)
        ordered = tuple(entries[id_] for id_ in sorted(entries))
        said = tuple(sorted(problems, key=lambda problem: problem.document))
        if not entries:  # a site that gives nothing at all is ill, whatever it says of its pages
            return Listing((), complete=False, problems=said)
        return Listing(ordered, walk.complete, said, gone_ids=frozenset(walk.answered - entries.keys()))


def _kind(at: Address, media_type: str) -> str:
    """What the server says, but for Markdown, which many send as plain text."""
    name = PurePosixPath(at.url.partition("?")[0]).suffix.lower()
    return "text/markdown" if media_type == "text/plain" and name in (".md", ".markdown") else media_type
