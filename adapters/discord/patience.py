"""How long Discord may take for an answer; how long a call waits for its turn is no fault of Discord's.

Both are waits inside one call of discord.py: for the others before it in our pace and in its bucket, for the answer,
for its own next try after a failure, and for as long as a refused call is told to wait. To give up in a queue would
put the call behind those others again; so only the rest is bounded. What was called off may have been done.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace

import aiohttp

from core.errors import Busy

LONGEST_WAIT = 30.0
"""Seconds that a call waits which is told to; more is an error."""


@dataclass
class Waiting:
    """Calls that are made one after the other: when the one under way ends, and how the last was answered.

    `unsure`: one came to nothing that Discord may have heard all the same, and discord.py has made it again.
    """

    until: asyncio.Timeout
    status: int = 0
    over: bool = False
    unsure: bool = False

    def ends_in(self, seconds: float | None) -> None:
        if not self.over:  # a task that was begun inside may go on asking
            self.until.reschedule(None if seconds is None else asyncio.get_running_loop().time() + seconds)


_waiting: ContextVar[Waiting | None] = ContextVar("waiting", default=None)


@asynccontextmanager
async def bounded() -> AsyncIterator[Waiting]:
    """Inside, each answer comes in time. Raises TimeoutError, and Busy when Discord asks for too much patience."""
    waiting = Waiting(asyncio.timeout(None))
    before = _waiting.set(waiting)
    try:
        async with waiting.until:
            yield waiting
    except TimeoutError as error:
        if waiting.status == 429:
            raise Busy(detail="Discord asks for more patience than there is") from error
        raise
    finally:
        waiting.over = True
        _waiting.reset(before)


@dataclass(frozen=True, slots=True)
class Patience:
    """What is told of a session's calls, as far as they are made where they are `bounded`.

    `answered_in`: seconds from the sending of a call to its answer, all that discord.py tries again after a failure
    together. `wait`: seconds that a refused call waits.
    """

    answered_in: float = 15.0
    wait: float = LONGEST_WAIT

    def watch(self, trace: aiohttp.TraceConfig) -> None:
        """Be told. To be added after what holds calls back."""
        trace.on_request_start.append(self._sent)
        trace.on_request_end.append(self._answered)
        trace.on_request_exception.append(self._broken)
        trace.on_response_chunk_received.append(self._read)

    async def _sent(self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestStartParams) -> None:
        waiting = _waiting.get()
        if waiting is not None and waiting.status < 500:  # else discord.py tries again, in the time that is left
            waiting.status = 0
            waiting.ends_in(self.answered_in)

    async def _answered(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, about: aiohttp.TraceRequestEndParams
    ) -> None:
        waiting = _waiting.get()
        if waiting is not None:
            waiting.status = about.response.status
            waiting.unsure = waiting.unsure or waiting.status >= 500

    async def _broken(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestExceptionParams
    ) -> None:
        waiting = _waiting.get()
        if waiting is not None:
            waiting.unsure = True

    async def _read(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        waiting = _waiting.get()
        if waiting is not None and waiting.status < 500:
            waiting.ends_in(self.wait if waiting.status == 429 else None)
