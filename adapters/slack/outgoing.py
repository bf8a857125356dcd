"""Text of ours as Slack takes it: Markdown for a `markdown` block, lines of mrkdwn, plain words. Pure.

Slack reads its own ``<…>`` tokens in all of them, also in Markdown: a bracket that we did not write is escaped, and
Slack shows it as the sign it is. In Markdown ``&`` stays (there it is decoded for display and never read again as a
token, and an escaped one would break the address of a link).
"""

from __future__ import annotations

import re
import unicodedata

from core.markdown import breakable, plain
from core.markdown import split as split_markdown
from core.mentions import quiet

_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s|]+)>", re.IGNORECASE)
_QUOTE = re.compile(r"^([ \t]*(?:>[ \t]?)+)", re.MULTILINE)
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)([^\n]*?\S)\1")
_THIN = "\u200a"
"""A hair space: beside it a mark opens or closes, whatever letter follows."""


def markdown(text: str) -> str:
    """The text for a `markdown` block; nothing in it calls anybody."""
    calm = _ADDRESS.sub(r"\1", quiet(text))
    spaced = _STRONG.sub(_set_apart, calm)
    lines = spaced.split("\n")
    return "\n".join(_escaped_line(line) for line in lines)


def parts(text: str, limit: int) -> list[str]:
    """The text for `markdown` blocks of at most `limit` characters each, cut where Markdown allows it.

    One at least: Slack takes no block without words, and whoever asked is not left with nothing.
    """
    found = [escaped for part in split_markdown(text, limit) for escaped in _fitting(part, limit)]
    return [each for each in found if each.strip()] or ["…"]


def mrkdwn(text: str) -> str:
    """Plain words for a line of mrkdwn: no sign of them is read as a mark or a token."""
    escaped = quiet(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"(?<!\w)([*_~`])(?=\S)", "\u200b\\1", escaped)


def link(address: str, label: str) -> str:
    """A link in mrkdwn. `label` is plain words."""
    safe = address.replace("&", "&amp;").replace("<", "%3C").replace(">", "%3E").replace("|", "%7C")
    return f"<{safe.replace(' ', '%20')}|{mrkdwn(label).replace('|', '¦') or safe}>"


def fallback(text: str, limit: int) -> str:
    """What a notification shows of Markdown, at most `limit` characters."""
    return clipped(mrkdwn(plain(text)), limit)


def clipped(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis; no character and no escape is cut in two."""
    if len(text) <= limit:
        return text
    at = limit - 1
    while at > 0 and not (breakable(text, at) and _is_between_escapes(text, at)):
        at -= 1
    return text[:at].rstrip() + "…"


def _is_between_escapes(text: str, at: int) -> bool:
    return re.search(r"&[a-z]{0,3}$", text[max(0, at - 4) : at]) is None or text[at - 1] == ";"


def _fitting(part: str, limit: int) -> list[str]:
    """A part whose escapes made it too long is cut once more, before they are made."""
    escaped = markdown(part)
    if len(escaped) <= limit:
        return [escaped]
    return [each for half in split_markdown(part, max(1, len(part) // 2)) for each in _fitting(half, limit)]


def _escaped_line(line: str) -> str:
    quoted = _QUOTE.match(line)
    head = quoted[1] if quoted else ""
    return head + line[len(head) :].replace("<", "&lt;").replace(">", "&gt;")


def _set_apart(found: re.Match[str]) -> str:
    """Between a mark and a letter that touches it across a sign (``**"인용"**은``) a hair space lets it close."""
    text, inside = found.string, found[2]
    before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
    head = _THIN if _is_letter(before) and not _is_letter(inside[0]) else ""
    tail = _THIN if _is_letter(after) and not _is_letter(inside[-1]) else ""
    return f"{head}{found.group()}{tail}"


def _is_letter(sign: str) -> bool:
    return bool(sign) and unicodedata.category(sign)[0] in "LN"
