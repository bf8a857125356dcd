"""What people think of an answer: thumbs, what was wrong with it, and what an owner writes instead."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.access_commands import Named, Person, Staff, may
from core.access_corrections import Takes
from core.desk.hear import cleaned
from core.errors import AccessDenied, InputError
from core.feedback import COMMENT_LIMIT, Correction, Feedback, Thumb
from core.messages import Turn
from core.ports import Clock, CorrectionStore, FeedbackStore, TurnRecord

Saved = Callable[[Correction], Awaitable[None]]
"""Told of each new correction: its collection wants a sync."""


@dataclass(frozen=True, slots=True)
class Received:
    """A thumb that was kept: whether its giver could say what is right."""

    turn: Turn
    may_correct: bool


@dataclass(frozen=True, slots=True)
class Instead:
    """What an owner writes: the question it answers, the answer, and where it was said."""

    question: str
    text: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class ReceivingStores:
    """Where it is kept."""

    feedback: FeedbackStore
    corrections: CorrectionStore
    record: TurnRecord


class Receiving:
    """The use cases. Corrections are taken only where a collection takes them (`takes`), and it is told (`saved`)."""

    def __init__(
        self,
        stores: ReceivingStores,
        staff: Staff,
        clock: Clock,
        saved: Saved | None = None,
        takes: Takes = lambda about: True,
    ) -> None:
        self._feedback = stores.feedback
        self._corrections = stores.corrections
        self._record = stores.record
        self._staff = staff
        self._clock = clock
        self._saved = saved
        self._takes = takes

    async def rate(self, turn_id: str, person: Person, thumb: Thumb) -> Received:
        """Keep a thumb; the last one counts. Raises InputError for an answer that is gone."""
        return await self._keep(turn_id, person, thumb, "")

    async def comment(self, turn_id: str, person: Person, text: str) -> Received:
        """Keep what was wrong. Raises InputError when there is nothing in it, or too much."""
        return await self._keep(turn_id, person, "down", _sized(text))

    async def correct(self, turn_id: str, person: Person, instead: Instead) -> Correction:
        """Keep what is right as a document of its own. Raises AccessDenied for whoever owns none of the sources."""
        turn = await self._turn(turn_id)
        if self._saved is None or not self._may_correct(turn, person):
            raise AccessDenied(detail=f"correction of {turn_id} by {person.name}")
        question, text = _sized(instead.question), _sized(instead.text)
        id_ = hashlib.sha256(f"{turn_id} {person.name}".encode()).hexdigest()[:16]  # said again, it replaces itself
        about = about_collections(turn)
        correction = Correction(id_, question, text, person.name, self._clock.now(), about, instead.link)
        await self._corrections.put(correction)
        await self._saved(correction)
        return correction

    async def owners(self, turn_id: str) -> Named:
        """The people and groups to ask where an answer does not do: owners of its sources, else the admins."""
        turn = await self._turn(turn_id)
        return self._staff.asked(about_collections(turn))

    async def _keep(self, turn_id: str, person: Person, thumb: Thumb, comment: str) -> Received:
        turn = await self._turn(turn_id)
        await self._feedback.put(Feedback(turn_id, person.name, thumb, self._clock.now(), comment))
        return Received(turn, self._saved is not None and self._may_correct(turn, person))

    async def _turn(self, turn_id: str) -> Turn:
        turn = await self._record.find(turn_id=turn_id)
        if turn is None or turn.status == "withdrawn":
            raise InputError("error.answer_gone")
        return turn

    def _may_correct(self, turn: Turn, person: Person) -> bool:
        names = about_collections(turn)
        owns = any(may("correct", person, self._staff, name) for name in names)
        return self._takes(names) and (owns or may("correct", person, self._staff))


def about_collections(turn: Turn) -> tuple[str, ...]:
    """The collections an answer rests on: those it cites, else those it names or was looked for in."""
    answer = turn.answer
    if answer is None:
        return ()
    shown = [each.collection for each in (answer.citations or answer.nearest) if each.origin == "index"]
    searched = [name for name in answer.searched if name != "web"]
    return tuple(dict.fromkeys(shown or searched))


def _sized(text: str) -> str:
    kept = cleaned(text)
    if not kept:
        raise InputError("error.comment_empty")
    if len(kept) > COMMENT_LIMIT:
        raise InputError("error.comment_long", length=len(kept), limit=COMMENT_LIMIT)
    return kept
