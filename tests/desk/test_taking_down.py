"""The answer to a deleted question goes: once the deletion is stored, however often it takes, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from adapters.clock import SystemClock
from adapters.memory.replies import MemoryReplies, MemoryReply
from adapters.memory.turns import MemoryRecord, MemoryTurnEdits, MemoryTurnRecord
from core.answers import Answer
from core.desk.taking_down import TakingDown
from core.errors import RefdeskError, StoreError, UpstreamRefused, UpstreamUnsure
from core.messages import Turn
from core.ports import Reply
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.stores.values import a_turn

STANDING = ("100.1", "100.2")


class Stubborn(MemoryReplies):
    """Replies that are not taken down at once: the first tries meet these errors."""

    def __init__(self, *errors: RefdeskError) -> None:
        super().__init__()
        self.errors = list(errors)
        self.tries = 0

    async def open(self, turn: Turn) -> MemoryReply:
        return self.by_turn.setdefault(turn.id, _StubbornReply(self))


class _StubbornReply(MemoryReply):
    def __init__(self, replies: Stubborn) -> None:
        super().__init__()
        self._replies = replies

    async def finish(self, outcome: Answer | RefdeskError | Literal["withdrawn"]) -> None:
        if outcome == "withdrawn":
            self._replies.tries += 1
            if self._replies.errors:
                raise self._replies.errors.pop(0)
        await super().finish(outcome)


@dataclass
class Left:
    """A record with an answer that stands, to a question that was deleted before this process began."""

    record: MemoryRecord
    turn: Turn

    def down(self, replies: MemoryReplies, pauses: tuple[float, ...] = (0.0, 0.0)) -> TakingDown:
        """Of the process that begins now."""
        return TakingDown(replies, MemoryTurnRecord(self.record), MemoryTurnEdits(self.record), pauses)

    @property
    def ids(self) -> Sequence[str]:
        """The messages that stand, as far as the record knows."""
        return self.record.turns[self.turn.id].target.message_ids


def left(platform: str = "slack") -> Left:
    """One."""
    record, turn = MemoryRecord(SystemClock()), a_turn("m1")
    key = replace(turn.key, platform=platform)
    turn = replace(turn, key=key, status="withdrawn", target=replace(turn.target, message_ids=STANDING))
    record.turns[turn.id] = turn
    return Left(record, turn)


async def settled(down: TakingDown) -> None:
    """Nothing is under way any more."""
    async with asyncio.timeout(5):
        while down.busy:
            await asyncio.sleep(0.005)


async def standing(world: World) -> Turn:
    """An answer that stands in two messages."""
    turn = await world.desk.ask(said("How long?", identity="m1"))
    stored = world.record.turns[turn.id]
    world.record.turns[turn.id] = replace(stored, target=replace(stored.target, message_ids=STANDING))
    return turn


async def gone(world: World, turn: Turn) -> None:
    """Until nothing of it stands."""
    async with asyncio.timeout(5):
        while world.record.turns[turn.id].target.message_ids:
            await asyncio.sleep(0.005)


async def test_a_deletion_is_stored_before_the_platform_is_asked_anything() -> None:
    class Stuck(MemoryReplies):
        async def open(self, turn: Turn) -> MemoryReply:
            if turn.status == "withdrawn":
                await asyncio.sleep(60)
            return await super().open(turn)

    async with open_desk(Building(replies=Stuck())) as world:
        turn = await standing(world)
        async with asyncio.timeout(1):
            assert await world.desk.withdraw("chat", "w", "m1") is not None
        assert world.record.turns[turn.id].status == "withdrawn"
        assert world.record.turns[turn.id].target.message_ids == STANDING


async def test_an_answer_that_could_not_be_taken_down_is_tried_again_until_it_is_gone() -> None:
    replies = Stubborn(UpstreamUnsure(), StoreError(), UpstreamUnsure())
    async with open_desk(Building(replies=replies)) as world:
        turn = await standing(world)
        await world.desk.withdraw("chat", "w", "m1")
        await gone(world, turn)
        assert replies.tries == 4
        assert replies.by_turn[turn.id].outcomes[-1] == "withdrawn"


async def test_told_again_of_a_deletion_what_still_stands_is_taken_down() -> None:
    replies = Stubborn(*[UpstreamUnsure()] * 4)
    async with open_desk(Building(replies=replies)) as world:
        turn = await standing(world)
        await world.desk.withdraw("chat", "w", "m1")
        async with asyncio.timeout(5):
            while replies.errors:
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        assert world.record.turns[turn.id].target.message_ids == STANDING  # given up for now
        assert await world.desk.withdraw("chat", "w", "m1") is None
        await gone(world, turn)
        tries = replies.tries
        assert await world.desk.withdraw("chat", "w", "m1") is None
        await asyncio.sleep(0.02)
        assert replies.tries == tries


async def test_what_an_earlier_process_left_standing_is_taken_down_at_the_start() -> None:
    there, elsewhere, replies = left(), left("discord"), MemoryReplies()
    there.record.turns[elsewhere.turn.id + "-2"] = replace(elsewhere.turn, id=elsewhere.turn.id + "-2")
    down = there.down(replies)
    down.resume(frozenset({"slack"}))
    await settled(down)
    assert there.ids == ()
    assert list(replies.by_turn) == [there.turn.id]
    assert replies.by_turn[there.turn.id].outcomes == ["withdrawn"]
    assert replies.let_go_of == [there.turn.run]


async def test_a_desk_takes_it_up_when_it_opens() -> None:
    there = left("chat")
    async with open_desk(Building(record=there.record)) as world:
        await gone(world, there.turn)


async def test_what_a_platform_refuses_to_take_down_is_left_for_the_next_start() -> None:
    there, replies = left(), Stubborn(UpstreamRefused())
    down = there.down(replies)
    down.begin(there.turn)
    await settled(down)
    assert replies.tries == 1
    assert there.ids == STANDING


async def test_at_most_a_few_are_taken_down_side_by_side_and_the_end_of_the_process_ends_them() -> None:
    there, at_once, most = left(), 0, 0

    class Slow(MemoryReplies):
        async def open(self, turn: Turn) -> Reply:  # type: ignore[override]
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            try:
                await asyncio.sleep(60)
            finally:
                at_once -= 1
            return await super().open(turn)

    down = there.down(Slow())
    for number in range(20):
        down.begin(replace(there.turn, id=f"turn-{number}"))
        down.begin(replace(there.turn, id=f"turn-{number}"))
    await asyncio.sleep(0.02)
    assert 0 < most < 10
    await down.close()
    assert (at_once, down.busy) == (0, False)
