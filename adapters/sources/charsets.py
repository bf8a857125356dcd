"""In what a page is written: what its server says, what it says itself, or what fits. Pure."""

from __future__ import annotations

import codecs
import re

_META = re.compile(rb"<meta[^>]{1,500}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
# A server says these of everything when nobody has set it up.
_MEANINGLESS = {"iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "windows-1252"}
# Python knows them as encodings, no page is written in one, and the time of some grows with the square of the length.
_NO_PAGES = {"punycode", "idna", "unicode-escape", "raw-unicode-escape", "utf-7", "undefined"}


def readable(data: bytes, charset: str) -> bytes:
    """The page with what its headers say of its encoding written into it: the file alone must tell."""
    if charset in _MEANINGLESS or charset in ("", "utf-8", "utf8") or data.startswith(codecs.BOM_UTF8):
        return data
    try:
        return codecs.BOM_UTF8 + _decoded(data, charset).encode()
    except (LookupError, UnicodeError):
        return data


def beginning(data: bytes, charset: str, most: int) -> str:
    """So much of the page as text, good enough for addresses: a letter read wrongly is in no link that leads on."""
    if len(data) > most:  # to the end of a tag: half a letter would speak against the right encoding
        data = data[: data.rfind(b">", 0, most) + 1]
    declared = _META.search(data[:4096])
    for name in (charset if charset not in _MEANINGLESS else "", declared[1].decode("ascii") if declared else ""):
        try:
            if name:
                return _decoded(data, name.lower())
        except (LookupError, UnicodeError):
            continue
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp949", errors="replace")


def _decoded(data: bytes, charset: str) -> str:
    name = codecs.lookup("cp949" if charset in ("euc-kr", "ks_c_5601-1987", "ksc5601") else charset).name
    if name in _NO_PAGES:
        raise LookupError(name)
    return data.decode(name)
