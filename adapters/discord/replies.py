"""Opening replies: one for each turn in this process, found again where another process has left it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, field

from adapters.discord.own import OwnMessages, Record
from adapters.discord.reply import DiscordReply
from adapters.discord.rooms import Rooms
from core.errors import RefdeskError
from core.messages import Turn

log = logging.getLogger(__name__)

KEPT = 2000
"""Replies that are remembered; a turn whose reply was forgotten is found by its messages."""


@dataclass
class DiscordReplies:
    """The ReplyFactory for Discord. `record` stores where a reply stands."""

    rooms: Rooms
    record: Record
    _open: OrderedDict[str, tuple[str, DiscordReply]] = field(default_factory=OrderedDict)

    async def open(self, turn: Turn) -> DiscordReply:
        """The reply of the turn; the same for everybody in this process who is at it."""
        run, reply = self._open.get(turn.id, ("", None))
        if reply is None:
            reply = DiscordReply(OwnMessages(self.rooms, turn, self.record, turn.target))
            self._remember(turn, reply)
            if turn.attempts > 1:
                await self._recovered(reply)
        elif run != turn.run or reply.finished:
            self._remember(turn, reply)
            await reply.begin_again(turn)
        return reply

    def _remember(self, turn: Turn, reply: DiscordReply) -> None:
        self._open[turn.id] = (turn.run, reply)
        self._open.move_to_end(turn.id)
        while len(self._open) > KEPT:
            self._open.popitem(last=False)

    async def _recovered(self, reply: DiscordReply) -> None:
        try:
            await reply.own.recover()
        except RefdeskError as error:
            log.warning("what is there of %s could not be looked up: %s", reply.own.turn.run, error)
