"""One reply in Discord, from the first sign of life to the finished answer; its owner is the only one who writes to it.

A status message stands there soon and becomes the answer. It is edited at most once a second, and never waited for
while it grows: whatever breaks on the way, the reply ends in the whole answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal

from adapters.discord.insisting import insisted
from adapters.discord.looks import DiscordMessage, answered, failed, working
from adapters.discord.mail import ChannelMail
from adapters.discord.own import OwnMessages
from adapters.discord.pace import Pace
from adapters.discord.rooms import titled
from adapters.discord.trouble import NOWHERE, DiscordRefused
from core.answers import Answer
from core.desk.speaking import question_language
from core.desk.unbroken import unbroken
from core.errors import RefdeskError, TurnTaken
from core.messages import Language, Turn
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
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    """What is under way here, of all replies that share it."""
    language: Language = "en"
    _ending: asyncio.Lock = field(default_factory=asyncio.Lock)
    _shown_at: float = -60.0
    _typed_at: float = -60.0
    _growing: asyncio.Task[None] | None = None
    _typing: asyncio.Task[None] | None = None
    _words: str = ""
    _still: bool = False
    """Whether it grows no more before its end: there is none to wait for, or Discord won't have it."""
    _nowhere: DiscordRefused | None = None

    @property
    def _looks(self) -> Looks:
        turn = self.own.turn
        private = turn.target.visibility == "private"
        language = question_language(turn.question, self.language)
        return Looks(turn.id, language, private, direct=turn.key.thread == "dm")

    def goes_on(self, turn: Turn) -> None:
        """The same try, claimed now."""
        self.own.turn = turn

    async def recover(self) -> None:
        """Take up what is there."""
        async with self._ending:
            await self._settled()
            await self.own.recover()

    def let_go(self) -> None:
        """Nothing goes on by itself; what of it Discord has done all the same is found by who is at the turn next."""
        self._still = True
        for task in (self._growing, self._typing):
            if task is not None:
                task.cancel()

    async def begin_again(self, turn: Turn) -> None:
        """A new revision of the turn, or another try: what is shown becomes its answer."""
        async with self._ending:
            await self._settled()
            self.own.turn = turn
            self._words, self._still, self._nowhere = "", False, None

    async def queued(self, status: str) -> None:
        """In the message that becomes the answer."""
        await self.progress(status)

    async def progress(self, status: str) -> None:
        """Show what is being done, under the words that there are."""
        if self._is_time():
            self._grow(working(status, self._looks, self._words))

    async def show(self, text: str, final: bool) -> None:
        """Show the whole text so far; the end is shown by `finish`."""
        self._words = text
        if not final and self._is_time():  # asked before anything is made of the text: it comes word by word
            self._grow(working(say("status.writing", self._looks.language), self._looks, text))

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """The end: the answer, one sentence of an error, or nothing of ours any more."""
        async with self._ending:
            await unbroken(self._ended(outcome))

    async def whisper(self, error: RefdeskError) -> None:
        """By direct message."""
        why = say("reply.elsewhere", self._looks.language, why=error.user_message(self._looks.language))
        place = await insisted(lambda: self.own.rooms.direct(self.own.target))
        mail = ChannelMail(self.own.rooms.client, place.channel)
        await insisted(lambda: mail.post(failed(why), f"{self.own.turn.id[:20]}-dm"))

    # --- growing ---

    def _is_time(self) -> bool:
        """The first message always; what is left out otherwise comes with the next words, or with the end."""
        under_way = self._growing is not None and not self._growing.done()
        if self._still or under_way or self._ending.locked() or _now() - self._shown_at < SHOW_EVERY:
            return False
        return not self.own.ids or self.pace.spares()

    def _grow(self, message: DiscordMessage) -> None:
        """Show it; the run goes on meanwhile."""
        self._shown_at = _now()
        self._growing = self._begun(self._shown(message))

    async def _shown(self, message: DiscordMessage) -> None:
        try:
            await self.own.certain()
            if not self.own.ids:
                await self.own.post(message)
            elif not await self.own.replace(self.own.ids[0], message):
                self._still = bool(self.own.ids)  # it can't be changed any more
        except (DiscordRefused, TurnTaken) as error:
            self._still = True
            log.info("nothing of %s is shown before its end: %s", self.own.turn.run, error)
        except Exception as error:  # noqa: BLE001  # of a store's too; the finished answer is what counts
            log.warning("how far %s is could not be shown: %r", self.own.turn.run, error)
        self._type()

    def _type(self) -> None:
        if self.own.ids and not self._still and _now() - self._typed_at >= TYPING_EVERY and self.pace.spares():
            self._typed_at = _now()
            self._typing = self._begun(self._typed())

    async def _typed(self) -> None:
        with contextlib.suppress(RefdeskError):
            await self.own.typing()

    def _begun(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=f"showing {self.own.turn.run}")
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    # --- ending ---

    async def _ended(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        await self._settled()
        self._still = True
        try:
            if self._nowhere is not None and isinstance(outcome, RefdeskError):
                raise self._nowhere  # where the answer could not stand there is no place for why
            await self._said(outcome)
        except DiscordRefused as error:
            self._nowhere = error if error.code in NOWHERE else None
            if isinstance(outcome, RefdeskError):
                await self._cleared()
            raise

    async def _said(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        await self.own.certain()
        if outcome == "withdrawn":
            await self._taken_down()
            return
        if isinstance(outcome, RefdeskError):
            await self.own.replace_all([failed(outcome.user_message(self._looks.language))])
        else:
            await self.own.replace_all(answered(outcome, self._looks))
        if self.own.turn.revision > 1 and self.own.thread:
            await self.own.rooms.named(self.own.thread, titled(self.own.turn.question))

    async def _taken_down(self) -> None:
        """All of it; where we know of nothing, a process that is no more may have posted something."""
        if not self.own.ids:
            await self.own.look()
        thread = self.own.thread
        for id in self.own.ids:
            if not await self.own.delete(id):
                await self.own.replace(id, failed(say("status.withdrawn", self._looks.language)))
        if thread:
            await self.own.rooms.wordless(thread, self._looks.language)

    async def _cleared(self) -> None:
        """What says that we are still at it goes at least, where that is possible."""
        for id in self.own.ids:
            with contextlib.suppress(RefdeskError):
                await self.own.delete(id)

    async def _settled(self) -> None:
        """Nothing is under way that could come after the end."""
        if self._typing is not None:
            self._typing.cancel()
        if self._growing is not None:
            await asyncio.wait({self._growing}, timeout=PATIENCE)
            self._growing.cancel()
            await asyncio.gather(self._growing, return_exceptions=True)
            self._growing = None


def _now() -> float:
    return asyncio.get_running_loop().time()
