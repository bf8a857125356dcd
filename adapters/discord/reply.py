"""One reply in Discord, from the first sign of life to the finished answer; its owner is the only one who writes to it.

A status message stands there at once and becomes the answer. It is edited at most once a second, and never waited for
while it grows: whatever breaks on the way, the reply ends in the whole answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from typing import Literal

from adapters.discord.looks import DiscordMessage, answered, failed, working
from adapters.discord.mail import ChannelMail
from adapters.discord.own import OwnMessages
from adapters.discord.pace import Pace
from adapters.discord.trouble import NOWHERE, DiscordRefused
from core.answers import Answer
from core.desk.speaking import question_language
from core.errors import RefdeskError
from core.messages import Turn
from core.presenting import Looks
from core.wording import say

log = logging.getLogger(__name__)

SHOW_EVERY = 1.1
"""Seconds between two showings of a growing message."""

TYPING_EVERY = 8.0
"""Discord takes “is typing” down after ten."""

PATIENCE = 10.0
"""Seconds that the end waits for a showing that is under way."""


@dataclass
class DiscordReply:
    """The reply of one turn in a thread, a direct message, or to one person."""

    own: OwnMessages
    pace: Pace
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _shown_at: float = -60.0
    _typed_at: float = -60.0
    _growing: asyncio.Task[None] | None = None
    _words: str = ""
    _refused: DiscordRefused | None = None
    _finished: bool = False

    @property
    def _looks(self) -> Looks:
        turn = self.own.turn
        private = turn.target.visibility == "private"
        return Looks(turn.id, question_language(turn.question), private, direct=turn.key.thread == "dm")

    def goes_on(self, turn: Turn) -> None:
        """The same try, claimed now."""
        self.own.turn = turn

    async def recover(self) -> None:
        """Take up what is there."""
        async with self._lock:
            await self.own.recover()

    def let_go(self) -> None:
        """Nothing goes on by itself but a showing that is under way."""

    async def begin_again(self, turn: Turn) -> None:
        """A new revision of the turn, or another try: what is shown becomes its answer."""
        async with self._lock:
            await self._settled()
            self.own.turn = turn
            self._words, self._finished, self._refused = "", False, None

    async def queued(self, status: str) -> None:
        """In the message that becomes the answer."""
        await self.progress(status)

    async def progress(self, status: str) -> None:
        """Show what is being done, under the words that there are."""
        async with self._lock:
            if self._finished or self._refused:
                return
            if self.own.ids:
                self._grow(working(status, self._looks, self._words))
            else:
                await self._begun(working(status, self._looks))
            await self._type()

    async def show(self, text: str, final: bool) -> None:
        """Show the whole text so far; the end is shown by `finish`."""
        async with self._lock:
            if self._finished or self._refused or final:
                return
            self._words = text
            draft = working(say("status.writing", self._looks.language), self._looks, text)
            if self.own.ids:
                self._grow(draft)
            else:
                await self._begun(draft)

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end: the answer, one sentence of an error, or nothing of ours any more."""
        async with self._lock:
            await self._settled()
            try:
                await self._ended(outcome)
            except DiscordRefused as error:
                if error.code not in NOWHERE:
                    raise
                log.warning("the reply to %s can't be shown: %s", self.own.turn.run, error)
                await self.whisper(error)
            self._finished = True

    async def _ended(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        if outcome == "withdrawn":
            for id in self.own.ids:
                if not await self.own.delete(id):
                    await self.own.replace(id, failed(say("status.withdrawn", self._looks.language)))
        elif isinstance(outcome, RefdeskError):
            await self.own.replace_all([failed(outcome.user_message(self._looks.language))])
        else:
            await self.own.replace_all(answered(outcome, self._looks))

    async def _begun(self, message: DiscordMessage) -> None:
        """The first message; a place that takes none is not asked again before the end."""
        try:
            await self.own.post(message)
        except DiscordRefused as error:
            self._refused = error
            raise
        self._shown_at = _now()

    def _grow(self, message: DiscordMessage) -> None:
        """Replace what is shown, if it is time and Discord is asked for nothing else; the run goes on meanwhile."""
        under_way = self._growing is not None and not self._growing.done()
        if not under_way and _now() - self._shown_at >= SHOW_EVERY and self.pace.is_easy:
            self._shown_at = _now()
            self._growing = asyncio.create_task(self._replaced(message), name=f"showing {self.own.turn.run}")

    async def _replaced(self, message: DiscordMessage) -> None:
        try:
            if self.own.ids:
                await self.own.replace(self.own.ids[0], message)
        except RefdeskError as error:
            log.info("a message of %s was not updated: %s", self.own.turn.run, error)

    async def _settled(self) -> None:
        """Nothing is under way that could come after the end."""
        if self._growing is not None:
            await asyncio.wait({self._growing}, timeout=PATIENCE)
            self._growing.cancel()
            await asyncio.gather(self._growing, return_exceptions=True)
            self._growing = None

    async def _type(self) -> None:
        if _now() - self._typed_at < TYPING_EVERY or not self.pace.is_easy:
            return
        self._typed_at = _now()
        with contextlib.suppress(RefdeskError):
            await (await self.own.mail()).typing()

    async def whisper(self, error: RefdeskError) -> None:
        """Who asked is told why there is no answer where they asked; where they take no messages, nobody can be."""
        if self.own.turn.quiet or self.own.turn.author.is_bot:
            return
        try:
            place = await self.own.rooms.direct(self.own.target)
            text = say("reply.elsewhere", self._looks.language, why=error.user_message(self._looks.language))
            mail = ChannelMail(self.own.rooms.client, place.channel)
            await mail.post(failed(text), f"{self.own.turn.id[:20]}-dm")
        except RefdeskError as told:
            log.warning("nobody could be told of %s: %s", self.own.turn.run, told)


def _now() -> float:
    return asyncio.get_running_loop().time()
