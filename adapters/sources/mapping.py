"""What a site tells robots before they come in: its robots.txt and its sitemaps. Knows no pages."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from adapters.sources.sitemap import LIMIT, MOST, Sitemap, sitemap
from adapters.sources.visiting import ROBOT, Asking, Fetched, NotGiven, Visitor
from core.errors import SourceError
from core.web import robots as rules
from core.web.addresses import Address, joined
from core.web.robots import Robots

_MOST_SITEMAPS = 500


@dataclass
class Mapped:
    """The rules for us, the pages that the sitemaps name, and the sitemaps that could not be read, with the reason."""

    robots: Robots
    pages: dict[Address, None] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)


async def mapped(start: Address, visitor: Visitor, named: str, *, look: bool) -> Mapped:
    """Robots.txt, and the sitemaps if `look`; raises SourceError `error.site_failed` when nobody answers."""
    found = Mapped(await _robots(start, visitor))
    if not look:
        return found
    below = start.url if start.url.endswith("/") else start.url + "/"
    guessed = list(filter(None, (joined(below, "sitemap.xml"), joined(start.url, "/sitemap.xml"))))
    told = filter(None, (joined(start.url, url) for url in ([named] if named else found.robots.sitemaps)))
    waiting = [*told] if named else [*told, *guessed]
    seen: set[str] = set()
    while waiting and len(seen) < _MOST_SITEMAPS and len(found.pages) < MOST:
        at = waiting.pop(0)
        if at.key in seen:
            continue
        seen.add(at.key)
        read = await _sitemap(at, visitor, found, sure=at not in guessed)
        if named and not read.pages and not read.sitemaps and found.failed:
            raise SourceError("error.site_failed", source=at.url, what=found.failed[-1][1])
        found.pages.update(dict.fromkeys(read.pages))
        waiting.extend(read.sitemaps)
    return found


async def _robots(start: Address, visitor: Visitor) -> Robots:
    """Without a robots.txt all is allowed; a site that fails to give it is asked for nothing."""
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


async def _sitemap(at: Address, visitor: Visitor, found: Mapped, *, sure: bool) -> Sitemap:
    """What it names. One that is missing names nothing; one that was only guessed may be something else."""
    try:
        given = await visitor.get(at, Asking(bytes=LIMIT))
    except NotGiven as trouble:
        found.failed.append((at.url, trouble.detail))
        return Sitemap()
    what = str(given.status)
    if given.status == 200:
        try:
            return await asyncio.to_thread(_read, given)
        except ValueError as error:
            what = str(error)
    if (sure and given.status not in (404, 410)) or given.status >= 500:
        found.failed.append((at.url, what))
    return Sitemap()


def _read(given: Fetched) -> Sitemap:
    if given.media_type == "text/html":
        raise ValueError("no sitemap")
    return sitemap(given.body)
