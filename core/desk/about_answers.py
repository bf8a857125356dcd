"""What people ask of an answer that is there: why it says so, what its footnotes rest on, whom else to ask, to stop it.

An answer is for whoever reads the channel it stands in; a private one for its asker. All else counts as gone.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from core.access_commands import Named, Staff, may
from core.desk.desk import Desk
from core.desk.explain import explain
from core.desk.feedback import Receiving
from core.desk.passages import FootnoteReading, Opened
from core.desk.visitor import Visitor
from core.errors import AccessDenied, InputError
from core.messages import Turn
from core.ports import Access, TurnCalls, TurnRecord

LOOK, LOOKS = 0.1, 20
"""Seconds between looks for the record of an answer that is shown already, and how many."""


@dataclass(frozen=True, slots=True)
class AnswerStores:
    """The record, as far as it is asked here."""

    record: TurnRecord
    calls: TurnCalls
    access: Access


class AboutAnswers:
    """The use cases. Each raises InputError for an answer that is gone, or not for this visitor."""

    def __init__(
        self, stores: AnswerStores, reading: FootnoteReading, receiving: Receiving, desk: Desk, staff: Staff
    ) -> None:
        self._stores = stores
        self._reading = reading
        self._receiving = receiving
        self._desk = desk
        self._staff = staff

    async def turn(self, turn_id: str, visitor: Visitor) -> Turn:
        """The turn, if its answer stands where the visitor is."""
        turn = await self._stores.record.find(turn_id=turn_id)
        if turn is None or turn.status == "withdrawn" or not _is_for(turn, visitor):
            raise InputError("error.answer_gone")
        return turn

    async def answered(self, turn_id: str, visitor: Visitor) -> Turn:
        """The same once it is on record: an answer is shown a moment before, and somebody may be quick."""
        for _ in range(LOOKS):
            turn = await self.turn(turn_id, visitor)
            if turn.status not in ("waiting", "running"):
                return turn
            await asyncio.sleep(LOOK)
        return turn

    async def why(self, turn_id: str, visitor: Visitor) -> str:
        """Why the answer says what it says, as far as they may read what it rests on."""
        turn = await self.answered(turn_id, visitor)
        return explain(turn, await self._stores.access.readable(visitor.audience), visitor.language)

    async def open(self, turn_id: str, number: int, visitor: Visitor) -> Opened:
        """What stands at a footnote, if they may read it."""
        await self.answered(turn_id, visitor)
        return await self._reading.open(turn_id, number, visitor.audience)

    async def whom(self, turn_id: str, visitor: Visitor) -> Named:
        """Whom to ask instead. Raises InputError when nobody is named."""
        await self.answered(turn_id, visitor)
        named = await self._receiving.owners(turn_id)
        if not named.users and not named.groups:
            raise InputError("error.nobody_to_ask")
        return named

    async def call(self, turn_id: str) -> None:
        """Somebody is about to be called to this turn. Raises InputError when they were already."""
        if not await self._stores.calls.call(turn_id):
            raise InputError("error.called_already")

    async def uncall(self, turn_id: str) -> None:
        """It failed: they may be called again."""
        await self._stores.calls.call(turn_id, called=False)

    async def stop(self, turn_id: str, visitor: Visitor) -> bool:
        """End the run with what it has, for its asker and for admins; False when it had ended."""
        turn = await self.turn(turn_id, visitor)
        is_admin = may("settings", visitor.person, self._staff)
        if turn.author.id != visitor.person.id and not is_admin:
            raise AccessDenied("error.stop_not_yours")
        return await self._desk.stop(turn_id)


def _is_for(turn: Turn, visitor: Visitor) -> bool:
    """A private answer is its asker's wherever they are: one that came late stands in their direct messages."""
    place, key = visitor.audience, turn.key
    is_own = key.platform == place.platform and turn.author.id == visitor.person.id
    if key.private or turn.audience.user is not None:
        return is_own
    if (key.platform, key.workspace) != (place.platform, place.workspace):
        return False
    return is_own or key.channel == place.channel
