"""Taking down the answer to a question that was deleted: once that is on record, and for as long as it takes."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace

from core.errors import UpstreamRefused
from core.messages import Turn
from core.ports import ReplyFactory, TurnRecord, TurnSweep

log = logging.getLogger(__name__)

PAUSES = (1.0, 5.0, 30.0, 120.0, 600.0)
"""Seconds between tries; what stands after them is taken down when the next process starts."""

AT_ONCE = 4
"""Answers that are taken down side by side: somebody may delete a hundred questions in one go."""


@dataclass
class TakingDown:
    """In tasks of its own, which end with the process. With a `sweep` it also takes up what earlier ones have left."""

    replies: ReplyFactory
    record: TurnRecord
    sweep: TurnSweep | None = None
    pauses: tuple[float, ...] = PAUSES
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @property
    def busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._tasks)

    def begin(self, turn: Turn) -> None:
        """Take down what stands of a withdrawn turn; nothing more where that is under way."""
        if turn.id not in self._tasks:
            self._begin(turn.id, asyncio.create_task(self._down(turn), name=f"taking down {turn.id}"))

    def resume(self, platforms: frozenset[str] | None) -> None:
        """Begin with what earlier processes were told to take down on these platforms, and did not."""
        if self.sweep is not None:
            self._begin("", asyncio.create_task(self._resumed(self.sweep, platforms), name="taking down"))

    async def close(self) -> None:
        """Nothing is under way any more; what still stands is on record."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, name: str, task: asyncio.Task[None]) -> None:
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))

    async def _resumed(self, sweep: TurnSweep, platforms: frozenset[str] | None) -> None:
        try:
            for turn in await sweep.left_standing(platforms):
                self.begin(turn)
        except Exception:
            log.exception("which answers to deleted questions still stand is not known")

    async def _down(self, turn: Turn) -> None:
        for pause in (*self.pauses, None):
            try:
                async with self._room:
                    await self._once(turn)
                return
            except UpstreamRefused as error:
                log.warning("the answer to the deleted %s stays: %s", turn.id, error)
                return
            except Exception as error:  # noqa: BLE001  # any vendor's; tried again
                log.warning("the answer to the deleted %s still stands: %r", turn.id, error)
            if pause is not None:
                await asyncio.sleep(pause)

    async def _once(self, turn: Turn) -> None:
        """Whoever was at the turn may have added messages since; twice taken down does no harm."""
        stored = await self.record.find(turn_id=turn.id) or turn
        await (await self.replies.open(stored)).finish("withdrawn")
        await self.record.retarget(stored, replace(stored.target, message_ids=()))
        self.replies.let_go(stored)
