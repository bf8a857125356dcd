"""Addresses of web pages: which host they really lead to, and when two are the same page. Pure.

Strict on purpose: where a browser and a parser could disagree about the host, the address is none.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urldefrag, urlencode, urljoin, urlsplit, urlunsplit

LONGEST = 2000
"""Characters of an address; a longer one is no page that anybody would cite."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_ODD = re.compile(r"[\s\\\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]")
_DOTS = re.compile("[\u3002\uff0e\uff61]")
# Old and new rules for international names make different hosts of these, so nobody can say where they lead.
_DEVIATING = re.compile("[\u00df\u1e9e\u03c2\u200c\u200d]")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
# A browser reads a host that ends in a number as an IPv4 address, however it is written (127.1, 0x7f000001).
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid|igshid|ref_src|_hs\w+", re.IGNORECASE)
_KEPT = "/:@!$&'()*+,;=-._~%"
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_LETTERS = re.compile("[A-Za-z]?(?:%[89A-F][0-9A-F])+")


@dataclass(frozen=True, slots=True)
class Address:
    """A page's address: `url` to show and follow, `host` in ASCII, and `key`, equal for one page's addresses."""

    url: str
    host: str
    key: str


def address(text: str) -> Address | None:
    """The address, or None for anything but a plain http(s) page: other schemes, user names, doubtful hosts."""
    text = text.strip()
    if not text or len(text) > LONGEST or _ODD.search(text):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or "@" in parts.netloc or not text[len(scheme) :].startswith("://"):
        return None
    name = host(parts.hostname or "")
    if name is None or (parts.netloc.endswith(":") and port is None):
        return None
    shown = f"[{name}]" if ":" in name else name
    netloc = shown if port in (None, _DEFAULT_PORTS[scheme]) else f"{shown}:{port}"
    path, query = _escaped(parts.path) or "/", _escaped(parts.query, also="?")
    url = urlunsplit((scheme, netloc, path, query, _escaped(parts.fragment, also="?")))
    return Address(url, name, _key(netloc, path, query))


def joined(base: str, link: str) -> Address | None:
    """The page that a link on the page at `base` leads to, without its fragment; None as for `address`.

    A path that climbs about (``/../``) is no page's name either.
    """
    try:
        at = address(urldefrag(urljoin(base, link.strip()))[0])
    except ValueError:
        return None
    return None if at is None or "/../" in at.url or "/./" in at.url else at


def host(name: str) -> str | None:
    """A host in lower-case ASCII without the dot at its end; None when it is none. IP addresses are hosts."""
    if ":" in name:
        return _ipv6(name)
    name = _DOTS.sub(".", unicodedata.normalize("NFKC", name)).lower()
    if _DEVIATING.search(name):
        return None
    if not name.isascii():
        try:
            name = name.encode("idna").decode("ascii").lower()
        except UnicodeError:
            return None
    name = name.removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    return _ipv4(name) if _NUMBER.fullmatch(labels[-1]) else name


def is_ip(name: str) -> bool:
    """Whether a host (as `host` gives it) is an IP address."""
    return ":" in name or _NUMBER.fullmatch(name.rsplit(".", 1)[-1]) is not None


def _ipv4(name: str) -> str | None:
    """Only in its usual form: the others exist to hide where they lead."""
    try:
        return str(ipaddress.IPv4Address(name))
    except ValueError:
        return None


def _ipv6(name: str) -> str | None:
    try:
        found = ipaddress.IPv6Address(name)
    except ValueError:
        return None
    return None if found.scope_id else str(found)


def _escaped(part: str, also: str = "") -> str:
    """Percent-encoded where it must be and nowhere else, so that one page has one spelling."""
    quoted = quote(part, safe=_KEPT + also)
    return _ESCAPE.sub(_unescape, re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", quoted))


def _unescape(match: re.Match[str]) -> str:
    sign = chr(int(match[1], 16))
    return sign if sign in _UNRESERVED else match[0].upper()


def _key(netloc: str, path: str, query: str) -> str:
    """Without what does not change the page: scheme, ``www.``, slash at the end, order, tracking, fragment."""
    asked = parse_qsl(query, keep_blank_values=True)
    kept = urlencode(sorted(pair for pair in asked if not _TRACKING.fullmatch(pair[0])))
    return urlunsplit(("", netloc.removeprefix("www."), _composed(path.rstrip("/")), _composed(kept), ""))


def _composed(part: str) -> str:
    """One page whichever way its name was typed: a Mac writes syllables and accents in pieces."""
    return _LETTERS.sub(_compose, part)


def _compose(run: re.Match[str]) -> str:
    try:
        return quote(unicodedata.normalize("NFC", unquote(run[0], errors="strict")))
    except UnicodeDecodeError:
        return run[0]
