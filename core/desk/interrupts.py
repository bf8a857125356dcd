"""Runs of this process that can be reached while they go on: to look at their lease at once, or to end early."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from core.errors import RefdeskError
from core.ports import TurnStops
from core.rag.deadline import Deadline

log = logging.getLogger(__name__)

LOOK = 3.0
"""Seconds between looks whether another process was asked to stop a turn; most runs are over before the first."""


@dataclass
class Running:
    """One turn under way. `looked` is set when its lease should be looked at; `deadline` is known once it runs."""

    turn_id: str
    look: float = LOOK
    looked: asyncio.Event = field(default_factory=asyncio.Event)
    deadline: Deadline | None = None
    stopped: bool = False

    def begins(self, deadline: Deadline) -> None:
        """The run has a deadline now; one that was stopped before it began ends at once."""
        self.deadline = deadline
        if self.stopped:
            deadline.stop()

    def stop(self) -> None:
        """End with what there is."""
        self.stopped = True
        if self.deadline is not None:
            self.deadline.stop()


class Interrupts:
    """The turns that this process is at. `look` is how often each asks whether another process was told to stop it."""

    def __init__(self, look: float = LOOK) -> None:
        self._look = look
        self._running: dict[str, Running] = {}

    @contextmanager
    def running(self, turn_id: str) -> Iterator[Running]:
        """Be reachable for as long as the turn is under way."""
        mine = self._running[turn_id] = Running(turn_id, self._look)
        try:
            yield mine
        finally:
            if self._running.get(turn_id) is mine:
                del self._running[turn_id]

    def recheck(self, turn_id: str) -> bool:
        """Somebody changed the turn: see whether it is still ours. False when it is not under way here."""
        found = self._running.get(turn_id)
        if found is not None:
            found.looked.set()
        return found is not None

    def stop(self, turn_id: str) -> bool:
        """End the turn's run; False when it is not under way here."""
        found = self._running.get(turn_id)
        if found is not None:
            found.stop()
        return found is not None


@asynccontextmanager
async def stopped_from_afar(stops: TurnStops | None, running: Running) -> AsyncIterator[None]:
    """While inside, a stop that another process heard of ends the run too; so does one from before it began."""
    if stops is None:
        yield
        return
    await _look(stops, running)
    watch = asyncio.ensure_future(_watch(stops, running))
    try:
        yield
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)


async def _watch(stops: TurnStops, running: Running) -> None:
    while not running.stopped:
        await asyncio.sleep(running.look)
        await _look(stops, running)


async def _look(stops: TurnStops, running: Running) -> None:
    try:
        if await stops.stopping(running.turn_id):
            running.stop()
    except RefdeskError as error:
        log.warning("whether %s was stopped is not known: %s", running.turn_id, error)
