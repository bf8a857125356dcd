"""Working on a claimed turn for exactly as long as it is ours. Knows nothing of what the work is."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from core.errors import RefdeskError
from core.messages import Turn
from core.ports import TurnQueue

T = TypeVar("T")

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""How long a claimed turn stays ours without a sign of life."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How a lease is kept: for how long each time, and who may say that it should be looked at earlier."""

    queue: TurnQueue
    lease: timedelta = LEASE
    looked: asyncio.Event = field(default_factory=asyncio.Event)


async def while_ours(keeping: Keeping, turn: Turn, work: Coroutine[Any, Any, T]) -> T | None:
    """The result of the work; None when the turn stopped being ours (edited, withdrawn, taken over, forgotten)."""
    run = asyncio.ensure_future(work)
    keeper = asyncio.ensure_future(_keep(keeping, turn))
    try:
        await asyncio.wait({run, keeper}, return_when=asyncio.FIRST_COMPLETED)
        return await run if run.done() else None
    finally:
        run.cancel()
        keeper.cancel()
        await asyncio.gather(run, keeper, return_exceptions=True)


async def _keep(keeping: Keeping, turn: Turn) -> None:
    """Ends when the turn is lost; a store that can't be asked for a moment has taken nothing away."""
    while True:
        await _pause(keeping)
        try:
            if not await keeping.queue.renew(turn, keeping.lease):
                return
        except RefdeskError as error:
            log.warning("the lease of %s could not be renewed: %s", turn.run, error)


async def _pause(keeping: Keeping) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(keeping.lease.total_seconds() / 3):
            await keeping.looked.wait()
    keeping.looked.clear()
