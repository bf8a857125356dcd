"""What is done after Slack has its acknowledgement: kept until it is done, and what goes wrong is told its doer.

Also that the process ended before it was done.

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
from core.desk.promises import Promises
from core.errors import RefdeskError
from core.messages import Language

log = logging.getLogger(__name__)

LONGEST = 120.0
"""Seconds after which anything is given up; answers and syncs are not done here."""


@dataclass
class Deeds:
    """Use as a context manager: at its end what is under way has a moment, and then nothing is any more."""

    promises: Promises = field(default_factory=Promises)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.promises.close()

    def begin(self, work: Coroutine[None, None, None], told: Aside | None = None, language: Language = "en") -> None:
        """Do it; without `told` what goes wrong is only logged."""
        self.promises.keep(asyncio.create_task(_done(work, told, language), name="deed"))


async def _done(work: Coroutine[None, None, None], told: Aside | None, language: Language) -> None:
    try:
        async with asyncio.timeout(LONGEST):
            await work
        return
    except asyncio.CancelledError:
        if told is not None:
            await _told(told, RefdeskError("error.ending").user_message(language))
        raise
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
        async with asyncio.timeout(LONGEST):
            await aside.say(text)
    except Exception:
        log.exception("nobody could be told: %s", text)
