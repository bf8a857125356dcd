"""How a turn ends for those who see it: refused, taken over, edited, by a program's question, with a slow platform."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pytest

from adapters.memory.replies import MemoryReplies, MemoryReply
from core.access import Visible
from core.answers import Answer
from core.errors import InputError, RefdeskError, TurnTaken, UpstreamRefused
from core.messages import Accepted, Audience, Author, Halted, Ignore, ThreadMessage, Turn
from core.policy import PRESETS
from core.wording import say
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, FixedPlanner, ListedSearcher, passage

Outcome = Answer | RefdeskError | Literal["withdrawn"]
BOT = Author("B1", "Alarms", is_bot=True)


@dataclass
class Watched(MemoryReply):
    """A reply whose end meets something first."""

    meets: Callable[[Outcome], None] = lambda outcome: None
    takes: float = 0.0
    ending: asyncio.Event = field(default_factory=asyncio.Event)

    async def finish(self, outcome: Outcome) -> None:
        self.ending.set()
        await asyncio.sleep(self.takes)
        self.meets(outcome)
        await super().finish(outcome)


class Replies(MemoryReplies):
    """Each is `Watched`."""

    def __init__(self, meets: Callable[[Outcome], None] = lambda outcome: None, takes: float = 0.0) -> None:
        super().__init__()
        self._meets, self._takes = meets, takes

    async def open(self, turn: Turn) -> MemoryReply:
        return self.by_turn.setdefault(turn.id, Watched(meets=self._meets, takes=self._takes))


def found(**more: object) -> Cast:
    return Cast(searcher=ListedSearcher([[passage("a")]]), **more)  # type: ignore[arg-type]


class Failing(ListedSearcher):
    """Finds nothing, ever."""

    async def retrieve(self, *_: object) -> list:  # type: ignore[type-arg,override]
        raise RefdeskError(detail="gone")


async def ended(world: World, turn: Turn) -> Turn:
    """The turn once nobody is at it any more."""
    async with asyncio.timeout(10):
        while world.record.turns[turn.id].status in ("waiting", "running"):
            await asyncio.sleep(0.01)
    return world.record.turns[turn.id]


async def heard(world: World, message: object) -> Turn:
    accepted = await world.desk.hear(message)  # type: ignore[arg-type]
    assert isinstance(accepted, Accepted)
    return accepted.turn


async def test_an_answer_that_its_platform_refuses_becomes_the_reason_in_its_place() -> None:
    def refused(outcome: Outcome) -> None:
        if isinstance(outcome, Answer):
            raise UpstreamRefused("error.slack_refused", code="msg_too_long")

    async with open_desk(Building(found(), replies=Replies(refused))) as world:
        turn = await world.desk.ask(said("How long?"))
        reply = world.replies.by_turn[turn.id]
        (shown,) = reply.outcomes
        assert isinstance(shown, RefdeskError)
        assert (turn.status, turn.error_id) == ("failed", shown.id)
        assert "msg_too_long" in shown.user_message("en")
        assert reply.whispers == []


async def test_where_nothing_at_all_is_taken_who_asked_is_told_alone() -> None:
    def refused(outcome: Outcome) -> None:
        raise UpstreamRefused("error.slack_refused", code="restricted_action")

    async with open_desk(Building(found(), replies=Replies(refused))) as world:
        turn = await world.desk.ask(said("How long?"))
        assert [each.id for each in world.replies.by_turn[turn.id].whispers] == [turn.error_id]
        assert turn.status == "failed"
        program = await world.desk.ask(replace(said("How far?"), author=BOT, identity="m2"))
        assert world.replies.by_turn[program.id].whispers == []


async def test_a_program_gets_answers_and_no_errors() -> None:
    async with open_desk(Building(found())) as world:
        turn = await world.desk.ask(replace(said("How long?"), author=BOT))
        assert [type(each) for each in world.replies.by_turn[turn.id].outcomes] == [Answer]
    async with open_desk(Building(Cast(searcher=Failing([])))) as world:
        turn = await world.desk.ask(replace(said("How long?"), author=BOT))
        assert (turn.status, bool(turn.error_id)) == ("failed", True)
        assert world.replies.by_turn[turn.id].outcomes == ["withdrawn"]


async def test_programs_are_not_answered_for_ever_by_beginning_a_thread_each_time() -> None:
    async with open_desk(Building(found())) as world:
        for number in range(3):
            await world.desk.ask(replace(said(f"and {number}?", thread=f"t{number}"), author=BOT))
        fourth = replace(said("and now?", thread="t9"), author=BOT)
        assert isinstance(await world.desk.hear(fourth), Ignore)
        elsewhere = replace(said("and now?", thread="t9", channel="c2"), author=BOT)
        assert isinstance(await world.desk.hear(elsewhere), Accepted)
        await world.desk.ask(said("and a person?", thread="t10"))
        assert isinstance(await world.desk.hear(fourth), Accepted)


async def test_an_edit_that_comes_while_the_answer_is_posted_ends_that_and_the_new_answer_comes() -> None:
    replies = Replies(takes=0.5)
    async with open_desk(Building(found(), replies=replies)) as world:
        turn = await heard(world, said("How long?", identity="m1"))
        async with asyncio.timeout(5):
            while turn.id not in replies.by_turn:
                await asyncio.sleep(0.01)
            reply = replies.by_turn[turn.id]
            assert isinstance(reply, Watched)
            await reply.ending.wait()
        await world.desk.revise(said("How far?", identity="m1"))
        done = await ended(world, turn)
        assert (done.status, done.question) == ("answered", "How far?")
        assert len(reply.outcomes) == 1


async def test_a_turn_that_somebody_else_took_while_its_answer_was_posted_is_left_to_them() -> None:
    taken: list[Outcome] = []

    def gone(outcome: Outcome) -> None:
        taken.append(outcome)
        raise TurnTaken

    async with open_desk(Building(found(), replies=Replies(gone))) as world:
        turn = await heard(world, said("How long?"))
        async with asyncio.timeout(5):
            while not taken or not world.replies.let_go_of:
                await asyncio.sleep(0.01)
        assert world.record.turns[turn.id].status == "running"
        assert [type(each) for each in taken] == [Answer]


async def test_whatever_becomes_of_a_run_its_reply_is_let_go_of() -> None:
    def broken(outcome: Outcome) -> None:
        raise ConnectionResetError

    async with open_desk(Building(found())) as world:
        answered = await world.desk.ask(said("How long?"))
        assert world.replies.let_go_of == [answered.run]
    async with open_desk(Building(found(), replies=Replies(broken))) as world:
        with pytest.raises(RefdeskError):
            await world.desk.ask(said("How long?"))
        assert len(world.replies.let_go_of) == 1
    building = Building(Cast(searcher=ListedSearcher([[]], delay=30)))
    async with open_desk(building) as world:
        await world.desk.hear(said("How long?"))
        async with asyncio.timeout(5):
            while not building.cast.searcher.asked:
                await asyncio.sleep(0.01)
    assert len(world.replies.let_go_of) == 1


class Hanging:
    """A platform that does not answer what it is asked."""

    async def around(self, turn: Turn, cursor: str | None) -> Sequence[ThreadMessage]:
        await asyncio.sleep(60)
        return []

    async def beside(self, turn: Turn) -> Sequence[ThreadMessage]:
        return []

    async def of(self, turn: Turn) -> Audience:
        await asyncio.sleep(60)
        return turn.audience


async def test_a_platform_that_does_not_answer_costs_a_part_of_the_time_and_not_the_answer() -> None:
    building = Building(found(planner=FixedPlanner()), reader=Hanging(), audiences=Hanging())
    building.policy = replace(PRESETS["adaptive"], deadline=1.2)
    building.visibility = (Visible("docs", external=True), Visible("wiki"))
    message = said("How long?")
    left_open = replace(message, audience=replace(message.audience, external=True, provisional=True))
    async with open_desk(building) as world, asyncio.timeout(5):
        turn = await world.desk.ask(left_open)
        assert turn.status == "answered"
        (request,) = building.cast.planner.requests
        assert [card.collection for card in request.cards] == ["docs"]


async def test_a_stop_while_the_platform_is_asked_is_heard() -> None:
    building = Building(found(), reader=Hanging(), look=0.05)
    async with open_desk(building) as world:
        turn = await heard(world, said("How long?"))
        async with asyncio.timeout(5):
            while not await world.desk.stop(turn.id):
                await asyncio.sleep(0.01)
        done = await ended(world, turn)
        assert done.answer is not None
        assert say("note.stopped_by_you", "en") in done.answer.notes


async def test_stop_as_a_word_ends_what_its_author_asked_in_the_thread() -> None:
    def word(text: str, **more: object):  # type: ignore[no-untyped-def]
        return replace(said(text), mentions_us=False, in_thread=True, **more)  # type: ignore[arg-type]

    building = Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=20)), greets=True)
    async with open_desk(building) as world, asyncio.timeout(10):
        turn = await heard(world, said("How long?"))
        while not building.cast.searcher.asked:
            await asyncio.sleep(0.01)
        assert await world.desk.hear(word("stop", author=Author("u2"))) == Halted(0)
        assert world.record.turns[turn.id].status == "running"
        assert await world.desk.hear(word("Stop!")) == Halted(1)
        done = await ended(world, turn)
        assert done.answer is not None
        assert say("note.stopped_by_you", "en") in done.answer.notes
        assert await world.desk.hear(word("stop")) == Halted(0)
        with pytest.raises(InputError) as refused:
            await world.desk.hear(said("stop"))
        assert refused.value.reason == "error.nothing_to_stop"


@pytest.mark.parametrize("text", ["stop", "그만"])
async def test_stop_in_the_channel_ends_what_its_author_asked_anywhere_in_it(text: str) -> None:
    def at(thread: str, text: str, **more: object):  # type: ignore[no-untyped-def]
        return replace(said(text, thread=thread), identity=f"{thread}/{text}", **more)  # type: ignore[arg-type]

    building = Building(Cast(searcher=ListedSearcher([[passage("a")]] * 3, delay=20)))
    async with open_desk(building) as world, asyncio.timeout(10):
        asked = [await heard(world, at(thread, "How long?")) for thread in ("1", "2")]
        others = await heard(world, at("3", "How far?", author=Author("u2")))
        while len(building.cast.searcher.asked) < 3:
            await asyncio.sleep(0.01)
        assert await world.desk.hear(at("4", text)) == Halted(2)
        assert {(await ended(world, turn)).status for turn in asked} == {"answered"}
        assert world.record.turns[others.id].status == "running"


async def test_what_waits_for_another_process_is_told_so_too() -> None:
    async with open_desk(Building(found(), greets=True)) as world:
        await world.queue.accept(replace(_running(), owner="another process"))
        turn = await heard(world, said("And how far?"))
        async with asyncio.timeout(5):
            while turn.id not in world.replies.by_turn or not world.replies.by_turn[turn.id].statuses:
                await asyncio.sleep(0.01)
        assert world.replies.by_turn[turn.id].statuses == [say("status.queued", "en")]


def _running() -> Turn:
    message = said("How long?", identity="other")
    about = (message.key, message.author, message.audience, message.text, message.reply_to, message.received_at)
    return Turn("other", message.identity, *about, status="running")
