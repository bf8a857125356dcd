"""What happens in a run, passed on to its reply. Knows no platform."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import Literal

from core.answers import Answer
from core.errors import RefdeskError
from core.messages import Language
from core.ports import Reply
from core.wording import say

log = logging.getLogger(__name__)


class Unheard:
    """A reply that nobody sees: while it is not certain that there is anything to say."""

    async def queued(self, status: str) -> None:
        """Nothing."""

    async def progress(self, status: str) -> None:
        """Nothing."""

    async def show(self, text: str, final: bool) -> None:
        """Nothing."""

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """Nothing."""

    async def whisper(self, error: RefdeskError) -> None:
        """Nothing."""


UNHEARD = Unheard()


class ReplyListener:
    """Shows status and draft on a reply; one that can't be shown must not cost the run its step."""

    def __init__(self, reply: Reply, language: Language) -> None:
        self._reply = reply
        self._language = language

    async def status(self, key: str, fields: Mapping[str, object]) -> None:
        """Say in one line what is being done."""
        await _tried(self._reply.progress(say(key, self._language, **fields)))

    async def draft(self, text: str) -> None:
        """Show the words so far, as not checked yet."""
        await _tried(self._reply.show(text, final=False))


async def _tried(shown: Awaitable[None]) -> None:
    try:
        await shown
    except Exception as error:  # noqa: BLE001  # any vendor's; the finished answer is what counts
        log.warning("progress could not be shown: %r", error)
