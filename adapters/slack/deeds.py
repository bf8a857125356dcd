"""What is done after Slack has its acknowledgement: kept until it is done, and what goes wrong is told its doer.

Bolt keeps no hold of what a listener does after it acknowledged.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from adapters.slack.aside import Aside
from core.errors import RefdeskError
from core.messages import Language

log = logging.getLogger(__name__)

LONGEST = 120.0
"""Seconds after which anything is given up; answers and syncs are not done here."""


@dataclass
class Deeds:
    """Use as a context manager: at its end nothing is under way any more."""

    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def begin(self, work: Coroutine[None, None, None], told: Aside | None = None, language: Language = "en") -> None:
        """Do it; without `told` what goes wrong is only logged."""
        task = asyncio.create_task(_done(work, told, language))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _done(work: Coroutine[None, None, None], told: Aside | None, language: Language) -> None:
    try:
        async with asyncio.timeout(LONGEST):
            await work
        return
    except RefdeskError as error:
        log.info("not done (%s): %s", error.id, error)
        shown = error
    except Exception as bug:
        shown = RefdeskError(detail=repr(bug))
        log.exception("not done (%s)", shown.id)
    if told is not None:
        await _told(told, shown.user_message(language))


async def _told(aside: Aside, text: str) -> None:
    try:
        await aside.say(text)
    except Exception:
        log.exception("nobody could be told: %s", text)
