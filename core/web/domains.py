"""Which hosts the web may be searched on: the allow-list, the deny-list, and who lies below them. Pure.

A result counts only if this list admits it, whatever the search service was asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.web.addresses import address, host, is_ip


@dataclass(frozen=True, slots=True)
class Domains:
    """The hosts that may be searched: those allowed and their subdomains, never those denied.

    Made by `domains`. `allow_any` stands for every public name; IP addresses and bare machine names pass
    only where they are allowed by name.
    """

    allow: frozenset[str] = frozenset()
    deny: frozenset[str] = frozenset()
    allow_any: bool = False

    @property
    def open(self) -> bool:
        """Whether anything may be searched at all."""
        return self.allow_any or bool(self.allow)

    def admits(self, url: str) -> bool:
        """Whether a page of this address may be used."""
        found = address(url)
        return found is not None and self.admits_host(found.host)

    def admits_host(self, name: str) -> bool:
        """The same for a host as `core.web.addresses.host` gives it; deny beats allow."""
        if _listed(name, self.deny):
            return False
        return _listed(name, self.allow) or (self.allow_any and "." in name and not is_ip(name))


def domains(allow: Iterable[str] = (), deny: Iterable[str] = (), *, allow_any: bool = False) -> Domains:
    """The list from what people write; raises ValueError that says what can't be used and what to write."""
    return Domains(frozenset(map(_allowed, allow)), frozenset(map(domain, deny)), allow_any)


def domain(text: str) -> str:
    """One entry: a domain, with or without ``*.`` before it; subdomains are always meant too."""
    bare = text.strip().removeprefix("*.").removeprefix(".")
    inside = bare.removeprefix("[").removesuffix("]")
    found = host(inside) if inside else None
    if found is None:
        raise ValueError(f"{text!r} is not a domain; write it like docs.example.com, without https://, port or path")
    return found


def _allowed(text: str) -> str:
    found = domain(text)
    if "." not in found and not is_ip(found):
        raise ValueError(f"{text!r} would allow everything below it; name a whole domain, or write allow_any = true")
    return found


def _listed(name: str, entries: frozenset[str]) -> bool:
    """Whether the host or a domain above it is in the list; an IP address has nothing above it."""
    if name in entries:
        return True
    if is_ip(name):
        return False
    labels = name.split(".")
    return any(".".join(labels[place:]) in entries for place in range(1, len(labels)))
