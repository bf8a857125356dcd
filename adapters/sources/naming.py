"""What a page of a site is called: one document, however it is spelled and from wherever it is reached. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adapters.sources.pages import Kept
from adapters.sources.webpage import Seen
from core.web.addresses import Address


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was given: `at` is where it stands after redirects."""

    at: Address
    kept: Kept
    seen: Seen

    @property
    def link(self) -> str:
        """The address as the page itself writes it, where it is only another spelling."""
        named = self.seen.canonical
        return named.url if named is not None and named.key == self.at.key else self.at.url


def id_of(at: Address) -> str:
    """What a page is called: its address without scheme, ``www.``, tracking and a slash at the end."""
    return at.key.removeprefix("//")


def folder_key(start: Address) -> str:
    """What all pages below the start begin with. An address that ends in a file stands for its folder."""
    key = start.key.partition("?")[0]
    head, _, last = key.rpartition("/")
    return head if "." in last and head.count("/") > 1 else key


def own(pages: Mapping[str, Page], root: str, key: str) -> str:
    """The page that speaks for this one: where its canonical addresses lead, as far as that was given."""
    chain = [key]
    while (target := _canonical(pages, root, chain[-1])) != chain[-1]:
        if target in chain:  # they point at one another: the first by name stands for all
            return min(chain[chain.index(target) :])
        chain.append(target)
    return chain[-1]


def _canonical(pages: Mapping[str, Page], root: str, key: str) -> str:
    named = pages[key].seen.canonical
    if named is None or named.key == root or named.key not in pages:
        return key  # a page that calls the start its own is a mistake of the site's
    return named.key if pages[named.key].seen.listed else key
