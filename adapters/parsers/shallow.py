"""HTML without what only broken and hostile pages have: thousands of tags inside one another, miles of blanks.

Whoever reads a tree takes time and stack for its depth. The words stay, tags beyond the depth go. Pure.
"""

from __future__ import annotations

import re

DEEPEST = 200
"""Tags inside one another; pages that people made have some dozens."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>")
_BLANKS = re.compile(r"(\s)\s{199,}")
# These end by themselves, or hold nothing: however many there are, they don't nest.
_FLAT = frozenset(
    (
        *("area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p"),
        *("param", "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr"),
    )
)


def shallow(html: str) -> str:
    """The page at a depth that can be read."""
    if _depth(html) > DEEPEST:
        html = _cut(html)
    return _BLANKS.sub(lambda run: "\n" if "\n" in run[0] else run[1], html)


def _depth(html: str) -> int:
    """How deep the tags go; unclosed ones count on."""
    depth = deepest = 0
    for tag in _TAG.finditer(html):
        depth = _after(tag, depth)
        deepest = max(deepest, depth)
    return deepest


def _cut(html: str) -> str:
    parts: list[str] = []
    depth = at = 0
    for tag in _TAG.finditer(html):
        before, depth = depth, _after(tag, depth)
        if max(before, depth) > DEEPEST and before != depth:
            parts += html[at : tag.start()], " "
            at = tag.end()
    return "".join([*parts, html[at:]])


def _after(tag: re.Match[str], depth: int) -> int:
    if tag[2].lower() in _FLAT or tag[0].endswith("/>"):
        return depth
    return max(0, depth - 1) if tag[1] else depth + 1
