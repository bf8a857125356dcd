"""The replies that are open in this process: one for each try of a turn, whoever is at it. Knows no platform."""

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


class GrowingReply(Protocol):
    """A Reply that can be taken up, begun again, and let go of."""

    def goes_on(self, turn: Turn) -> None:
        """The same try, as the record has it now."""
        ...

    async def begin_again(self, turn: Turn) -> None:
        """A new revision of the turn, or another try: what is shown becomes its answer."""
        ...

    async def recover(self) -> None:
        """Take up what another process, or a call whose answer was lost, has left. Raises RefdeskError."""
        ...

    def let_go(self) -> None:
        """Nothing of it goes on by itself any more; what is shown stays."""
        ...


R = TypeVar("R", bound=GrowingReply)


class OpenReplies(Generic[R]):
    """Gives the same reply for a turn again, begun anew where its run or its try is another one."""

    def __init__(self, make: Callable[[Turn], R]) -> None:
        self._make = make
        self._open: OrderedDict[str, tuple[Turn, R]] = OrderedDict()

    async def of(self, turn: Turn) -> R:
        """The reply of the turn; what others have left of it is taken up."""
        known = self._open.get(turn.id)
        if known is not None and _age(known[0]) >= _age(turn):
            return known[1]
        reply = known[1] if known is not None else self._make(turn)
        self._remember(turn, reply)
        if known is not None and _try(known[0]) == _try(turn):
            reply.goes_on(turn)
            return reply
        if known is not None:
            await reply.begin_again(turn)
        if turn.attempts > 1 or turn.revision > 1:
            await _recovered(turn, reply)
        return reply

    def let_go(self, turn: Turn) -> None:
        """Nobody here is at this try any more; one that has begun since then keeps its reply."""
        known = self._open.get(turn.id)
        if known is not None and _try(known[0]) == _try(turn):
            del self._open[turn.id]
            known[1].let_go()

    def _remember(self, turn: Turn, reply: R) -> None:
        self._open[turn.id] = (turn, reply)
        self._open.move_to_end(turn.id)
        while len(self._open) > KEPT:
            _, (_, forgotten) = self._open.popitem(last=False)
            forgotten.let_go()


def _age(turn: Turn) -> tuple[int, int]:
    return turn.revision, turn.attempts


def _try(turn: Turn) -> tuple[str, int]:
    """A turn that waits is at the try that it is claimed for."""
    return turn.run, max(1, turn.attempts)


async def _recovered(turn: Turn, reply: GrowingReply) -> None:
    try:
        await reply.recover()
    except RefdeskError as error:
        log.warning("what is there of %s could not be looked up: %s", turn.run, error)
