"""Hearing a message: is it for us, can it be used, and is it stored? Nothing is answered here."""

from __future__ import annotations

import unicodedata
import uuid

from core.errors import InputError
from core.etiquette import Rules, judge
from core.messages import Accepted, Ignore, Message, Turn
from core.ports import TurnQueue

QUESTION_LIMIT = 8000
"""Characters of a question; a longer one is a paste, not a question."""


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


class Hearing:
    """The use case: a message becomes a stored turn, once."""

    def __init__(self, queue: TurnQueue, rules: Rules) -> None:
        self._queue = queue
        self._rules = rules

    async def hear(self, message: Message) -> Accepted | Ignore:
        """Decide by etiquette, store the turn and return; a redelivery gives the same turn as a duplicate."""
        decision = judge(message, self._rules)
        if isinstance(decision, Ignore):
            return decision
        turn = Turn(
            id=uuid.uuid4().hex[:16],
            identity=message.identity,
            key=message.key,
            author=message.author,
            audience=message.audience,
            question=question_of(message.text),
            target=message.reply_to,
            created_at=message.received_at,
        )
        return await self._queue.accept(turn)
