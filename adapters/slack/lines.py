"""Staying connected by Socket Mode: a new connection before the old one is given up, whatever the reason.

A connection that looks open may be deaf, and Slack's pings don't tell: only messages do. So one that has brought
nothing for some minutes is replaced too; where nobody says anything that costs one call, and where somebody does,
Slack's own repetition of what was not acknowledged finds the new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from adapters.slack.line import Line
from core.errors import UpstreamError
from core.pulse import Pulse

log = logging.getLogger(__name__)

PAUSES = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between tries to connect; the last for as long as it takes. Slack gives out about one ticket a minute for
long, and more for a short while."""

SHORT = 10.0
"""Seconds that a connection has to last for the next one to be made without a pause."""


@dataclass(eq=False)
class Lines:
    """A connection to Slack for as long as it is open. `line` makes one that is not open yet.

    `quiet` are the seconds without a message after which a connection counts as deaf, `grace` those that an old
    connection may still take to finish what came over it.
    """

    line: Callable[[], Line]
    pulse: Pulse
    quiet: float = 180.0
    grace: float = 3.0
    pauses: Sequence[float] = PAUSES
    _current: Line | None = None
    _task: asyncio.Task[None] | None = None
    _retiring: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._current = await self._connected()
        self._task = asyncio.create_task(self._kept(), name="slack lines")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Take nothing new, and finish what came in."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for task in self._retiring:
            task.cancel()
        if self._current is not None:
            await self._current.close(self.grace)
        await asyncio.gather(*self._retiring, return_exceptions=True)
        self.pulse.connected = False

    async def _connected(self) -> Line:
        """A new connection. Raises SlackRefused, UpstreamError."""
        line = self.line()
        await line.open()
        self.pulse.up()
        return line

    async def _kept(self) -> None:
        hasty = 0
        while True:
            line, since = self._current, self.pulse.now()
            assert line is not None
            reason = await self._lost(line)
            hasty = hasty + 1 if self.pulse.now() - since < SHORT else 0
            if reason != "quiet":
                log.info("the connection to Slack is replaced: %s", reason)
            self._current = await self._again(line, hasty)
            self.pulse.rebuilt += 1
            self._retire(line)

    async def _lost(self, line: Line) -> str:
        """Why it has to be replaced, once it has to."""
        since = self.pulse.now()
        while not line.ended.is_set():
            last = max(since, self.pulse.heard_at or 0.0)
            left = last + self.quiet - self.pulse.now()
            if left <= 0:
                return "quiet"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await line.ended.wait()
        return line.reason

    async def _again(self, old: Line, hasty: int) -> Line:
        """Another connection, however long it takes; the old one goes on hearing as long as it can."""
        for number in itertools.count(hasty):
            pause = self.pauses[min(number, len(self.pauses) - 1)]
            await asyncio.sleep(pause * random.uniform(0.8, 1.2))  # noqa: S311 - so that not all come at once
            try:
                return await self._connected()
            except UpstreamError as error:
                self._failed(error, old)
            except Exception as bug:  # whatever it is, the next try may do: who stops trying is deaf for good
                log.exception("a connection to Slack could not be made")
                self._failed(UpstreamError("error.slack_down", detail=repr(bug)), old)
        raise AssertionError("unreachable")

    def _failed(self, error: UpstreamError, old: Line) -> None:
        """Told loudly once, with what to do, and then no more until something changes."""
        if old.is_open:
            log.warning("no new connection to Slack yet: %s", error)
        elif self.pulse.down(error):
            log.error("not connected to Slack: %s (%s)", error.user_message("en"), error)

    def _retire(self, line: Line) -> None:
        task = asyncio.create_task(line.retire(self.grace), name="slack line, retired")
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)
