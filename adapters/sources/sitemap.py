"""A sitemap's addresses: pages and further sitemaps, from XML, gzipped XML or plain lines. Pure.

Looked through for the few tags that count instead of being read as XML: no tree, no entities, no attributes, so that
neither a bomb nor a huge file costs more than its own length.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from core.web.addresses import LONGEST, Address, address

LIMIT = 50 * 2**20
"""Bytes of a sitemap, unpacked: what its standard allows."""

MOST = 50_000
"""Addresses of one sitemap: the same."""

TOO_LARGE = "too large"

_MOST_TAGS = 1_000_000
_WINDOW = 2**18
"""Bytes that are searched at a time: a search lets nobody else have a turn."""
_LONGEST_TAG = 5100
_TAG = re.compile(
    rb"<(!--|!\[CDATA\[)|<(/?)(?:([\w.-]{1,40}):)?(urlset|sitemapindex|url|sitemap|loc)(?:[\s/][^<>]{0,5000})?>"
)
_TEXT = re.compile(rb"\s*(?:<!\[CDATA\[([^\]<>]{0,9000})|([^<>]{0,9000}))")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#[xX]([0-9a-fA-F]{1,5}));")
_SIGNS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENDS = {b"!--": b"-->", b"![CDATA[": b"]]>"}


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one sitemap names; not `whole` when it names more, or breaks off. `size` are its bytes, unpacked."""

    pages: tuple[Address, ...] = ()
    sitemaps: tuple[Address, ...] = ()
    whole: bool = True
    size: int = 0


def sitemap(data: bytes) -> Sitemap:
    """The addresses in reading order; raises ValueError for what is no sitemap."""
    if data.startswith(b"\x1f\x8b"):
        data = _unpacked(data)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.decode("utf-16", "replace").encode()
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    return _from_xml(data) if start == b"<" else _from_lines(data)


def _unpacked(data: bytes) -> bytes:
    machine = zlib.decompressobj(31)
    try:
        whole = machine.decompress(data, LIMIT + 1)
    except zlib.error as error:
        raise ValueError("broken compression") from error
    if len(whole) > LIMIT:
        raise ValueError(TOO_LARGE)
    return whole


def _from_lines(data: bytes) -> Sitemap:
    lines = list(islice(io.BytesIO(data), MOST + 1))
    return Sitemap(_known([line[: LONGEST + 1] for line in lines[:MOST]]), (), len(lines) <= MOST, len(data))


def _from_xml(data: bytes) -> Sitemap:
    if b"<!ENTITY" in data:
        raise ValueError("it defines entities")
    named: dict[bytes, list[bytes]] = {b"url": [], b"sitemap": []}
    around, closed = (b"", b""), False
    for tag in _tags(data):
        closing, prefix, name = bool(tag[2]), tag[3] or b"", tag[4]
        if name in (b"urlset", b"sitemapindex"):
            closed = closing or tag[0].endswith(b"/>")
        elif name in named:
            around = (b"", b"") if closing else (prefix, name)
        elif not closing and prefix == around[0] and around[1] in named:  # an image has a place of its own
            named[around[1]].append(_text(data, tag.end()))
        if len(named[b"url"]) + len(named[b"sitemap"]) > MOST:
            break
    if not (closed or named[b"url"] or named[b"sitemap"]):
        raise ValueError("no sitemap")
    pages, sitemaps = _known(named[b"url"][:MOST]), _known(named[b"sitemap"][:MOST])
    return Sitemap(pages, sitemaps, closed, len(data))


def _tags(data: bytes) -> Iterator[re.Match[bytes]]:
    """The tags that count, outside comments."""
    at = 0
    for _ in range(_MOST_TAGS):
        tag = _TAG.search(data, at, at + _WINDOW)
        if tag is None:
            at += _WINDOW - _LONGEST_TAG
        elif tag[1]:
            at = data.find(_ENDS[tag[1]], tag.end())
        else:
            yield tag
            at = tag.end()
        if not 0 <= at < len(data):
            return


def _text(data: bytes, at: int) -> bytes:
    found = _TEXT.match(data, at)
    return (found[1] or found[2] or b"").strip() if found else b""


def _known(lines: list[bytes]) -> tuple[Address, ...]:
    texts = (_ENTITY.sub(_sign, line.decode("utf-8", "replace")) for line in dict.fromkeys(lines))
    found = filter(None, (address(text.partition("#")[0]) for text in texts))
    return tuple(dict.fromkeys(at for at in found if "/../" not in at.url))


def _sign(entity: re.Match[str]) -> str:
    return _SIGNS[entity[1]] if entity[1] else chr(int(entity[2]) if entity[2] else int(entity[3], 16))
