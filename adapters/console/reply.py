"""Replies on a terminal or a pipe: a status line while work goes on, the answer as it grows, the footnotes.

Knows how text is printed; knows nothing of sessions, retrieval or wording of its own.
"""

from __future__ import annotations

from typing import Literal

from adapters.console.render import footer
from adapters.console.screen import Screen, columns, fitting
from core.answers import Answer
from core.desk.speaking import question_language
from core.errors import RefdeskError
from core.messages import Language, Message, Turn

__all__ = ["ConsoleReplies", "ConsoleReply", "Screen"]

_CLEAR_LINE = "\r\x1b[2K"


class ConsoleReply:
    """One reply. Text is only ever appended; what was printed and then changed is printed again whole."""

    def __init__(self, screen: Screen, language: Language, *, quiet: bool = False) -> None:
        self.failure: RefdeskError | None = None
        self.finished = False
        self._screen = screen
        self._language = language
        self._quiet = quiet
        self._printed = ""
        self._status = False

    async def queued(self, status: str) -> None:
        """On the line that shows what is being done."""
        await self.progress(status)

    async def progress(self, status: str) -> None:
        """Show what is being done on one line that later vanishes; nothing where lines can't vanish."""
        if self._quiet or self._printed or not self._screen.live:
            return
        self._screen.remark(f"{_CLEAR_LINE}\x1b[2m{fitting(status, columns())}\x1b[0m")
        self._status = True

    async def show(self, text: str, final: bool) -> None:
        """Print what the text has gained; drafts only on a terminal, where they can be seen to grow."""
        if self._quiet or not (final or self._screen.live):
            return
        self._clear()
        self._screen.write(text[len(self._printed) :] if text.startswith(self._printed) else f"\n{text}")
        self._printed = text

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        """Print the rest: footnotes, notes and standing, or the one sentence of an error."""
        self._clear()
        self.finished = True
        self.failure = outcome if isinstance(outcome, RefdeskError) else None
        if self._quiet or outcome == "withdrawn":
            return
        if isinstance(outcome, RefdeskError):
            self._screen.remark(outcome.user_message(self._language) + "\n")
            return
        await self.show(outcome.text, final=True)
        self._screen.write("\n" + footer(outcome, self._language) + "\n")

    async def whisper(self, error: RefdeskError) -> None:
        """Nobody else reads a terminal."""
        await self.finish(error)

    def _clear(self) -> None:
        if self._status:
            self._screen.remark(_CLEAR_LINE)
            self._status = False


class ConsoleReplies:
    """Opens console replies; `quiet` leaves the printing to the caller (for ``--json``).

    Only what was asked at this screen is printed on it. A question that another process left behind, or
    that another terminal asked, is answered for the record alone.
    """

    def __init__(self, screen: Screen, *, quiet: bool = False) -> None:
        self._screen = screen
        self._quiet = quiet
        self._asked: dict[str, ConsoleReply | None] = {}
        self._last: ConsoleReply | None = None

    @property
    def failure(self) -> RefdeskError | None:
        """Why the last reply is no answer."""
        return self._last.failure if self._last else None

    def expect(self, message: Message) -> None:
        """A question of this screen: its answer belongs here."""
        self._asked[message.identity] = None

    async def open(self, turn: Turn) -> ConsoleReply:
        """The reply of a turn, in the language of its question."""
        here = turn.identity in self._asked
        reply = ConsoleReply(self._screen, question_language(turn.question), quiet=self._quiet or not here)
        if here:
            self._asked[turn.identity] = self._last = reply
        return reply

    def let_go(self, turn: Turn) -> None:
        """Nothing of a reply goes on by itself here."""

    async def settle(self, turn: Turn) -> None:
        """The turn has ended: print it now if it was another process that answered it."""
        reply = self._asked.pop(turn.identity, None)
        if reply is not None and reply.finished:
            return
        reply = self._last = ConsoleReply(self._screen, question_language(turn.question), quiet=self._quiet)
        await reply.finish("withdrawn" if turn.status == "withdrawn" else turn.answer or _failure(turn))


def _failure(turn: Turn) -> RefdeskError:
    """The failure that another process recorded: only its id is known here."""
    error = RefdeskError()
    error.id = turn.error_id or error.id
    return error
