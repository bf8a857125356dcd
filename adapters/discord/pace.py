"""How fast Discord is asked: fifty requests a second for one bot in all, of which a few are left to who else asks.

Commands and buttons are answered beside that limit (developers/topics/rate-limits, "Global Rate Limit"). What nobody
waits for – a draft, the sign that we type – is left out as soon as there is no room for all of it. Where the limit is
hit all the same, because another process asks with the same token, nothing is asked until it is over.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from types import SimpleNamespace

import aiohttp
from aiolimiter import AsyncLimiter
from discord.http import Route
from yarl import URL

AT_ONCE, A_SECOND = 5, 42
"""In no second more than both together: 47 of Discord's 50."""

SPARED = 20
"""Of them a second, at most, for what can be left out."""

_BESIDE = ("/webhooks/", "/interactions/")


@dataclass(slots=True)
class Pace:
    """One bot's requests, in the order in which they were wished for."""

    _limiter: AsyncLimiter = field(default_factory=lambda: AsyncLimiter(AT_ONCE, AT_ONCE / A_SECOND))
    _shut_until: float = 0.0
    _spared_at: float = -1.0

    def spares(self) -> bool:
        """Whether there is room for one call that can be left out; who is told so makes it.

        Many may ask before the first of them has made it, so each takes its room here.
        """
        now = asyncio.get_running_loop().time()
        if self._shut_for() or now - self._spared_at < 1 / SPARED or not self._limiter.has_capacity(AT_ONCE - 1):
            return False
        self._spared_at = now
        return True

    async def asked(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestStartParams
    ) -> None:
        """A request waits for its turn: what aiohttp calls before it sends one."""
        if not _counts(about.url):
            return
        await self._limiter.acquire()
        while rest := self._shut_for():
            await asyncio.sleep(rest)
            await self._limiter.acquire()  # all that have waited come one after the other

    async def answered(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestEndParams
    ) -> None:
        """Whether the limit was hit: what aiohttp calls when there is an answer."""
        if rest := shut_for(about.response):
            self._shut_until = max(self._shut_until, asyncio.get_running_loop().time() + rest)

    def _shut_for(self) -> float:
        return max(0.0, self._shut_until - asyncio.get_running_loop().time())


def shut_for(answer: aiohttp.ClientResponse) -> float:
    """For how many seconds nothing more may be asked; 0 for an answer that does not say so."""
    if answer.status != 429 or "X-RateLimit-Global" not in answer.headers:
        return 0.0
    return float(answer.headers.get("Retry-After", 1))


def _counts(url: URL) -> bool:
    """Whether it is a call that counts: neither the gateway nor a file."""
    return url.path.startswith(URL(Route.BASE).path) and not any(each in url.path for each in _BESIDE)
