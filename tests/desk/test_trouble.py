"""What goes wrong around a run: stores and replies that fail, turns that are lost, forgotten or too many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from adapters.clock import SystemClock
from adapters.memory.replies import MemoryReplies, MemoryReply
from adapters.memory.turns import MemoryRecord, MemoryTurnEdits, MemoryTurnQueue
from core.access import Visible
from core.answers import Answer, Citation, Plan
from core.desk.answer import ATTEMPTS
from core.desk.lease import Keeping, while_ours
from core.errors import Busy, RefdeskError, StoreError
from core.messages import Accepted, Message, Turn
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, ListedSearcher, passage

Outcome = Answer | RefdeskError | Literal["withdrawn"]


async def test_more_questions_than_are_answered_at_once_all_get_their_answer() -> None:
    cast = Cast(searcher=ListedSearcher([[]], delay=0.05))
    async with open_desk(Building(cast)) as world, asyncio.timeout(20):
        turns = await asyncio.gather(*(world.desk.ask(said(f"q {n}", thread=f"t{n}")) for n in range(30)))
        assert {turn.status for turn in turns} == {"answered"}


async def test_a_store_that_fails_for_a_moment_does_not_end_the_desk() -> None:
    class Moody(MemoryTurnQueue):
        failures = 2

        async def claim(self, owner: str, lease: timedelta, platforms: frozenset[str] | None = None) -> Turn | None:
            if self.failures:
                self.failures -= 1
                raise StoreError("error.store_access", path="refdesk.sqlite", what="disk full")
            return await super().claim(owner, lease)

    async with open_desk(Building(queue=Moody)) as world, asyncio.timeout(20):
        assert (await world.desk.ask(said("How long?"))).status == "answered"


class Broken(MemoryReplies):
    """Replies of one turn that fail where they are told to; those of others are in order."""

    def __init__(self, turn_id: str, where: str) -> None:
        super().__init__()
        self._turn_id = turn_id
        self._where = where

    async def open(self, turn: Turn) -> MemoryReply:
        if self._turn_id not in (turn.id, ""):
            return await super().open(turn)
        if self._where == "open":
            raise ConnectionResetError("secret detail")
        return self.by_turn.setdefault(turn.id, _BrokenReply(self._where))


class _BrokenReply(MemoryReply):
    def __init__(self, where: str) -> None:
        super().__init__()
        self._where = where

    async def progress(self, status: str) -> None:
        if self._where == "progress":
            raise ConnectionResetError("secret detail")

    async def finish(self, outcome: Outcome) -> None:
        if self._where == "finish":
            raise ConnectionResetError("secret detail")
        await super().finish(outcome)


async def test_a_status_that_cannot_be_shown_costs_no_step() -> None:
    async with open_desk(Building(replies=Broken("", "progress"))) as world:
        turn = await world.desk.ask(said("How long?"))
        assert turn.answer is not None
        assert len(world.cast.planner.requests) == 1
        assert not [event for event in turn.answer.trace if "failed" in event.detail]


@pytest.mark.parametrize("where", ["open", "finish"])
async def test_who_asks_hears_of_a_broken_reply_in_a_sentence_of_ours(where: str) -> None:
    async with open_desk(Building(replies=Broken("", where))) as world:
        with pytest.raises(RefdeskError) as caught:
            await world.desk.ask(said("How long?"))
        assert "secret" not in caught.value.user_message("en")


@pytest.mark.parametrize("where", ["open", "finish"])
async def test_a_turn_whose_reply_never_works_ends_and_lets_its_session_go_on(where: str) -> None:
    building = Building(replies=Broken("stuck", where))
    message = said("How long?")
    async with open_desk(building) as world, asyncio.timeout(20):
        await world.queue.accept(replace(_turn("stuck", message), attempts=ATTEMPTS))
        after = await world.desk.ask(said("and then?"))
        assert after.status == "answered"
        stuck = world.record.turns["stuck"]
        assert (stuck.status, bool(stuck.error_id)) == ("failed", True)


async def test_a_session_forgotten_during_a_run_gets_no_answer_and_keeps_nobody_waiting() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[]], delay=0.2)))) as world, asyncio.timeout(20):
        message = said("How long?")

        async def forget(turn: Turn) -> None:
            assert await world.desk.forget(turn.key) == 1

        turn = await _asked_and(world, message, forget)
        assert turn.status == "withdrawn"
        assert world.replies.by_turn[turn.id].outcomes == ["withdrawn"]
        assert world.record.turns == {}


async def test_a_turn_taken_over_is_finished_by_its_new_owner_alone_and_still_awaited() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[]], delay=0.2)))) as world, asyncio.timeout(20):

        async def take_over(turn: Turn) -> None:
            world.record.turns[turn.id] = replace(world.record.turns[turn.id], owner="another process")
            await asyncio.sleep(1)
            done = replace(world.record.turns[turn.id], status="answered", answer=Answer("elsewhere", "supported"))
            world.record.turns[turn.id] = done

        turn = await _asked_and(world, said("How long?"), take_over)
        assert turn.answer is not None
        assert turn.answer.text == "elsewhere"
        assert world.replies.by_turn[turn.id].outcomes == []


async def test_a_run_that_an_edit_replaced_leaves_nothing_behind() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=0.2)))) as world:
        replaced: list[Turn] = []

        async def edit(turn: Turn) -> None:
            replaced.append(turn)
            assert await MemoryTurnEdits(world.record).revise(turn.id, "How long now?")

        async with asyncio.timeout(20):
            ended = await _asked_and(world, said("How long?"), edit)
        assert (ended.status, ended.revision) == ("answered", replaced[0].revision + 1)
        assert await world.shelf.get(replaced[0].run, ["a"]) == []


async def test_a_lease_that_cannot_be_renewed_for_a_moment_is_not_lost() -> None:
    class Moody(MemoryTurnQueue):
        async def renew(self, turn: Turn, lease: timedelta) -> bool:
            raise Busy

    async def work() -> str:
        await asyncio.sleep(0.1)
        return "done"

    queue = Moody(MemoryRecord(SystemClock()))
    assert await while_ours(Keeping(queue, timedelta(seconds=0.03)), _turn("t", said("q")), work()) == "done"


async def test_closing_the_desk_gives_its_turns_back_at_once() -> None:
    building = Building(Cast(searcher=ListedSearcher([[]], delay=30)))
    async with open_desk(building) as world:
        await world.desk.hear(said("How long?"))
        while not building.cast.searcher.asked:
            await asyncio.sleep(0.01)
    assert await world.queue.claim("the next process", timedelta(seconds=30)) is not None


async def test_what_rests_on_a_collection_that_may_no_longer_be_read_leaves_the_history() -> None:
    building = Building(visibility=(Visible("docs"),))
    async with open_desk(building) as world:
        cited = Answer("Ann earns 5 [1].", "supported", (Citation(1, "wiki", "pay.md", "p", "Pay"),))
        named = Answer("Not in wiki.", "not_found", nearest=(Citation(1, "wiki", "pay.md", "p", "Pay"),))
        for number, answer in enumerate([cited, named]):
            old = _turn(f"old{number}", said(f"pay {number}"))
            world.record.turns[old.id] = replace(old, status="answered", answer=answer)
        await world.desk.ask(said("and Bob?"))
        assert world.cast.planner.requests[0].history == ()


async def test_a_direct_message_begins_anew_after_half_an_hour() -> None:
    async with open_desk() as world:
        for minutes, thread in ((45, "dm"), (10, "dm"), (45, "t1")):
            old = _turn(f"{thread}{minutes}", said(f"{minutes} ago", thread=thread))
            asked = datetime.now(UTC) - timedelta(minutes=minutes)
            answer = Answer("x", "supported", plan=Plan("q", "collections"))
            world.record.turns[old.id] = replace(old, status="answered", answer=answer, created_at=asked)
        await world.desk.ask(said("and now?", thread="dm"))
        await world.desk.ask(said("and now?", thread="t1"))
        histories = [[past.question for past in request.history] for request in world.cast.planner.requests]
        assert histories == [["10 ago"], ["45 ago"]]


async def _asked_and(world: World, message: Message, meanwhile: Callable[[Turn], Awaitable[None]]) -> Turn:
    """Ask, and do something to the turn while it runs."""
    asking = asyncio.ensure_future(world.desk.ask(message))
    while not world.cast.searcher.asked:
        await asyncio.sleep(0.01)
    heard = await world.desk.hear(message)
    assert isinstance(heard, Accepted)
    await meanwhile(heard.turn)
    return await asking


def _turn(id: str, message: Message) -> Turn:
    return Turn(
        id,
        message.identity,
        message.key,
        message.author,
        message.audience,
        message.text,
        message.reply_to,
        message.received_at,
    )
