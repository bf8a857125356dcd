"""Mentions in an answer wake nobody: what a platform would turn into a call stays readable and loses its power.

A retrieved text may ask a writer to call a whole channel, and a document's title may hold such a call. Pure
text; adapters besides ask their platforms to allow none.
"""

from __future__ import annotations

import re

from core.links import strip_foreign_links

_EVERYBODY = r"(?:everyone|here|channel|all)"
_CALL = re.compile(
    rf"(?P<address>[a-z][a-z0-9+.-]{{0,30}}://[^\s<>]*)"
    rf"|<(?:!(?P<group>\w+)|[@#]|@[!&]|!)[^<>\n|]{{0,80}}(?:\|(?P<label>[^<>\n]{{0,80}}))?>"
    rf"|[@＠﹫](?=[\u200b-\u200f\u2060\ufeff]*{_EVERYBODY}(?![\w-]|\.\w))",
    re.IGNORECASE,
)
_OPEN = re.compile(r"[@＠﹫][\w\u200b-\u200f\u2060\ufeff]*$|<[!@#][^<>\n]{0,160}$")
_BETWEEN = "\u200b"


def quiet(text: str) -> str:
    """The text with every mention made harmless; an address keeps its way, written so that none is read in it."""
    for _ in range(3):  # taking one out may bring another together
        calmed = _CALL.sub(_calmed, text)
        if calmed == text:
            break
        text = calmed
    return text


def quiet_so_far(text: str) -> str:
    """The same for a text that goes on: half a mention waits for its rest."""
    while _OPEN.search(text := quiet(text)):
        text = _OPEN.sub("", text).rstrip()
    return text


def plain_name(text: str) -> str:
    """A document's title as it may stand in an answer: no link, no mention."""
    return quiet(strip_foreign_links(text, ())).strip()


def _calmed(match: re.Match[str]) -> str:
    if match["address"]:
        return re.sub(rf"@(?={_EVERYBODY}\b)", "%40", match["address"], flags=re.IGNORECASE)
    if not match.group().startswith("<"):
        return match.group() + _BETWEEN if not match.string[match.end() :].startswith(_BETWEEN) else match.group()
    told = match["label"] or (match["group"] if re.fullmatch(_EVERYBODY, match["group"] or "", re.IGNORECASE) else "")
    return "@" + _BETWEEN + told.lstrip("@") if told else ""
