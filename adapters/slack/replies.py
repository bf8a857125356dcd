"""Opening Slack's replies."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapters.slack.own import OwnMessages, Record
from adapters.slack.private import PrivateReply, Respond
from adapters.slack.reply import SlackReply
from adapters.slack.status import Refusals, StatusLine
from adapters.slack.stream import Stop, Stream
from adapters.slack.web import SlackWeb
from core.desk.open_replies import OpenReplies
from core.messages import Language, Turn


@dataclass
class SlackReplies:
    """The ReplyFactory for Slack. `record` stores where a reply stands, `respond` posts to a response URL.

    `stop` ends the run of a turn with what it has; `language` is that of the desk.
    """

    web: SlackWeb
    record: Record
    respond: Respond
    stop: Stop = lambda turn_id: False
    language: Language = "en"
    no_status: Refusals = field(default_factory=Refusals)
    no_streams: Refusals = field(default_factory=Refusals)
    _open: OpenReplies[SlackReply] = field(init=False)

    def __post_init__(self) -> None:
        self._open = OpenReplies(self._new)

    async def open(self, turn: Turn) -> SlackReply | PrivateReply:
        """The reply of the turn; the same for everybody in this process who is at it."""
        if turn.target.visibility == "private":
            return PrivateReply(self.web, turn, self.record, self.respond, self.language)
        return await self._open.of(turn)

    def let_go(self, turn: Turn) -> None:
        """Nobody here is at this try of the turn any more."""
        self._open.let_go(turn)

    def _new(self, turn: Turn) -> SlackReply:
        own = OwnMessages(self.web, turn, self.record, turn.target)
        status = StatusLine(self.web, turn.target, self.no_status, is_ours=turn.attempts > 0)
        return SlackReply(own, status, Stream(own, self.no_streams, self.stop), self.language)
