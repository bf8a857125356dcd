"""Words for one person: through the address that came with their command or button, else where they are, else directly.

An address takes five messages within half an hour; who still has something to say then finds another way.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any

from adapters.slack.blocks import SlackMessage, noted
from adapters.slack.places import Where
from adapters.slack.web import SlackRefused, SlackUnsure, SlackWeb

log = logging.getLogger(__name__)

USES = 4
"""Of an address; one is left for the answer to a question."""


@dataclass
class Aside:
    """To whoever did something, where they did it."""

    web: SlackWeb
    where: Where
    _used: int = field(default=0)

    async def say(self, text: str) -> None:
        """Markdown of our own."""
        for message in noted(text):
            await self.show(message)

    async def show(self, message: SlackMessage) -> None:
        """A message that they alone see. Raises UpstreamError when there is no way at all."""
        if not await self._through_the_address(message) and not await self._in_place(message):
            await self._directly(message)

    async def _through_the_address(self, message: SlackMessage) -> bool:
        if not self.where.address or self._used >= USES:
            return False
        self._used += 1
        body = {**_about(message), "response_type": "ephemeral", "replace_original": False}
        if self.where.thread:
            body["thread_ts"] = self.where.thread
        try:
            status, text = await self.web.post(self.where.address, body)
        except SlackUnsure as error:
            log.warning("an aside may be lost: %s", error)
            return False
        return status == 200 and "error" not in text[:40]

    async def _in_place(self, message: SlackMessage) -> bool:
        place = self.where
        if not place.channel:
            return False
        about = {"channel": place.channel, "thread_ts": place.thread or None, **_about(message)}
        try:
            if place.is_direct:
                await self.web.tell("chat.postMessage", place.team, **about)
            else:
                await self.web.tell("chat.postEphemeral", place.team, user=place.user, **about)
        except SlackRefused as error:
            log.info("no aside in %s: %s", place.channel, error.code)
            return False
        return True

    async def _directly(self, message: SlackMessage) -> None:
        place = self.where
        opened = await self.web.call("conversations.open", place.team, users=place.user)
        await self.web.tell("chat.postMessage", place.team, channel=str(opened["channel"]["id"]), **_about(message))


def _about(message: SlackMessage) -> dict[str, Any]:
    return {"text": message.text, "blocks": list(message.blocks)}
