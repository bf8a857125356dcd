"""Working on a claimed turn for exactly as long as it is ours. Knows nothing of what the work is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any, TypeVar

from core.errors import RefdeskError
from core.messages import Turn
from core.ports import TurnQueue

T = TypeVar("T")

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
"""How long a claimed turn stays ours without a sign of life."""


async def while_ours(queue: TurnQueue, turn: Turn, work: Coroutine[Any, Any, T], lease: timedelta = LEASE) -> T | None:
    """The result of the work; None when the turn stopped being ours (edited, withdrawn, taken over, forgotten)."""
    run = asyncio.ensure_future(work)
    keeper = asyncio.ensure_future(_keep(queue, turn, lease))
    try:
        await asyncio.wait({run, keeper}, return_when=asyncio.FIRST_COMPLETED)
        return await run if run.done() else None
    finally:
        run.cancel()
        keeper.cancel()
        await asyncio.gather(run, keeper, return_exceptions=True)


async def _keep(queue: TurnQueue, turn: Turn, lease: timedelta) -> None:
    """Ends when the turn is lost; a store that can't be asked for a moment has taken nothing away."""
    while True:
        await asyncio.sleep(lease.total_seconds() / 3)
        try:
            if not await queue.renew(turn, lease):
                return
        except RefdeskError as error:
            log.warning("the lease of %s could not be renewed: %s", turn.run, error)
