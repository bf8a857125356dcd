"""The words of a page without what is none of them: hidden signs, scripts, menus, links that lead elsewhere. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from email.utils import parsedate_to_datetime

from core.indexing.blocks import fenced
from core.indexing.text import normalise
from core.links import links_in, strip_foreign_links
from core.web.addresses import Address, address

TITLE = 200
"""Characters of a title."""

_WIDEST = 4
"""So many times the limit is looked at: menus and markup are taken out before a page is cut to it."""

# Signs that nobody sees and a model reads: tags and variation selectors can spell out whole sentences.
_HIDDEN = re.compile("[\U000e0000-\U000e0fff\u2061-\u2064\u180e\u3164\uffa0\u115f\u1160]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(
    r"<(script|style|noscript|template|svg)\b[^>]{0,500}>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\]\((?:[^()\n]|\([^()\n]*\))*+\)")
_DATA = re.compile(r"data:[\w.+/-]{0,60};base64,[A-Za-z0-9+/=]*", re.IGNORECASE)
_LINKS_ONLY = re.compile(r"[\s*+|>·•/,\-–—]*(?:\[[^\]\n]{0,120}\]\([^()\n]*\)[\s*+|>·•/,\-–—]*)+")
_CHROME = re.compile(
    r"[\s*+>#-]*(?:skip to (?:main )?content|accept (?:all )?cookies|cookie (?:settings|preferences)|sign (?:in|up)"
    r"|log ?in|subscribe|share(?: this)?|tweet|menu|search|back to top|table of contents|print|copy link"
    r"|본문 ?(?:으로 )?바로가기|메뉴|검색|로그인|회원가입|공유하기|목차|맨 ?위로|쿠키 설정)[\s.!:…]*",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\n{3,}")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_IN_PATH = re.compile(r"/(20\d{2})[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=[/_.-]|$)")
_REPEATED = 3


def clean(text: str, limit: int, may_link: Callable[[Address], bool]) -> str:
    """At most `limit` characters of Markdown, cut at the end of a line where there is one.

    Only addresses that `may_link` stay: an address that a page wants to see posted must not come to stand
    among those that were retrieved.
    """
    text = normalise(_HIDDEN.sub("", text[: _WIDEST * limit]))
    for markup in (_COMMENT, _SCRIPT, _DATA, _IMAGE):
        text = markup.sub("", text)
    text = _BLANKS.sub("\n\n", "\n".join(_own_lines(text.split("\n")))).strip()
    text = _shortened(text, limit)
    known = {url: address(url) for url in links_in(text)}
    return strip_foreign_links(text, {url for url, at in known.items() if at and may_link(at)}).strip()


def clean_title(text: str) -> str:
    """One line of at most 200 characters, without markup that a reply could render."""
    flat = " ".join(normalise(_HIDDEN.sub("", text[: 4 * TITLE])).split())
    flat = "".join(filter(str.isprintable, strip_foreign_links(flat, ()))).strip()
    return flat if len(flat) <= TITLE else flat[: TITLE - 1].rstrip() + "…"


def published(text: str, at: Address) -> date | None:
    """The day a service says the page is of, else the one in its path (``/2026/03/15/``)."""
    match = _ISO.match(text.strip()) or None
    if match is None and text.strip():
        try:
            return parsedate_to_datetime(text.strip()).date()
        except (ValueError, TypeError, IndexError, OverflowError):
            pass
    match = match or _IN_PATH.search(at.url)
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


def _own_lines(lines: list[str]) -> list[str]:
    """Without menus, buttons, and lines that stand on the page again and again; code stays as it is."""
    counts = Counter(map(str.strip, lines))
    seen: set[str] = set()
    kept = []
    for line, code in zip(lines, fenced(lines), strict=True):
        bare = line.strip()
        again = bare in seen and counts[bare] > _REPEATED and any(map(str.isalpha, bare))
        if code or not (again or _is_chrome(bare)):
            kept.append(line.rstrip())
        seen.add(bare)
    return kept


def _is_chrome(line: str) -> bool:
    return bool(line) and len(line) < 2000 and bool(_CHROME.fullmatch(line) or _LINKS_ONLY.fullmatch(line))


def _shortened(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    end = max(text.rfind("\n", limit // 2, limit), text.rfind(" ", limit * 9 // 10, limit))
    return text[: end if end > 0 else limit].rstrip()
