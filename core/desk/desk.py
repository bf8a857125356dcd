"""The desk: the one object that bots talk to. Each method hands over to the use case of its name."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import uuid
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from core.desk.answer import Answering, Stores
from core.desk.edits import Editing
from core.desk.greeting import Greeter
from core.desk.hear import Complete, Heard, Hearing
from core.desk.work import TurnLoop
from core.errors import InputError
from core.messages import Accepted, Halt, Message, Respond, SessionKey, Turn

LOOK = 2.0
"""Seconds between looks for the end of a turn that another process may be answering."""

_ENDED = frozenset({"answered", "failed", "withdrawn", "kept_quiet"})


def process_name() -> str:
    """A name for this process, unique over hosts and restarts."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:6]}"


@dataclass(frozen=True, slots=True)
class Work:
    """How a process works: its name, how many turns at once, and who shows the first sign of life."""

    owner: str = field(default_factory=process_name)
    width: int = 16
    platforms: frozenset[str] | None = None
    greeter: Greeter | None = None


class Desk:
    """Hear messages, answer them in order, tell what happened.

    Use as an async context manager: inside it the loop that claims turns is running.
    """

    def __init__(
        self, hearing: Hearing, answering: Answering, stores: Stores, editing: Editing, work: Work | None = None
    ) -> None:
        work = work or Work()
        self._hearing = hearing
        self._record = stores.record
        self._sessions = stores.sessions
        self._editing = editing
        self._greeter = work.greeter
        self._loop = TurnLoop(stores.queue, answering, work.owner, work.width, work.platforms)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._loop.run(), name="turn loop")
        self._editing.down.resume(self._loop.platforms)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._greeter is not None:
            await self._greeter.close()
        await self._editing.down.close()

    async def drain(self, seconds: float) -> None:
        """Before closing: begin nothing more, and let what is at work end. What takes longer is given back."""
        await self._loop.drain(seconds)

    async def leave(self, platform: str, workspace: str) -> int:
        """We were thrown out there: what was still to be answered is withdrawn; how many that were."""
        return await self._editing.leave(platform, workspace)

    async def hear(self, message: Message, complete: Complete | None = None) -> Heard:
        """Store the message as a turn if it is for us, and return; the loop does the work. Raises InputError."""
        with self._loop.hearing():
            heard = await self._hearing.hear(message, complete)
        return await self._editing.halt(message) if isinstance(heard, Halt) else self._taken(heard)

    async def revise(self, message: Message, complete: Complete | None = None) -> Heard:
        """The message was edited: its answer is written anew. Raises InputError."""
        heard = await self._editing.revise(message, self._hearing, complete)
        return await self._editing.halt(message) if isinstance(heard, Halt) else self._taken(heard)

    async def withdraw(self, platform: str, workspace: str, identity: str) -> Turn | None:
        """The message was deleted: that is stored, and its answer taken down after it. None when it was not ours."""
        return await self._editing.withdraw(platform, workspace, identity)

    def drop(self, turn: Turn) -> None:
        """Its asker was forgotten before it had an end: what stands of it goes."""
        self._editing.drop(turn)

    async def stop(self, turn_id: str) -> bool:
        """End a run with what it has; False when it had ended."""
        return await self._editing.stop(turn_id)

    def _taken(self, heard: Heard) -> Heard:
        if isinstance(heard, Accepted):
            if self._greeter is not None and not heard.duplicate:
                self._greeter.greet(heard.turn, queued=heard.waits or self._loop.holds_up(heard.turn))
            self._loop.wake()
        return heard

    async def ask(self, message: Message) -> Turn:
        """Hear the message and wait for its answer; raises InputError when it is not for us.

        A turn that another process took over is awaited by looking at the record.
        """
        heard = await self._hearing.hear(message)
        if not isinstance(heard, Accepted):
            raise InputError("error.question_empty") if isinstance(heard, Respond) else InputError(what=repr(heard))
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
