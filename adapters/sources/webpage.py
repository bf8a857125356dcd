"""What a page says to a visitor rather than to a reader: links, its canonical address, whether it wants to be found.

Pure, bytes in; the words of the page are read by whoever parses documents, in processes of their own. What is done
here is done in ours, so it is bounded: so much of a page, so many links, and nothing that takes more than linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adapters.sources.charsets import beginning
from adapters.sources.tags import tags
from core.web.addresses import LONGEST, Address, joined

MOST = 2**21
"""Bytes of a page that are looked at for links; long pages of words have some hundred thousand."""

MOST_LINKS = 5000
_MOST_LETTERS = 2**19
"""In all links of a page together."""

_REFRESH = re.compile(r"\s*(\d{1,9})\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'>]+)", re.IGNORECASE)
_WANTED = {
    "base": frozenset({"href"}),
    "meta": frozenset({"name", "content", "http-equiv"}),
    "link": frozenset({"rel", "href"}),
    "a": frozenset({"rel", "href"}),
    "area": frozenset({"rel", "href"}),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """The addresses a page leads to, the one it calls its own, and whether it may be listed.

    A page that sends its reader on at once has no words of its own. `whole` is False where it may lead further.
    """

    links: tuple[Address, ...] = ()
    canonical: Address | None = None
    listed: bool = True
    whole: bool = True


def look(data: bytes, url: str, charset: str = "", robots: str = "") -> Seen:
    """What the page at `url` says; `charset` and `robots` are from its headers. Never raises for a broken page."""
    said = _Said(set(_words(robots)))
    for name, values in tags(beginning(data, charset, MOST).replace("\0", ""), _WANTED):
        said.take(name, values)
    named = joined(url, said.base)
    base = named.url if named is not None else url
    onward = joined(base, said.refresh) if said.refresh else None
    follow = said.asked.isdisjoint({"nofollow", "none"})
    found: dict[str, Address] = {}
    for at in (joined(base, href) for href in said.links if follow):
        if at is not None:
            found.setdefault(at.key, at)
    return Seen(
        tuple(dict.fromkeys([*([onward] if onward else []), *found.values()])),
        joined(base, said.canonical) if said.canonical else None,
        onward is None and said.asked.isdisjoint({"noindex", "none"}),
        not follow or (len(data) <= MOST and said.whole),
    )


@dataclass
class _Said:
    """What the tags said so far, in their own words."""

    asked: set[str]
    base: str = ""
    refresh: str = ""
    canonical: str = ""
    whole: bool = True
    links: dict[str, None] = field(default_factory=dict)
    room: int = _MOST_LETTERS

    def take(self, name: str, values: dict[str, str]) -> None:
        if name == "meta":
            self._meta(values)
            return
        href = values.get("href", "").partition("#")[0].strip()
        rel = values.get("rel", "").lower().split()
        if not href or len(href) > LONGEST:
            return
        if name == "base":
            self.base = self.base or href
        elif name == "link":
            self.canonical = self.canonical or (href if "canonical" in rel else "")
        elif "nofollow" not in rel and href not in self.links:
            self._link(href)

    def _link(self, href: str) -> None:
        self.room -= len(href)
        self.whole = self.whole and self.room >= 0 and len(self.links) < MOST_LINKS
        if self.whole:
            self.links[href] = None

    def _meta(self, values: dict[str, str]) -> None:
        content = values.get("content", "")
        if values.get("name", "").lower() in ("robots", "refdesk"):
            self.asked.update(_words(content))
        if not self.refresh and values.get("http-equiv", "").lower() == "refresh":
            found = _REFRESH.match(content)
            self.refresh = found[2] if found and int(found[1]) <= 5 else ""


def _words(text: str) -> list[str]:
    return text.lower().replace(",", " ").replace(";", " ").split()
