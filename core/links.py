"""Links in an answer: only those that were retrieved may stay.

An injected instruction may ask a writer to add a link or an image that carries data away when it is
rendered; so every destination that no retrieved passage holds is taken out, its label stays. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

from core.documents import Passage
from core.orders import sound

# Bounded or possessive throughout: a page of brackets must not keep anybody waiting.
_BARE = re.compile(r"[ \t]?(?:[a-z][a-z0-9+.-]{0,30}://|www\.)[^\s<>\"'`|\\]+", re.IGNORECASE)
_LABEL = r"(?:\\.|[^\[\]\\]|\[(?:\\.|[^\[\]\\]){0,500}+\]){0,500}+"
_INLINE = re.compile(
    rf"!?\[(?P<label>{_LABEL})\]\(\s*+(?P<to><[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*+)(?P<rest>[^()]*+)\)"
)
_DEFINITION = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:[ \t]*(?P<to>\S+).*$\n?", re.MULTILINE)
_ANGLE = re.compile(r"<(?P<to>[a-z][a-z0-9+.-]*:[^\s<>|]+)(?:\|(?P<label>[^<>\n]*))?>", re.IGNORECASE)
_HTML = re.compile(r"</?(?:a|img|iframe|script|link|object|embed|video|audio|source|form)\b[^>]*>", re.IGNORECASE)
_TRAILING = ".,;:!?)]}*_~…。，、"


def strip_foreign_links(text: str, allowed: Iterable[str]) -> str:
    """The text without links, images and addresses that are not among `allowed`; labels stay."""
    known = frozenset(map(_key, allowed))
    for _ in range(4):  # taking one out may bring another together
        stripped = _once(text, known)
        if stripped == text:
            break
        text = stripped
    return text


def retrieved_links(passages: Iterable[Passage]) -> frozenset[str]:
    """Every address that retrieval brought: the passages' own and those in their texts, up to the first order there.

    A text that tells the assistant what to do brings no addresses: the next thing it tells is to post one.
    """
    found: set[str] = set()
    for passage in passages:
        found.update([passage.link] if passage.link else [])
        found.update(links_in(sound(passage.text)))
    return frozenset(found)


def links_in(text: str) -> frozenset[str]:
    """Every address that stands in the text, bare or as the destination of a link."""
    bare = {_trimmed(match.group().strip()) for match in _BARE.finditer(text)}
    return frozenset(bare | {match.group("to").strip("<>") for match in _INLINE.finditer(text)})


def _once(text: str, known: frozenset[str]) -> str:
    def kept(whole: str, to: str, label: str) -> str:
        return whole if _is_known(to, known) else label

    text = _HTML.sub("", text)
    text = _DEFINITION.sub(lambda m: kept(m.group(), m["to"].strip("<>"), ""), text)
    text = _INLINE.sub(lambda m: kept(m.group(), m["to"].strip("<>"), m["label"]), text)
    text = _ANGLE.sub(lambda m: kept(m.group(), m["to"], m["label"] or ""), text)
    return _BARE.sub(lambda m: _bare(m.group(), known), text)


def _bare(found: str, known: frozenset[str]) -> str:
    address = _trimmed(found)
    return found if _is_known(address.strip(), known) else found[len(address) :]


def _trimmed(address: str) -> str:
    """Without the punctuation of the sentence around it; a bracket stays when it was opened inside."""
    while (
        address and address[-1] in _TRAILING and not (address[-1] == ")" and address.count("(") >= address.count(")"))
    ):
        address = address[:-1]
    return address


def _is_known(address: str, known: frozenset[str]) -> bool:
    return _key(address) in known


def _key(address: str) -> str:
    """Scheme and host in lower case, no fragment (it is never sent anywhere), no slash at the end."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return address
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path.rstrip("/"), parts.query, ""))
