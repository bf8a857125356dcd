"""One reply in Slack, from the first sign of life to the finished answer; its owner is the only one who writes to it.

It picks the best way that the budget and the channel allow: a status line, else a placeholder that becomes the answer;
a native stream, else updates, else the finished message alone. Whatever breaks on the way, it ends in the whole answer.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Literal

from adapters.slack.blocks import SlackMessage, answered, failed, working
from adapters.slack.own import OwnMessages
from adapters.slack.status import StatusLine
from adapters.slack.stream import Stream
from adapters.slack.web import SlackRefused
from adapters.slack.whispering import whisper
from core.answers import Answer
from core.desk.speaking import question_language
from core.desk.unbroken import unbroken
from core.errors import RefdeskError
from core.messages import Language, Turn
from core.presenting import Looks
from core.wording import say

log = logging.getLogger(__name__)

SHOW_EVERY = 1.2
"""Seconds between two showings of a growing message."""

PATIENCE = 8.0
"""Seconds of work without words after which a message with a Stop button appears."""


@dataclass
class SlackReply:
    """The reply of one turn in a thread or a direct message."""

    own: OwnMessages
    status: StatusLine
    stream: Stream
    language: Language = "en"
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _shown_at: float = 0.0
    _mode: Literal["", "stream", "update", "end"] = ""
    _owes: bool = False
    _greeted: bool = False
    _waiting: bool = False
    _finished: bool = False

    @property
    def _looks(self) -> Looks:
        turn = self.own.turn
        language = question_language(turn.question, self.language)
        return Looks(turn.id, language, direct=turn.target.channel.startswith("D"))

    def goes_on(self, turn: Turn) -> None:
        """The same try, claimed now."""
        self.own.turn = turn
        self.status.is_ours, self._began = turn.attempts > 0, _now()

    async def recover(self) -> None:
        """Take up what is there."""
        async with self._lock:
            await self.own.recover()

    def let_go(self) -> None:
        """Nothing goes on by itself, and nothing is owed."""
        self.status.let_go()
        self._settle()

    async def begin_again(self, turn: Turn) -> None:
        """A new revision of the turn, or another try: what is shown becomes its answer."""
        async with self._lock:
            self.goes_on(turn)
            self.own.merge(turn.target)
            await self.stream.end()
            self._mode, self._finished = "", False

    async def queued(self, status: str) -> None:
        """In a message of its own, until it begins: the thread's one status line is that of the answer under way."""
        async with self._lock:
            if not self._finished and not self._mode and not self.own.ids and self._is_shown():
                await unbroken(self._waits(status))

    async def progress(self, status: str) -> None:
        """Show what is being done; nothing once there are words to see."""
        async with self._lock:
            if not self._finished and not self._mode and self._is_shown():
                await unbroken(self._told(status))

    async def show(self, text: str, final: bool) -> None:
        """Show the whole text so far, as often as the budget allows; the end is shown by `finish`."""
        async with self._lock:
            # Asked before anything is made of the text: it comes word by word.
            if not self._finished and not final and (not self._mode or self._is_time()):
                await unbroken(self._shown(text))

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end: the answer, one sentence of an error, or nothing of ours any more."""
        async with self._lock:
            await unbroken(self._ended(outcome))

    async def whisper(self, error: RefdeskError) -> None:
        """By direct message."""
        await whisper(self.own.web, self.own.turn, error, self._looks.language)

    # --- growing ---

    async def _waits(self, status: str) -> None:
        await self._placeholder(status)
        self._waiting = bool(self.own.ids)
        if not self._waiting:
            await self.status.set(status)

    async def _begins(self) -> None:
        """What said that it waits stands above the answer it waited for; its own answer belongs below that."""
        if self._waiting:
            self._waiting = False
            await self.own.try_clear()

    async def _told(self, status: str) -> None:
        await self._begins()
        if self.own.ids:
            await self._grow(working(status, self._looks))
        elif not await self.status.set(status) or _now() - self._began > PATIENCE:
            await self._placeholder(status)

    async def _shown(self, text: str) -> None:
        await self._begins()
        if not self._mode:
            self._mode = await self._begin(text)
        elif self._mode == "stream":
            await self._append(text)
        elif self._mode == "update" and self.own.ids:  # else it was deleted: the whole text comes at the end
            await self._grow(self._draft(text))

    def _is_shown(self) -> bool:
        """The first sign of life always; what comes after it, unless others wait for theirs."""
        if self._greeted:
            return not self.own.web.budget.crowded(self.own.team)
        self._greeted = True
        self.own.web.budget.begins(self.own.team)
        return True

    async def _placeholder(self, status: str) -> None:
        """A message that becomes the answer; only where the call that will replace it is sure to be allowed."""
        if not self._may_replace_later():
            return
        try:
            await self.own.try_post(working(status, self._looks))
        except SlackRefused as error:
            log.warning("no placeholder in %s: %s", self.own.target.channel, error)

    async def _begin(self, text: str) -> Literal["stream", "update", "end"]:
        """The first words: how are they shown?"""
        if self.own.web.budget.crowded(self.own.team):
            return "end"
        if not self.own.ids and await self._start_stream(text):
            return "stream"
        if not self.own.ids:
            await self._placeholder(say("status.writing", self._looks.language))
        if not self.own.ids:
            return "end"
        await self._grow(self._draft(text))
        return "update"

    async def _start_stream(self, text: str) -> bool:
        if not self.stream.is_taken or not self._may_replace_later():
            return False
        begun = await self.stream.start(text, direct=self._looks.direct)
        self._shown_at = _now() if begun else self._shown_at
        return begun

    async def _append(self, text: str) -> None:
        match await self.stream.append(text):
            case "grown":
                self._shown_at = _now()
            case "ended":  # the whole text comes at the end
                self._mode = "end"

    async def _grow(self, message: SlackMessage) -> None:
        """Replace what is shown, if it is time and there is room."""
        if self._is_time() and await self.own.try_replace(self.own.ids[0], message):
            self._shown_at = _now()

    def _is_time(self) -> bool:
        return _now() - self._shown_at >= SHOW_EVERY

    def _draft(self, text: str) -> SlackMessage:
        return working(say("status.writing", self._looks.language), self._looks, text)

    # --- ending ---

    async def _ended(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        try:
            await self.own.certain()
            await self._begins()
            await self.stream.end()
            if outcome == "withdrawn":
                await self._take_down()
            elif isinstance(outcome, RefdeskError):
                await self.own.replace_all([failed(outcome.user_message(self._looks.language))])
            else:
                await self.own.replace_all(answered(outcome, self._looks))
            self._finished = True
        finally:
            self._settle()
            await self.status.end(replaced=bool(self.own.ids) and outcome != "withdrawn")

    async def _take_down(self) -> None:
        for ts in self.own.ids:
            if not await self.own.delete(ts):
                await self.own.replace(ts, failed(say("status.withdrawn", self._looks.language)))

    def _may_replace_later(self) -> bool:
        self._owes = self._owes or self.own.web.budget.owe("chat.update", self.own.team)
        return self._owes

    def _settle(self) -> None:
        if self._owes:
            self.own.web.budget.settle("chat.update", self.own.team)
        self._owes = False


def _now() -> float:
    return asyncio.get_running_loop().time()
