"""What a page says to a visitor rather than to a reader: links, its canonical address, whether it wants to be found.

Pure, bytes in; the words of the page are read by whoever parses documents.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.web.addresses import Address, joined

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_META = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_REFRESH = re.compile(r"\s*(\d+)\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'>]+)", re.IGNORECASE)
_MOST_LINKS = 5000
# A server says these of everything when nobody has set it up.
_MEANINGLESS = {"iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "windows-1252"}


@dataclass(frozen=True, slots=True)
class Seen:
    """The addresses a page leads to, the one it calls its own, and whether it may be listed.

    A page that sends its reader on at once has no words of its own.
    """

    links: tuple[Address, ...] = ()
    canonical: Address | None = None
    listed: bool = True


def look(data: bytes, url: str, charset: str = "", robots: str = "") -> Seen:
    """What the page at `url` says; `charset` and `robots` are from its headers. Never raises for a broken page."""
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(encoding="utf-8", no_network=True, huge_tree=False)
    text = _text(data, charset).replace("\0", "")
    try:
        root = lxml.html.document_fromstring(text.encode(), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return Seen(listed="noindex" not in robots)
    named = joined(url, next((str(tag.get("href") or "") for tag in root.iter("base")), ""))
    base = named.url if named is not None else url
    asked = robots + " " + " ".join(_metas(root, "robots") + _metas(root, "refdesk"))
    onward = _refreshed(root, base)
    links = [] if "nofollow" in asked or "none" in asked.split() else _links(root, base)
    return Seen(
        tuple(dict.fromkeys([*([onward] if onward else []), *links])),
        _canonical(root, base),
        onward is None and not ("noindex" in asked or "none" in asked.split()),
    )


def readable(data: bytes, charset: str) -> bytes:
    """The page with what its headers say of its encoding written into it: the file alone must tell."""
    if charset in _MEANINGLESS or charset in ("", "utf-8", "utf8") or data.startswith(codecs.BOM_UTF8):
        return data
    try:
        return codecs.BOM_UTF8 + data.decode(_usual(charset)).encode()
    except (LookupError, UnicodeError):
        return data


def _usual(charset: str) -> str:
    return "cp949" if charset in ("euc-kr", "ks_c_5601-1987", "ksc5601") else charset


def _text(data: bytes, charset: str) -> str:
    """Good enough for addresses: a letter read wrongly is in no link that leads anywhere."""
    declared = _META.search(data[:4096])
    for name in (charset if charset not in _MEANINGLESS else "", declared[1].decode("ascii") if declared else ""):
        try:
            if name:
                return data.decode(_usual(name.lower()))
        except (LookupError, UnicodeError):
            continue
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp949", errors="replace")


def _metas(root: HtmlElement, name: str) -> list[str]:
    named = (tag for tag in root.iter("meta") if str(tag.get("name") or "").lower() == name)
    return [str(tag.get("content") or "").lower().replace(",", " ") for tag in named]


def _refreshed(root: HtmlElement, base: str) -> Address | None:
    for tag in root.iter("meta"):
        if str(tag.get("http-equiv") or "").lower() == "refresh":
            found = _REFRESH.match(str(tag.get("content") or ""))
            if found and int(found[1][:3]) <= 5:
                return joined(base, found[2])
    return None


def _canonical(root: HtmlElement, base: str) -> Address | None:
    for tag in root.iter("link"):
        if "canonical" in str(tag.get("rel") or "").lower().split() and tag.get("href"):
            return joined(base, str(tag.get("href")))
    return None


def _links(root: HtmlElement, base: str) -> list[Address]:
    found: dict[str, Address] = {}
    for tag in root.iter("a", "area"):
        href = tag.get("href")
        if not href or "nofollow" in str(tag.get("rel") or "").lower().split() or len(found) >= _MOST_LINKS:
            continue
        at = joined(base, str(href))
        if at is not None:
            found.setdefault(at.key, at)
    return list(found.values())
