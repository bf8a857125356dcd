"""Work that only one process may do at a time: the right is taken, kept alive, given back. Knows only the Publisher."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from core.errors import Busy, RefdeskError
from core.ports import Publisher

T = TypeVar("T")

log = logging.getLogger(__name__)

_LOOK = 0.2


@dataclass(frozen=True, slots=True)
class Right:
    """The right to work on what is called `name`; `wait` is how long to stand in line for it."""

    publisher: Publisher
    name: str
    lease: timedelta
    wait: timedelta


async def alone(right: Right, work: Callable[[], Awaitable[T]]) -> T:
    """The result of the work, which ends at once when the right is lost. Raises Busy when somebody else holds it."""
    owner = uuid.uuid4().hex
    await _take(right, owner)
    try:
        return await _while_held(right, owner, work)
    finally:
        await asyncio.shield(right.publisher.unlock(right.name, owner))


async def _take(right: Right, owner: str) -> None:
    deadline = time.monotonic() + right.wait.total_seconds()
    while not await right.publisher.lock(right.name, owner, right.lease):
        if time.monotonic() >= deadline:
            raise Busy("error.sync_running", collection=right.name)
        await asyncio.sleep(min(_LOOK, right.wait.total_seconds()))


async def _while_held(right: Right, owner: str, work: Callable[[], Awaitable[T]]) -> T:
    doing = asyncio.ensure_future(work())
    keeper = asyncio.ensure_future(_keep(right, owner))
    try:
        await asyncio.wait({doing, keeper}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            await keeper
        return await doing
    finally:
        doing.cancel()
        keeper.cancel()
        await asyncio.gather(doing, keeper, return_exceptions=True)


async def _keep(right: Right, owner: str) -> None:
    """Ends in Busy when the right is lost; a store that can't be asked for a moment has taken nothing away."""
    while True:
        await asyncio.sleep(right.lease.total_seconds() / 3)
        try:
            held = await right.publisher.lock(right.name, owner, right.lease)
        except RefdeskError as error:
            log.warning("the right to sync %s could not be prolonged: %s", right.name, error)
            continue
        if not held:
            raise Busy("error.sync_running", collection=right.name)
