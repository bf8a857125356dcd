"""The replies that are open in this process: one for each turn, whoever is at it. Knows no platform."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from core.errors import RefdeskError
from core.messages import Turn

log = logging.getLogger(__name__)

KEPT = 2000
"""Replies that are remembered; a turn whose reply was forgotten is found by its messages."""


class Recoverable(Protocol):
    """The messages of a reply."""

    async def recover(self) -> None:
        """Take up what a process that was killed has left."""
        ...


class GrowingReply(Protocol):
    """A Reply that can be begun again."""

    @property
    def own(self) -> Recoverable: ...

    @property
    def finished(self) -> bool:
        """Whether the end was shown."""
        ...

    async def begin_again(self, turn: Turn) -> None:
        """A new revision of the turn, or another try."""
        ...


R = TypeVar("R", bound=GrowingReply)


class OpenReplies(Generic[R]):
    """Gives the same reply for a turn again, begun anew where its run is another one or has ended."""

    def __init__(self, make: Callable[[Turn], R]) -> None:
        self._make = make
        self._open: OrderedDict[str, tuple[str, R]] = OrderedDict()

    async def of(self, turn: Turn) -> R:
        """The reply of the turn; what another process has left of it is taken up."""
        run, reply = self._open.get(turn.id, ("", None))
        if reply is None:
            reply = self._make(turn)
            self._remember(turn, reply)
            if turn.attempts > 1:
                await _recovered(turn, reply)
        elif run != turn.run or reply.finished:
            self._remember(turn, reply)
            await reply.begin_again(turn)
        return reply

    def _remember(self, turn: Turn, reply: R) -> None:
        self._open[turn.id] = (turn.run, reply)
        self._open.move_to_end(turn.id)
        while len(self._open) > KEPT:
            self._open.popitem(last=False)


async def _recovered(turn: Turn, reply: GrowingReply) -> None:
    try:
        await reply.own.recover()
    except RefdeskError as error:
        log.warning("what is there of %s could not be looked up: %s", turn.run, error)
