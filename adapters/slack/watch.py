"""Asking Slack now and then whether it still knows us: a token can be revoked while nothing else happens."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Self

from adapters.slack.web import SlackRefused, SlackWeb
from core.errors import RefdeskError
from core.pulse import Pulse

log = logging.getLogger(__name__)

EVERY = 60.0


@dataclass(eq=False)
class Watch:
    """Looks every so many seconds while it is open."""

    web: SlackWeb
    pulse: Pulse
    every: float = EVERY
    _task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._looking(), name="slack watch")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _looking(self) -> None:
        while True:
            await asyncio.sleep(self.every)
            await self.look()

    async def look(self) -> None:
        """One look. A refusal is told once, with what to do about it; a network that fails is no refusal."""
        try:
            await self.web.call("auth.test", "")
        except SlackRefused as error:
            if self.pulse.refused(error):
                log.error("Slack does not let us work: %s (%s)", error.user_message("en"), error)
        except RefdeskError as error:
            log.warning("Slack could not be asked whether it knows us: %s", error)
        except Exception:  # whoever stops looking notices nothing any more
            log.exception("Slack could not be asked whether it knows us")
        else:
            self.pulse.welcome()
