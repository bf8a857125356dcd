"""What a site asks of robots in its robots.txt: which paths, how fast, where its sitemaps are. Pure (RFC 9309).

The longest rule that matches decides, allowing wins a tie, ``*`` and ``$`` are understood. Python's own reader
takes the first rule that matches and knows no wildcards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

LIMIT = 500 * 1024
"""Bytes that are read of a robots.txt."""

_MOST_RULES = 2000
"""Each link of a page is held against each rule; what people write has some hundred."""

_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#\r\n]*)")


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules for one robot: (allowed, pattern), the seconds between two requests, and the site's sitemaps."""

    rules: tuple[tuple[bool, str], ...] = ()
    delay: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, path: str) -> bool:
        """Whether the path (with its query, from ``/`` on) may be asked for."""
        wanted = _normal(path)
        matching = [(len(pattern), allowed) for allowed, pattern in self.rules if _matches(pattern, wanted)]
        return max(matching)[1] if matching else True


def robots(text: str, robot: str) -> Robots:
    """The rules for `robot` (lower case): of the groups that name it, else of those for everybody."""
    groups = list(_groups(text))
    chosen = [body for names, body in groups if any(robot.startswith(name) for name in names if name != "*")]
    if not chosen:
        chosen = [body for names, body in groups if "*" in names]
    rules = [rule for body in chosen for rule in _rules(body)]
    delays = [_seconds(value) for body in chosen for key, value in body if key == "crawl-delay"]
    sitemaps = [value for key, value in _lines(text) if key == "sitemap" and value]
    return Robots(tuple(rules[:_MOST_RULES]), max(delays, default=0.0), tuple(dict.fromkeys(sitemaps)))


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for line in text.removeprefix("\ufeff").splitlines():
        if match := _LINE.match(line):
            yield match[1].lower(), match[2].strip()


def _groups(text: str) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """The robots each group is for, and its lines."""
    names: list[str] = []
    body: list[tuple[str, str]] = []
    for key, value in _lines(text):
        if key == "user-agent":
            if body:
                yield names, body
                names, body = [], []
            names.append(value.lower().partition("/")[0] or "-")
        elif names and key != "sitemap":
            body.append((key, value))
    if names:
        yield names, body


def _rules(body: Iterable[tuple[str, str]]) -> Iterator[tuple[bool, str]]:
    for key, value in body:
        if key in ("allow", "disallow") and value:  # an empty rule says nothing
            yield key == "allow", _normal(value)


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and found > 0 else 0.0


def _normal(path: str) -> str:
    """One spelling of percent signs."""
    return quote(unquote(path, errors="surrogateescape"), safe="/*$?=&;:@!'(),+~#[]", errors="surrogateescape")


def _matches(pattern: str, path: str) -> bool:
    """Piece by piece between the stars: no pattern can keep anybody waiting."""
    ends = pattern.endswith("$")
    first, *rest = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for place, piece in enumerate(rest):
        if ends and place == len(rest) - 1:
            return path.endswith(piece) and len(path) - len(piece) >= at
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return at == len(path) if ends else True
