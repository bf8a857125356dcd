"""The end of a run's time, which whoever asked may bring forward. Knows nothing of nodes."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Literal, Self


class Deadline:
    """A point of the event loop's clock. `stop` makes it now, and everything that waits under it ends.

    A run that is stopped ends like one whose time is up: with what it has, marked so.
    """

    def __init__(self, at: float) -> None:
        self._at = at
        self._stopped = False
        self._limits: set[Limit] = set()

    @property
    def at(self) -> float:
        """When the run has to end, in seconds of the loop's clock."""
        return self._at

    @property
    def why(self) -> Literal["deadline", "stopped"]:
        """What ends a run that reaches it."""
        return "stopped" if self._stopped else "deadline"

    @property
    def passed(self) -> bool:
        """Whether the time is up."""
        return asyncio.get_running_loop().time() >= self._at

    def limit(self, share: float | None = None, grace: float = 0.0) -> Limit:
        """At most `share` seconds of what is left (None: all of it), and `grace` seconds more."""
        now = asyncio.get_running_loop().time()
        until = self._at if share is None else min(self._at, now + share)
        return Limit(self._limits, until + grace, grace)

    def stop(self) -> None:
        """End the run now; call it in the event loop that the run is in."""
        if self._stopped:
            return
        self._stopped = True
        self._at = min(self._at, asyncio.get_running_loop().time())
        for limit in self._limits:
            limit.shorten(self._at)


class Limit:
    """An `asyncio.timeout` that a stop shortens. Raises TimeoutError as it does."""

    def __init__(self, running: set[Limit], until: float, grace: float) -> None:
        self._running = running
        self._grace = grace
        self._timeout = asyncio.timeout_at(until)

    def expired(self) -> bool:
        """Whether the time was up before the work was done."""
        return self._timeout.expired()

    def shorten(self, at: float) -> None:
        """End `grace` seconds after this moment."""
        if not self._timeout.expired():
            self._timeout.reschedule(at + self._grace)

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._running.add(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.discard(self)
        await self._timeout.__aexit__(kind, error, trace)
