"""Which pages of a site are wanted: below its start, by their names, and allowed to robots. Asks for none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from adapters.sources.choosing import matcher
from adapters.sources.naming import folder_key
from core.web.addresses import Address
from core.web.robots import Robots

_NO_PAGES = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".mjs", ".map", ".woff", ".woff2"),
    *(".mp4", ".mp3", ".webm", ".zip", ".gz", ".tar", ".tgz", ".exe", ".dmg", ".jar", ".xml", ".json", ".rss", ".atom"),
)

Discover = Literal["auto", "sitemap", "links"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Which pages: how they are found, which names, how many, how deep from the start, how long and how much in all."""

    discover: Discover = "auto"
    sitemap: str = ""
    include: tuple[str, ...] = ("**/*",)
    exclude: tuple[str, ...] = ()
    pages: int = 2000
    depth: int = 10
    seconds: float = 1800.0
    bytes: int = 2**30


@dataclass
class Bounds:
    """What the rules and the site's robots.txt say of an address."""

    start: Address
    rules: Rules
    robots: Robots = field(default_factory=Robots)

    def __post_init__(self) -> None:
        self._include, self._exclude = matcher(self.rules.include), matcher(self.rules.exclude)
        self.root = folder_key(self.start)

    def document(self, at: Address) -> bool:
        """Whether somebody wants it as a document."""
        return self._include(self._name(at))

    def page(self, at: Address) -> bool:
        """Whether it may be asked for: it could be a document, or lead to one."""
        return self.redirect(at) and not urlsplit(at.url).path.lower().endswith(_NO_PAGES)

    def redirect(self, at: Address) -> bool:
        """Whether one may be led there, whatever it is called."""
        return self._within(at) and not self._exclude(self._name(at)) and self.allowed(at)

    def allowed(self, at: Address) -> bool:
        """Whether robots may ask for it."""
        return self.robots.allows("/" + at.url.partition("://")[2].partition("/")[2])

    def _within(self, at: Address) -> bool:
        return at.key == self.root or at.key.startswith((f"{self.root}/", f"{self.root}?"))

    def _name(self, at: Address) -> str:
        """The address below the start, for the patterns."""
        return at.key[len(self.root) :].lstrip("/") or "index.html"
