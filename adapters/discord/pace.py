"""How fast Discord is asked: fifty requests a second for one bot in all, of which a few are left to who else asks.

Commands and buttons are answered beside that limit (developers/topics/rate-limits, "Global Rate Limit"). What nobody
waits for – a draft, the sign that we type – is left out as soon as there is no room for all of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import aiohttp
from aiolimiter import AsyncLimiter

AT_ONCE, A_SECOND = 5, 42
"""In no second more than both together: 47 of Discord's 50."""

_BESIDE = ("/webhooks/", "/interactions/")


@dataclass(frozen=True, slots=True)
class Pace:
    """One bot's requests, in the order in which they were wished for."""

    _limiter: AsyncLimiter = field(default_factory=lambda: AsyncLimiter(AT_ONCE, AT_ONCE / A_SECOND))

    @property
    def is_easy(self) -> bool:
        """Whether there is room for what can be left out."""
        return self._limiter.has_capacity(AT_ONCE - 1)

    async def asked(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestStartParams
    ) -> None:
        """A request waits for its turn: what aiohttp calls before it sends one."""
        path = about.url.path
        if path.startswith("/api/") and not any(each in path for each in _BESIDE):
            await self._limiter.acquire()
