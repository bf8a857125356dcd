"""A sitemap's addresses: pages and further sitemaps, from XML, gzipped XML or plain lines. Pure.

Read as a stream without entities, so that neither a bomb nor a huge file costs more than its own length.
"""

from __future__ import annotations

import io
import zlib
from dataclasses import dataclass

from core.web.addresses import Address, address

LIMIT = 50 * 2**20
"""Bytes of a sitemap, unpacked: what its standard allows."""

MOST = 50_000
"""Addresses of one sitemap: the same."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one sitemap names."""

    pages: tuple[Address, ...] = ()
    sitemaps: tuple[Address, ...] = ()


def sitemap(data: bytes) -> Sitemap:
    """The addresses in reading order; raises ValueError for what is no sitemap."""
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data)
    start = data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if start != b"<":
        return Sitemap(_known(data.decode("utf-8", "replace").splitlines()))
    return _from_xml(data)


def _unpacked(data: bytes) -> bytes:
    machine = zlib.decompressobj(31)
    try:
        whole = machine.decompress(data, LIMIT + 1)
    except zlib.error as error:
        raise ValueError("broken compression") from error
    if len(whole) > LIMIT:
        raise ValueError("too large")
    return whole


def _from_xml(data: bytes) -> Sitemap:
    from lxml import etree

    found: dict[str, list[str]] = {"url": [], "sitemap": []}
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False, "recover": True}
    try:
        for _, element in etree.iterparse(io.BytesIO(data), events=("end",), **options):
            name, parent = _name(element), element.getparent()
            if name == "loc" and parent is not None and _name(parent) in found:
                found[_name(parent)].append((element.text or "").strip())
            elif name in found:
                element.clear()
                while element.getprevious() is not None and parent is not None:
                    del parent[0]
            if len(found["url"]) + len(found["sitemap"]) >= MOST:
                break
    except etree.LxmlError as error:
        raise ValueError("no XML") from error
    if not found["url"] and not found["sitemap"] and not data.lstrip()[:500].lower().count(b"<urlset"):
        raise ValueError("no sitemap")
    return Sitemap(_known(found["url"]), _known(found["sitemap"]))


def _name(element: object) -> str:
    tag = getattr(element, "tag", "")
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _known(lines: list[str]) -> tuple[Address, ...]:
    found = filter(None, (address(line.partition("#")[0]) for line in lines[:MOST]))
    return tuple(dict.fromkeys(at for at in found if "/../" not in at.url))
