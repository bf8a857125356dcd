"""A message that grows word by word in Slack's own way, until we end it, a reader stops it, or Slack has had enough."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from adapters.slack import limits, outgoing
from adapters.slack.own import OwnMessages
from adapters.slack.status import Refusals
from adapters.slack.web import SlackRefused

log = logging.getLogger(__name__)

STOPPED = "stopped_by_user"
"""What Slack says of a stream whose reader pressed Slack's own stop."""

Stop = Callable[[str], bool]
"""End the run of a turn with what it has."""


@dataclass
class Stream:
    """The stream of one reply. `refused` knows where Slack takes none."""

    own: OwnMessages
    refused: Refusals
    stop_run: Stop
    _words: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether Slack takes one there, as far as is known."""
        place = self.own.target
        return bool(place.thread) and not self.refused.has(place.channel)

    async def start(self, text: str, *, direct: bool) -> bool:
        """Whether the first words are there."""
        words = _fitting(text)
        try:
            begun = await self.own.start_stream(words, direct=direct)
        except SlackRefused as error:
            log.info("no streams in %s: %s", self.own.target.channel, error.code)
            self.refused.note(self.own.target.channel, error.code)
            return False
        self._words = words if begun else ""
        return begun

    async def append(self, text: str) -> Literal["grown", "same", "ended"]:
        """What the text has gained; one that became another waits for the end, since streamed words can't be unsaid."""
        words = _fitting(text)
        gained = words.removeprefix(self._words)
        if not words.startswith(self._words) or not gained:
            return "same"
        about = {"channel": self.own.target.channel, "ts": self.own.ids[0], "markdown_text": gained}
        try:
            if await self.own.web.now("chat.appendStream", self.own.team, **about) is None:
                return "same"
        except SlackRefused as error:
            log.info("the stream of %s ended: %s", self.own.turn.run, error.code)
            if error.code == STOPPED:
                self.stop_run(self.own.turn.id)
            return "ended"
        self._words = words
        return "grown"

    async def end(self) -> None:
        """A message stays “streaming” for ever unless it is ended; one that Slack ended has nothing to end."""
        if self._words and self.own.ids:
            about = {"channel": self.own.target.channel, "ts": self.own.ids[0]}
            with contextlib.suppress(SlackRefused):
                await self.own.web.call("chat.stopStream", self.own.team, **about)
        self._words = ""


def _fitting(text: str) -> str:
    return outgoing.markdown(text)[: limits.MARKDOWN]
