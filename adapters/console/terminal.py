"""The terminal as a platform: threads, typed messages, and the line that is read."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from adapters.console.messages import new_thread, thread_key, typed
from adapters.console.progress import SyncScreen
from adapters.console.reply import ConsoleReplies
from adapters.console.screen import Screen
from core.errors import RefdeskError, StoreError
from core.messages import Language, Message, SessionKey, Turn
from core.ports import Clock


class Terminal:
    """One person at one terminal. A run is a thread, until they start another."""

    def __init__(self, screen: Screen, clock: Clock, language: Language) -> None:
        self._screen = screen
        self.language = language
        self._clock = clock
        self._prompt: Any = None
        self._replies: ConsoleReplies | None = None

    def replies(self, *, quiet: bool) -> ConsoleReplies:
        """Where answers are printed; `quiet` leaves the printing to the caller."""
        self._replies = ConsoleReplies(self._screen, quiet=quiet)
        return self._replies

    @property
    def failure(self) -> RefdeskError | None:
        """Why the last reply is no answer."""
        return self._replies.failure if self._replies else None

    def check_written(self) -> None:
        """Raises StoreError when what was said could not be written; that nobody reads on is no error."""
        if self._screen.lost is not None:
            raise StoreError("error.output", what=self._screen.lost.strerror or str(self._screen.lost))

    def thread(self) -> str:
        """A name for a new thread."""
        return new_thread()

    def key(self, thread: str) -> SessionKey:
        """The session of a thread."""
        return thread_key(thread)

    def message(self, text: str, thread: str) -> Message:
        """What was typed, as a message in that thread."""
        message = typed(text, thread, self._clock.now())
        if self._replies is not None:
            self._replies.expect(message)
        return message

    async def settle(self, turn: Turn) -> None:
        """The turn has ended: see that its answer was printed, whichever process gave it."""
        if self._replies is not None:
            await self._replies.settle(turn)

    def syncing(self, collection: str) -> SyncScreen:
        """Where the sync of a collection is shown."""
        return SyncScreen(self._screen, self.language, collection)

    def say(self, text: str) -> None:
        """Print one remark of our own."""
        self._screen.write(text + "\n")

    def remark(self, text: str) -> None:
        """Print something in passing, beside the answers."""
        self._screen.remark(text + "\n")

    async def line(self) -> str:
        """The next line typed; raises EOFError at the end of input, KeyboardInterrupt on Ctrl-C."""
        if not sys.stdin.isatty():
            read: str = await asyncio.to_thread(sys.stdin.readline)
            if not read:
                raise EOFError
            return read
        line: str = await self._session().prompt_async("› ")
        return line

    def _session(self) -> Any:
        if self._prompt is None:
            from prompt_toolkit import PromptSession  # a heavy import that only a live terminal needs

            self._prompt = PromptSession()
        return self._prompt
