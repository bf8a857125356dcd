"""The desk: the one object that bots talk to. Each method hands over to the use case of its name."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import uuid
from dataclasses import replace
from types import TracebackType
from typing import Self

from core.desk.answer import Answering
from core.desk.hear import Hearing
from core.desk.work import TurnLoop
from core.errors import InputError
from core.messages import Accepted, Ignore, Message, SessionKey, Turn
from core.ports import Sessions, TurnQueue, TurnRecord

LOOK = 2.0
"""Seconds between looks for the end of a turn that another process may be answering."""

_ENDED = frozenset({"answered", "failed", "withdrawn"})


def process_name() -> str:
    """A name for this process, unique over hosts and restarts."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"


class Desk:
    """Hear messages, answer them in order, tell what happened.

    Use as an async context manager: inside it the loop that claims turns is running, at most `width` at a time.
    """

    def __init__(
        self,
        hearing: Hearing,
        answering: Answering,
        queue: TurnQueue,
        record: TurnRecord,
        sessions: Sessions,
        *,
        width: int = 16,
    ) -> None:
        self._hearing = hearing
        self._record = record
        self._sessions = sessions
        self._loop = TurnLoop(queue, answering, process_name(), width)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._loop.run(), name="turn loop")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def hear(self, message: Message) -> Accepted | Ignore:
        """Store the message as a turn if it is for us, and return; the loop does the work."""
        heard = await self._hearing.hear(message)
        if isinstance(heard, Accepted):
            self._loop.wake()
        return heard

    async def ask(self, message: Message) -> Turn:
        """Hear the message and wait for its answer; raises InputError when it is not for us.

        A turn that another process took over is awaited by looking at the record.
        """
        heard = await self._hearing.hear(message)
        if isinstance(heard, Ignore):
            raise InputError(what=heard.reason)
        return heard.turn if heard.turn.status in _ENDED else await self._end_of(heard.turn)

    async def _end_of(self, turn: Turn) -> Turn:
        ended = self._loop.ending(turn.id)
        self._loop.wake()
        try:
            while True:
                await asyncio.wait({ended}, timeout=LOOK)
                if ended.done():
                    return ended.result()
                stored = await self._record.find(turn_id=turn.id)
                if stored is None:  # forgotten meanwhile
                    return replace(turn, status="withdrawn")
                if stored.status in _ENDED:
                    return stored
        finally:
            self._loop.unwatch(turn.id)

    async def last(self, key: SessionKey) -> Turn | None:
        """The latest finished turn of a session, for `/why`."""
        return await self._record.find(key=key)

    async def forget(self, key: SessionKey) -> int:
        """Delete a session with all its turns; how many there were."""
        return await self._sessions.forget(key)
