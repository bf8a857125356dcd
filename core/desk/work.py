"""The loop that claims turns and answers them: sessions side by side, one session's turns in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from core.desk.answer import Answering
from core.desk.lease import LEASE
from core.errors import RefdeskError
from core.messages import Turn
from core.ports import TurnQueue

log = logging.getLogger(__name__)

POLL = 1.0
"""Seconds between looks for turns that another process stored or left behind."""

PATIENCE = 1.0
"""Seconds for which messages that are being stored go before turns that could be begun."""

BREATH = 0.03
"""Seconds once around the event loop from which on a process can hardly follow."""


@dataclass
class TurnLoop:
    """Claims and answers until it is closed; at most `width` turns at once in this process."""

    queue: TurnQueue
    answering: Answering
    owner: str
    width: int = 8
    platforms: frozenset[str] | None = None
    _resting: bool = False
    _claiming: bool = False
    _hearing: int = 0
    _heard_since: float = 0.0
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _ended: dict[str, asyncio.Future[Turn]] = field(default_factory=dict)
    _running: dict[asyncio.Task[None], Turn] = field(default_factory=dict)

    def wake(self) -> None:
        """A turn was stored: look at once."""
        self._wake.set()

    @contextlib.contextmanager
    def hearing(self) -> Iterator[None]:
        """Meanwhile a message is being stored, and its platform waits for that: nothing new is begun for a moment."""
        if not self._hearing:
            self._heard_since = asyncio.get_running_loop().time()
        self._hearing += 1
        try:
            yield
        finally:
            self._hearing -= 1
            if not self._hearing:
                self.wake()

    def holds_up(self, turn: Turn) -> bool:
        """Whether a turn that was accepted now has to wait: for its session's earlier one, or for a free place."""
        busy = [each for each in self._running.values() if each.id != turn.id]
        return len(busy) >= self.width or any(each.key == turn.key for each in busy)

    def ending(self, turn_id: str) -> asyncio.Future[Turn]:
        """A future that holds the turn once this process has answered it; `unwatch` when it is not needed any more."""
        return self._ended.setdefault(turn_id, asyncio.get_running_loop().create_future())

    def unwatch(self, turn_id: str) -> None:
        """Nobody waits for this turn."""
        self._ended.pop(turn_id, None)

    async def run(self) -> None:
        """Claim and answer, for ever; cancel to stop. Turns at work are cancelled and left to be claimed again."""
        try:
            while True:
                self._wake.clear()
                if self._running:
                    await self._breath()
                room = len(self._running) < self.width and not self._resting and not self._is_hearing()
                claimed = await self._claim() if room else None
                if claimed is None:
                    await self._pause()
                    continue
                task = asyncio.create_task(self._answer(claimed), name=f"turn {claimed.run}")
                self._running[task] = claimed
                task.add_done_callback(self._done)
        finally:
            await self._stop()

    async def drain(self, seconds: float) -> None:
        """Claim nothing more, and give the turns at work so long to end."""
        self._resting = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._claiming or self._running:  # noqa: ASYNC110 - a claim may be under way
                    await asyncio.sleep(0.05)

    async def _breath(self) -> None:
        """While this process can hardly follow, it begins nothing more, for a moment: hearing is what cannot wait."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while (began := loop.time()) < until:
            await asyncio.sleep(0)  # once around: everything that is ready has its turn
            if loop.time() - began < BREATH:
                return
            await asyncio.sleep(BREATH)

    def _is_hearing(self) -> bool:
        return bool(self._hearing) and asyncio.get_running_loop().time() - self._heard_since < PATIENCE

    async def _claim(self) -> Turn | None:
        """The next turn; a store that fails is asked again later, or no question would be answered any more."""
        self._claiming = True
        try:
            return await self.queue.claim(self.owner, LEASE, self.platforms)
        except Exception:
            log.exception("no turn could be claimed")
            return None
        finally:
            self._claiming = False

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.pop(task, None)
        self.wake()

    async def _pause(self) -> None:
        # Not wait_for: on Python 3.11 it swallows a cancellation that comes together with the event.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL):
                await self._wake.wait()

    async def _answer(self, turn: Turn) -> None:
        try:
            ended = await self.answering.answer(turn)
        except asyncio.CancelledError:
            await self._give_back(turn)
            raise
        except Exception as error:  # the reply or the record failed; the lease lets the turn be tried again
            log.exception("turn %s failed", turn.run)
            self._resolve(turn.id, error if isinstance(error, RefdeskError) else RefdeskError(detail=repr(error)))
        else:
            if ended.status != "running":  # else somebody else ends it: who waits looks at the record
                self._resolve(turn.id, ended)

    async def _give_back(self, turn: Turn) -> None:
        """Let another process go on at once, without waiting for the lease to run out."""
        try:
            await self.queue.renew(turn, timedelta(0))
        except RefdeskError as error:
            log.warning("turn %s could not be given back: %s", turn.run, error)

    def _resolve(self, turn_id: str, result: Turn | RefdeskError) -> None:
        future = self._ended.pop(turn_id, None)
        if future is None or future.done():
            return
        if isinstance(result, RefdeskError):
            future.set_exception(result)
            future.exception()  # seen: nobody may be waiting any more
        else:
            future.set_result(result)

    async def _stop(self) -> None:
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
