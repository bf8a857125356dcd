"""The desk from message to finished reply, over stores in memory: never silent, never twice, in order."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from core.access import Visible
from core.answers import Answer, Plan
from core.desk.hear import QUESTION_LIMIT
from core.errors import InputError, RefdeskError
from core.messages import Accepted, Ignore, Turn
from tests.desk.stand_ins import Building, open_desk, said
from tests.rag.stand_ins import Cast, FixedPlanner, FixedWriter, ListedSearcher


async def test_a_question_ends_in_one_answer_with_its_record() -> None:
    async with open_desk() as world:
        turn = await world.desk.ask(said("How long does it take?"))
        assert turn.status == "answered"
        assert turn.answer is not None
        assert turn.answer.card_versions == {"docs": "v1", "wiki": "v1"}
        assert turn.answer.prompt_hash
        reply = world.replies.by_turn[turn.id]
        assert [type(each) for each in reply.outcomes] == [Answer]
        assert reply.statuses
        assert await world.desk.last(turn.key) == world.record.turns[turn.id]


async def test_the_record_names_the_router_prompt_that_was_read() -> None:
    made = Plan("How long?", "collections", ("docs",), prompt_hash="0123456789abcdef")
    async with open_desk(Building(cast=Cast(planner=FixedPlanner(made)))) as world:
        turn = await world.desk.ask(said("How long?"))
        assert turn.answer is not None
        assert turn.answer.prompt_hash == "0123456789abcdef"


async def test_a_redelivered_message_is_answered_once() -> None:
    async with open_desk() as world:
        first, again = said("How long?", identity="m1"), said("How long?", identity="m1")
        one, two = await asyncio.gather(world.desk.ask(first), world.desk.ask(again))
        assert one.id == two.id
        assert len(world.replies.by_turn[one.id].outcomes) == 1
        assert len(world.cast.writer.requests) == 1


async def test_a_message_that_is_not_for_us_is_ignored_with_a_reason() -> None:
    async with open_desk() as world:
        heard = await world.desk.hear(replace(said("lunch?"), mentions_us=False))
        assert isinstance(heard, Ignore)
        assert heard.reason
        assert world.record.turns == {}


@pytest.mark.parametrize("text", ["\u0007\u0000", "x" * (QUESTION_LIMIT + 1)])
async def test_a_question_that_cannot_be_used_gets_one_clear_sentence(text: str) -> None:
    async with open_desk() as world:
        with pytest.raises(InputError) as caught:
            await world.desk.ask(said(text))
        for language in ("en", "ko"):
            assert caught.value.user_message(language)
        assert world.record.turns == {}


async def test_control_characters_are_dropped_and_text_is_composed() -> None:
    async with open_desk() as world:
        turn = await world.desk.ask(said("업\u1100\u1161?\u0000"))
        assert turn.question == "업가?"


async def test_a_follow_up_sees_the_earlier_turns_of_its_thread_and_of_no_other() -> None:
    async with open_desk() as world:
        await world.desk.ask(said("How long does the AKS upgrade take?", thread="t1"))
        await world.desk.ask(said("What about GKE?", thread="t2"))
        await world.desk.ask(said("and that?", thread="t1"))
        histories = [[past.question for past in request.history] for request in world.cast.planner.requests]
        assert histories == [[], [], ["How long does the AKS upgrade take?"]]


async def test_turns_of_one_session_run_in_order_and_sessions_side_by_side() -> None:
    cast = Cast(searcher=ListedSearcher([[]], delay=0.2))
    async with open_desk(Building(cast)) as world:
        asked = [said(f"{thread} {n}", thread=thread) for thread in ("t1", "t2", "t3") for n in range(2)]
        started = asyncio.get_running_loop().time()
        turns = await asyncio.gather(*map(world.desk.ask, asked))
        spent = asyncio.get_running_loop().time() - started
        assert {turn.status for turn in turns} == {"answered"}
        first_wordings = [queries[0] for _, queries in cast.searcher.asked]
        for thread in ("t1", "t2", "t3"):
            own = [each for each in first_wordings if each.startswith(thread)]
            assert own[0].endswith("0")
        assert spent < 6 * 0.2 * 3


async def test_what_the_channel_may_not_read_is_neither_searched_nor_shown_to_the_planner() -> None:
    cast = Cast(planner=FixedPlanner(Plan("q", "collections", collections=("wiki",))))
    building = Building(cast, visibility=(Visible("docs"), Visible("wiki", everyone=False, roles=frozenset({"hr"}))))
    async with open_desk(building) as world:
        await world.desk.ask(said("salaries?"))
        assert [card.collection for card in cast.planner.requests[0].cards] == ["docs"]
        assert cast.searcher.asked[0][0] == {"docs"}


async def test_a_bug_ends_in_a_short_error_with_an_id_and_nothing_of_its_text() -> None:
    class BrokenWriter(FixedWriter):
        def write(self, request):  # type: ignore[no-untyped-def,override]
            raise ValueError("secret detail")

    async with open_desk(Building(Cast(writer=BrokenWriter()))) as world:
        turn = await world.desk.ask(said("How long?"))
        assert turn.status == "failed"
        (outcome,) = world.replies.by_turn[turn.id].outcomes
        assert isinstance(outcome, RefdeskError)
        assert outcome.id == turn.error_id
        assert outcome.id in outcome.user_message("en")
        assert "secret" not in outcome.user_message("en")


async def test_a_turn_left_behind_by_a_dead_process_is_taken_up_again() -> None:
    building = Building()
    async with open_desk(building) as world:
        pass
    message = said("How long?")
    heard = Turn(
        "left",
        message.identity,
        message.key,
        message.author,
        message.audience,
        message.text,
        message.reply_to,
        message.received_at,
    )
    assert isinstance(await world.queue.accept(heard), Accepted)
    dead = await world.queue.claim("dead process", timedelta(seconds=-1))
    assert dead is not None
    async with open_desk(building) as again:
        ended = await asyncio.wait_for(again.desk.ask(message), 10)
        assert ended.status == "answered"
        assert len(again.replies.by_turn["left"].outcomes) == 1


async def test_forget_deletes_a_session() -> None:
    async with open_desk() as world:
        turn = await world.desk.ask(said("How long?"))
        assert await world.desk.forget(turn.key) == 1
        assert await world.desk.last(turn.key) is None


async def test_closing_the_desk_cancels_what_is_running_and_leaves_it_to_be_taken_up() -> None:
    cast = Cast(searcher=ListedSearcher([[]], delay=30))
    building = Building(cast)
    async with open_desk(building) as world:
        heard = await world.desk.hear(said("How long?"))
        assert isinstance(heard, Accepted)
        while not cast.searcher.asked:
            await asyncio.sleep(0.01)
    assert building.record.turns[heard.turn.id].status == "running"
    assert world.replies.by_turn[heard.turn.id].outcomes == []
