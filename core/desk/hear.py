"""Hearing a message: is it for us, can it be used, and is it stored? Nothing is answered here."""

from __future__ import annotations

import unicodedata
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Protocol

from core.asking import opens_with_question, pleads
from core.errors import InputError
from core.etiquette import STRANGER, Attendance, Rules, judge
from core.messages import Accepted, Halt, Halted, Hush, Ignore, Message, Respond, SessionKey, Turn
from core.ports import Attendances, Clock, TurnQueue

QUESTION_LIMIT = 8000
"""Characters of a question; a longer one is a paste, not a question."""

HELD = timedelta(seconds=5)
"""How long who heard a question has it to itself, to show the first sign of life on it."""

IN_A_ROW = timedelta(minutes=10)
"""How long programs' questions in a channel count as following on one another."""

Heard = Accepted | Ignore | Hush | Halt | Halted | Respond
"""What became of a message: a turn; nothing; our silence in its thread; answers that end; or a wish for help."""


def cleaned(text: str) -> str:
    """The question as it is stored: NFC, no control characters, trimmed."""
    composed = unicodedata.normalize("NFC", text)
    kept = (char if unicodedata.category(char)[0] != "C" or char in "\n\t\u200d" else " " for char in composed)
    return "".join(kept).strip()


def question_of(text: str) -> str:
    """A usable question; raises InputError for an empty one and for one that is too long."""
    question = cleaned(text)
    if not question:
        raise InputError("error.question_empty")
    if len(question) > QUESTION_LIMIT:
        raise InputError("error.question_long", length=len(question), limit=QUESTION_LIMIT)
    return question


Complete = Callable[[Message], Awaitable[Message]]
"""Adds to a message what its event did not tell."""


class ChannelRules(Protocol):
    """How talkative each channel wants us."""

    async def rules(self, key: SessionKey) -> Rules:
        """Those of the session's channel, as they hold now."""
        ...


@dataclass(frozen=True, slots=True)
class SameRules:
    """The same rules everywhere."""

    everywhere: Rules = field(default_factory=Rules)

    async def rules(self, key: SessionKey) -> Rules:
        """Those."""
        return self.everywhere


@dataclass(frozen=True, slots=True)
class Ear:
    """What hearing asks: how channels want us, who takes part in a thread, what time it is.

    `owner` is the process that hears; without one a turn is anybody's at once.
    """

    rules: ChannelRules = field(default_factory=SameRules)
    attendances: Attendances | None = None
    clock: Clock | None = None
    owner: str = ""


class Hearing:
    """The use case: a message becomes a stored turn, once."""

    def __init__(self, queue: TurnQueue, ear: Ear) -> None:
        self._queue = queue
        self._ear = ear

    async def hear(self, message: Message, complete: Complete | None = None) -> Heard:
        """Decide by etiquette, store the turn and return; a redelivery gives the same turn as a duplicate.

        `complete` looks up what a platform has to ask for (names, groups, who reads along), once the message is for
        us. Raises InputError for a question that can't be used.
        """
        rules = await self._ear.rules.rules(message.key)
        attendance = await self._attendance(message, rules)
        decision = judge(message, rules, attendance)
        if isinstance(decision, Hush) and self._ear.attendances is not None:
            await self._ear.attendances.hush(message.key, True)
        unsaid = message.in_thread and not attendance.askers and pleads(message.text)
        if not isinstance(decision, Respond) or not (message.text.strip() or unsaid):
            return decision
        whole = await complete(message) if complete else message
        if unsaid and opens_with_question(whole.opening):
            whole = replace(whole, text=whole.opening)  # nobody has put it to us yet
        if not whole.text.strip():
            return decision
        try:
            turn = self._turn(whole, quiet=decision.quiet)
        except InputError:
            if decision.quiet:  # nobody put it to us, so nobody is told what is wrong with it
                return Ignore("no usable question")
            raise
        return await self._queue.accept(turn)

    async def _attendance(self, message: Message, rules: Rules) -> Attendance:
        """Only what the decision can depend on is looked up: most messages of a workspace are nothing to us."""
        matters = message.author.is_bot or message.in_thread or message.in_our_thread
        if self._ear.attendances is None or not matters or (rules.mode == "mention" and not message.mentions_us):
            return STRANGER
        attendance = await self._ear.attendances.attendance(message.key)
        if not message.author.is_bot:
            return attendance
        # A program that answers us with a mention at the root of the channel begins a session each time.
        lately = await self._ear.attendances.programs(message.key, message.received_at - IN_A_ROW)
        return replace(attendance, bots=max(attendance.bots, lately))

    def _turn(self, message: Message, *, quiet: bool) -> Turn:
        owner, clock = self._ear.owner or None, self._ear.clock
        return Turn(
            id=uuid.uuid4().hex[:16],
            identity=message.identity,
            key=message.key,
            author=message.author,
            audience=message.audience,
            question=question_of(message.text),
            target=message.reply_to,
            created_at=message.received_at,
            quiet=quiet,
            owner=owner if clock else None,
            lease_until=clock.now() + HELD if clock and owner else None,
        )
