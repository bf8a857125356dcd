"""The first sign of life: shown as soon as a question is stored, whether its turn has come or not."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from core.desk.speaking import question_language
from core.messages import Language, Turn
from core.ports import ReplyFactory
from core.wording import say

log = logging.getLogger(__name__)


@dataclass
class Greeter:
    """Shows it on the turn's own reply: its factory gives the same reply for a turn while this process is at it."""

    replies: ReplyFactory
    language: Language = "en"
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def greet(self, turn: Turn, *, queued: bool) -> None:
        """Begin to; a question that nobody put to us gets none."""
        if turn.quiet:
            return
        task = asyncio.create_task(self._greeted(turn, queued=queued), name=f"greeting {turn.run}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End what is being shown."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _greeted(self, turn: Turn, *, queued: bool) -> None:
        try:
            reply, language = await self.replies.open(turn), question_language(turn.question, self.language)
            if queued:
                await reply.queued(say("status.queued", language))
            else:
                await reply.progress(say("status.heard", language))
        except Exception as error:  # noqa: BLE001  # any vendor's; the answer is what counts
            log.warning("the first sign of life on %s failed: %r", turn.run, error)
