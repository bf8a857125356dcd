"""A reply that one person sees: through the address that came with their command, and as a direct message after it.

Slack takes five messages there within half an hour, and can't replace one. The sign of life is the acknowledgement
of the command; the answer comes when it is whole.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from adapters.slack.blocks import SlackMessage, answered, failed
from adapters.slack.own import OwnMessages, Record
from adapters.slack.web import SlackWeb
from adapters.slack.whispering import whisper
from core.answers import Answer
from core.desk.speaking import question_language
from core.errors import RefdeskError, UpstreamError
from core.messages import Language, Turn
from core.presenting import Looks

log = logging.getLogger(__name__)

SENT = "sent"
"""In place of a message's id: what is posted to a response URL has none, and can't be looked for."""

Respond = Callable[[str, Mapping[str, Any]], Awaitable[None]]
"""Post to a response URL; raises UpstreamError when it is not taken."""


@dataclass
class PrivateReply:
    """The reply to a private question; its interaction handle is a response URL."""

    web: SlackWeb
    turn: Turn
    record: Record
    respond: Respond
    language: Language = "en"

    @property
    def _looks(self) -> Looks:
        return Looks(self.turn.id, question_language(self.turn.question, self.language), private=True)

    async def queued(self, status: str) -> None:
        """Nothing: the command was acknowledged with a sign of life."""

    async def progress(self, status: str) -> None:
        """Nothing: the command was acknowledged with a sign of life."""

    async def show(self, text: str, final: bool) -> None:
        """Nothing: what only one person sees is shown when it is whole."""

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end, for its one reader, once; what they have seen can't be taken away any more."""
        if outcome == "withdrawn" or SENT in self.turn.target.message_ids:
            return
        if isinstance(outcome, RefdeskError):
            messages = [failed(outcome.user_message(self._looks.language))]
        else:
            messages = answered(outcome, self._looks)
        for number, message in enumerate(messages):
            if not await self._send(message):
                await self._directly(messages[number:])
                return
        await self.record(self.turn, self.turn.target.with_message(SENT))

    async def _send(self, message: SlackMessage) -> bool:
        target = self.turn.target
        body = {"text": message.text, "blocks": list(message.blocks), "response_type": "ephemeral"}
        expired = target.interaction_expires is not None and target.interaction_expires <= datetime.now(UTC)
        if not target.interaction or expired:
            return False
        try:
            await self.respond(target.interaction, body)
        except UpstreamError as error:
            log.warning("the private reply to %s was not taken: %s", self.turn.run, error)
            return False
        return True

    async def whisper(self, error: RefdeskError) -> None:
        """By direct message."""
        await whisper(self.web, self.turn, error, self._looks.language)

    async def _directly(self, messages: list[SlackMessage]) -> None:
        """As a direct message, when the address has run out."""
        target = self.turn.target
        opened = await self.web.call("conversations.open", target.workspace, users=target.recipient)
        place = replace(target, channel=str(opened["channel"]["id"]), thread="", visibility="thread", interaction=None)
        own = OwnMessages(self.web, self.turn, self.record, place)
        for message in messages:
            await own.post(message)
