"""Text of ours as Discord takes it: its Markdown, in which no link has a preview and nobody is called. Pure."""

from __future__ import annotations

import re

from core.indexing.text import one_line
from core.markdown import breakable, plain
from core.markdown import split as split_markdown
from core.mentions import quiet

_CODE = re.compile(
    r"(^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)|``.*?``|`[^`\n]*`)", re.S | re.M
)
_LINK = re.compile(r"!?\[(?P<label>[^\[\]\n]*)\]\((?P<url>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_BARE = re.compile(r"(?<![<(\w])(https?://[^\s<>]+[^\s<>.,;:!?)\]'\"”’*_])")
_WRAPPED = re.compile(r"\[[^\[\]\n]*\]\(<[^<>\n]*>\)")
_DEEP_HEADING = re.compile(r"^#{4,6}[ \t]+(.+?)[ \t#]*$", re.M)
_SIGNS = re.compile(r"([\\*_~`|\[\]<>])")


def markdown(text: str) -> str:
    """The text for a message: links without previews, mentions without power, headings that Discord knows."""
    pieces: list[str] = []
    at = 0
    for code in _CODE.finditer(text := quiet(text)):
        pieces += [_prose(text[at : code.start()]), code.group()]
        at = code.end()
    return "".join([*pieces, _prose(text[at:])])


def parts(text: str, limit: int) -> list[str]:
    """The text over as many messages as it needs."""
    return split_markdown(markdown(text), limit)


def words(text: str) -> str:
    """Plain words: no sign of them is read as a mark."""
    return _SIGNS.sub(r"\\\1", quiet(one_line(text)))


def link(address: str, label: str) -> str:
    """A link in an embed. `label` is plain words."""
    safe = re.sub(r"[\s()<>\"\\|]", lambda sign: f"%{ord(sign.group()):02X}", quiet(address))
    return f"[{words(label) or 'link'}]({safe})"


def name(text: str, limit: int) -> str:
    """What a thread is called after a question."""
    return clipped(quiet(one_line(plain(text))), limit).strip()


def clipped(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis; no character is cut in two."""
    if len(text) <= limit:
        return text
    at = limit - 1
    while at > 0 and (not breakable(text, at) or text[at - 1] == "\\"):
        at -= 1
    return text[:at].rstrip() + "…"


def _prose(text: str) -> str:
    headed = _DEEP_HEADING.sub(r"**\1**", text)
    linked = _LINK.sub(_linked, headed)
    pieces: list[str] = []
    at = 0
    for wrapped in _WRAPPED.finditer(linked):
        pieces += [_BARE.sub(r"<\1>", linked[at : wrapped.start()]), wrapped.group()]
        at = wrapped.end()
    return "".join([*pieces, _BARE.sub(r"<\1>", linked[at:])])


def _linked(found: re.Match[str]) -> str:
    """A masked link whose address is in angle brackets has no preview; what is no address is only its label."""
    label, url = found["label"] or found["url"], found["url"]
    return f"[{label}](<{url}>)" if url.startswith(("http://", "https://")) else found.group()
