"""Opening replies: one for each turn in this process, found again where another process has left it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, field

from adapters.slack.own import OwnMessages, Record
from adapters.slack.private import PrivateReply, Respond
from adapters.slack.reply import SlackReply
from adapters.slack.status import Refusals, StatusLine
from adapters.slack.web import SlackWeb
from core.errors import RefdeskError
from core.messages import Turn

log = logging.getLogger(__name__)

KEPT = 2000
"""Replies that are remembered; a turn whose reply was forgotten is found by its messages."""


@dataclass
class SlackReplies:
    """The ReplyFactory for Slack. `record` stores where a reply stands, `respond` posts to a response URL."""

    web: SlackWeb
    record: Record
    respond: Respond
    no_status: Refusals = field(default_factory=Refusals)
    no_streams: Refusals = field(default_factory=Refusals)
    _open: OrderedDict[str, tuple[str, SlackReply]] = field(default_factory=OrderedDict)

    async def open(self, turn: Turn) -> SlackReply | PrivateReply:
        """The reply of the turn; the same for everybody in this process who is at it."""
        if turn.target.visibility == "private":
            return PrivateReply(self.web, turn, self.record, self.respond)
        run, reply = self._open.get(turn.id, ("", None))
        if reply is None:
            reply = self._new(turn)
            self._remember(turn, reply)
            if turn.attempts > 1:
                await self._recovered(reply)
        elif run != turn.run or reply.finished:
            self._remember(turn, reply)
            await reply.begin_again(turn)
        return reply

    def _new(self, turn: Turn) -> SlackReply:
        own = OwnMessages(self.web, turn, self.record, turn.target)
        return SlackReply(own, StatusLine(self.web, turn.target, self.no_status), self.no_streams)

    def _remember(self, turn: Turn, reply: SlackReply) -> None:
        self._open[turn.id] = (turn.run, reply)
        self._open.move_to_end(turn.id)
        while len(self._open) > KEPT:
            self._open.popitem(last=False)

    async def _recovered(self, reply: SlackReply) -> None:
        try:
            await reply.own.recover()
        except RefdeskError as error:
            log.warning("what is there of %s could not be looked up: %s", reply.own.turn.run, error)
