"""What happens in a run, passed on to its reply. Knows no platform."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import Literal

from core.answers import Answer
from core.desk.endings import is_certain
from core.errors import RefdeskError
from core.messages import Language, Turn
from core.ports import Reply, ReplyFactory
from core.wording import say

log = logging.getLogger(__name__)


class LateReply:
    """The reply to what nobody asked us: opened at the end, and only where there is something certain to say."""

    def __init__(self, replies: ReplyFactory, turn: Turn) -> None:
        self._replies = replies
        self._turn = turn
        self._reply: Reply | None = None

    async def queued(self, status: str) -> None:
        """Nothing."""

    async def progress(self, status: str) -> None:
        """Nothing."""

    async def show(self, text: str, final: bool) -> None:
        """Nothing."""

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """A certain answer; of anything else nothing, and what stands there from before is taken down."""
        sure = outcome != "withdrawn" and is_certain(outcome)
        if self._reply is None and (sure or self._turn.target.message_ids):
            self._reply = await self._replies.open(self._turn)
        if self._reply is not None:
            await self._reply.finish(outcome if sure else "withdrawn")

    async def whisper(self, error: RefdeskError) -> None:
        """Nothing: nobody asked."""


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
