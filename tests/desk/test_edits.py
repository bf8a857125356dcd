"""After the question was asked: edited, deleted, stopped, hushed; and what nobody asked us."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from core.answers import Answer, Check, SentenceCheck
from core.errors import InputError, RefdeskError
from core.etiquette import Rules
from core.messages import Accepted, Author, Halted, Hush, Ignore, Message, Respond, Turn
from core.wording import say
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, FixedChecker, ListedSearcher, passage

UNGROUNDED = Check((SentenceCheck("It takes 45 minutes.", 0.1),), grounded=False)


async def ended(world: World, turn: Turn) -> Turn:
    """The turn once nobody is at it any more."""
    async with asyncio.timeout(10):
        while world.record.turns[turn.id].status in ("waiting", "running"):
            await asyncio.sleep(0.01)
    return world.record.turns[turn.id]


async def heard(world: World, message: Message) -> Turn:
    """The turn that a message became."""
    found = await world.desk.hear(message)
    assert isinstance(found, Accepted)
    return found.turn


def found(**fields: object) -> Cast:
    """Steps that find one right passage."""
    return Cast(searcher=ListedSearcher([[passage("a")]]), **fields)  # type: ignore[arg-type]


async def test_an_edited_question_updates_the_same_answer() -> None:
    async with open_desk() as world:
        first = await world.desk.ask(said("How long?", identity="m1"))
        again = await world.desk.revise(said("How long does GKE take?", identity="m1"))
        assert isinstance(again, Accepted)
        done = await ended(world, first)
        assert (done.id, done.revision, done.question) == (first.id, 2, "How long does GKE take?")
        assert len(world.replies.by_turn) == 1
        assert len(world.replies.by_turn[first.id].outcomes) == 2


async def test_an_edit_ends_the_run_of_the_old_question_at_once() -> None:
    cast = Cast(searcher=ListedSearcher([[passage("a")], [passage("b")]], delay=1.0))
    async with open_desk(Building(cast)) as world:
        turn = await heard(world, said("How long?", identity="m1"))
        await asyncio.sleep(0.2)
        await world.desk.revise(said("How far?", identity="m1"))
        done = await ended(world, turn)
        assert done.question == "How far?"
        outcomes = world.replies.by_turn[turn.id].outcomes
        assert [type(each) for each in outcomes] == [Answer]


async def test_an_edit_that_changes_no_word_or_comes_from_somebody_else_is_none() -> None:
    async with open_desk() as world:
        turn = await world.desk.ask(said("How long?", identity="m1"))
        same = await world.desk.revise(said("How long?", identity="m1"))
        other = await world.desk.revise(replace(said("Hi", identity="m1"), author=Author("U9")))
        assert isinstance(same, Ignore)
        assert isinstance(other, Ignore)
        assert len(world.replies.by_turn[turn.id].outcomes) == 1


async def test_an_edit_that_adds_our_name_is_heard_and_any_other_edit_of_others_is_not() -> None:
    async with open_desk() as world:
        assert isinstance(await world.desk.revise(said("How long?", identity="m7")), Accepted)
        plain = replace(said("How long?", identity="m8"), mentions_us=False)
        assert isinstance(await world.desk.revise(plain), Ignore)


async def test_a_deleted_question_takes_its_answer_down() -> None:
    async with open_desk() as world:
        turn = await world.desk.ask(said("How long?", identity="m1"))
        gone = await world.desk.withdraw("chat", "w", "m1")
        assert gone is not None
        assert world.record.turns[turn.id].question == ""
        async with asyncio.timeout(3):
            while world.replies.by_turn[turn.id].outcomes[-1] != "withdrawn":
                await asyncio.sleep(0.01)
        assert await world.desk.withdraw("chat", "w", "m1") is None
        assert await world.desk.withdraw("chat", "w", "unknown") is None


async def test_a_question_that_was_deleted_before_it_came_is_nothing_also_when_it_is_sent_again() -> None:
    async with open_desk() as world:
        assert await world.desk.withdraw("chat", "w", "m1") is None
        for _ in range(2):
            turn = await world.desk.ask(said("How long?", identity="m1"))
            assert (turn.status, world.record.turns[turn.id].question) == ("withdrawn", "")
        assert not world.replies.by_turn
        assert (await world.desk.ask(said("How long?", identity="m2"))).status == "answered"


async def test_a_question_deleted_while_it_is_answered_ends_as_withdrawn_and_only_so() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=5)))) as world:
        turn = await heard(world, said("How long?", identity="m1"))
        await asyncio.sleep(0.2)
        await world.desk.withdraw("chat", "w", "m1")
        async with asyncio.timeout(3):
            while not world.replies.by_turn[turn.id].outcomes:
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        assert set(world.replies.by_turn[turn.id].outcomes) == {"withdrawn"}  # also by whoever was at it


async def test_a_stop_ends_a_run_with_what_it_has() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=20)))) as world:
        turn = await heard(world, said("How long?"))
        await asyncio.sleep(0.2)
        assert await world.desk.stop(turn.id)
        done = await ended(world, turn)
        assert done.status == "answered"
        assert done.answer is not None
        assert say("note.stopped_by_you", "en") in done.answer.notes
        async with asyncio.timeout(3):
            while await world.desk.stop(turn.id):  # its end is on record a moment before it is let go
                await asyncio.sleep(0.01)


async def test_a_stop_from_another_process_reaches_the_run() -> None:
    building = Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=30)))
    building.look = 0.05
    async with open_desk(building) as world:
        turn = await heard(world, said("How long?"))
        await asyncio.sleep(0.2)
        assert await world.stops.stop(turn.id)
        assert (await ended(world, turn)).status == "answered"


async def test_a_question_that_was_stopped_while_it_waited_does_not_begin() -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]] * 2, delay=0.3)))) as world:
        first = await heard(world, said("How long?", identity="m1"))
        second = await heard(world, said("How far?", identity="m2"))
        assert await world.desk.stop(second.id)
        await ended(world, first)
        done = await ended(world, second)
        assert done.answer is not None
        assert say("note.stopped_by_you", "en") in done.answer.notes
        assert not done.answer.citations


async def test_quiet_in_a_thread_stops_answers_there_until_we_are_named() -> None:
    async with open_desk() as world:
        await world.desk.ask(said("How long?"))
        follow_up = replace(said("And how far?"), mentions_us=False, in_thread=True)
        assert isinstance(await world.desk.hear(follow_up), Accepted)
        assert await world.desk.hear(replace(said("quiet"), mentions_us=False, in_thread=True)) == Hush()
        assert isinstance(await world.desk.hear(replace(follow_up, identity="m9")), Ignore)
        assert isinstance(await world.desk.hear(said("And how far?")), Accepted)


async def test_a_bare_mention_is_a_wish_for_help_and_no_turn() -> None:
    async with open_desk() as world:
        assert await world.desk.hear(said(" ")) == Respond("help")
        assert world.record.turns == {}


@pytest.mark.parametrize("word", ["stop", "그만"])
async def test_a_question_that_is_edited_to_stop_ends_and_is_not_asked_anew(word: str) -> None:
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]], delay=20)))) as world:
        turn = await heard(world, said("How long?", identity="m1"))
        await asyncio.sleep(0.1)
        assert await world.desk.revise(said(word, identity="m1")) == Halted(1)
        done = await ended(world, turn)
        assert (done.status, done.revision, done.question) == ("answered", 1, "How long?")
        assert isinstance(await world.desk.revise(said(word, identity="m1")), Halted)
        with pytest.raises(InputError):  # a message that was none of ours says it now
            await world.desk.revise(said(word, identity="m2"))


@pytest.mark.parametrize("text", ["", "why? " * 2000])
async def test_who_never_asked_us_is_told_nothing_of_an_edit_and_the_old_answer_goes(text: str) -> None:
    question = replace(said("How long does it take?", identity="m1"), mentions_us=False)
    async with open_desk(Building(found(), rules=Rules("auto"))) as world, asyncio.timeout(5):
        sure = await ended(world, await heard(world, question))
        assert isinstance(await world.desk.revise(replace(question, text=text)), Ignore)
        assert world.record.turns[sure.id].status == "withdrawn"
        while world.replies.by_turn[sure.id].outcomes[-1] != "withdrawn":
            await asyncio.sleep(0.01)


async def test_an_answer_that_nobody_asked_for_is_posted_only_when_it_is_certain() -> None:
    question = replace(said("How long does it take?"), mentions_us=False)
    async with open_desk(Building(found(), rules=Rules("auto"), greets=True)) as world:
        sure = await ended(world, await heard(world, question))
        assert sure.status == "answered"
        reply = world.replies.by_turn[sure.id]
        assert [type(each) for each in reply.outcomes] == [Answer]
        assert (reply.statuses, reply.texts) == ([], [])
    unsure = found(checker=FixedChecker([UNGROUNDED]))
    async with open_desk(Building(unsure, rules=Rules("auto"), greets=True)) as world:
        kept = await ended(world, await heard(world, question))
        assert kept.status == "kept_quiet"
        assert world.replies.by_turn == {}


async def test_a_question_that_was_kept_quiet_is_answered_once_an_edit_names_us() -> None:
    unsure = found(checker=FixedChecker([UNGROUNDED]))
    question = replace(said("How long does it take?", identity="m1"), mentions_us=False)
    async with open_desk(Building(unsure, rules=Rules("auto"), greets=True)) as world:
        kept = await ended(world, await heard(world, question))
        assert (kept.status, kept.quiet) == ("kept_quiet", True)
        assert isinstance(await world.desk.revise(question), Ignore)  # still nobody asks us
        named = await world.desk.revise(replace(question, mentions_us=True))
        assert isinstance(named, Accepted)
        done = await ended(world, named.turn)
        assert (done.status, done.quiet, done.revision) == ("answered", False, 2)
        assert say("status.heard", "en") in world.replies.by_turn[done.id].statuses
        assert isinstance(await world.desk.revise(replace(question, mentions_us=True)), Ignore)


async def test_a_paste_that_nobody_put_to_us_is_told_nothing() -> None:
    paste = replace(said("How long does it take? " + "log line " * 1000), mentions_us=False)
    async with open_desk(Building(found(), rules=Rules("auto"))) as world:
        assert isinstance(await world.desk.hear(paste), Ignore)
        with pytest.raises(InputError):
            await world.desk.hear(replace(paste, mentions_us=True))


async def test_a_failure_that_nobody_asked_for_is_not_posted_either() -> None:
    class Broken(ListedSearcher):
        async def retrieve(self, *_: object) -> list:  # type: ignore[type-arg,override]
            raise RefdeskError(detail="gone")

    question = replace(said("How long does it take?"), mentions_us=False)
    async with open_desk(Building(Cast(searcher=Broken([])), rules=Rules("auto"))) as world:
        kept = await ended(world, await heard(world, question))
        assert kept.status == "kept_quiet"
        assert world.replies.by_turn == {}


async def test_the_first_sign_of_life_comes_before_the_turn_has_its_turn() -> None:
    cast = Cast(searcher=ListedSearcher([[passage("a")]], delay=0.5))
    async with open_desk(Building(cast, greets=True)) as world:
        first = await heard(world, said("How long?"))
        await asyncio.sleep(0.1)
        second = await heard(world, said("And how far?"))
        await asyncio.sleep(0.1)
        assert world.replies.by_turn[first.id].statuses[0] == say("status.heard", "en")
        assert world.replies.by_turn[second.id].statuses == [say("status.queued", "en")]
        await ended(world, second)


async def test_who_must_wait_for_a_free_place_is_told() -> None:
    cast = Cast(searcher=ListedSearcher([[passage("a")]], delay=0.5))
    async with open_desk(Building(cast, greets=True, width=1)) as world:
        await heard(world, said("How long?", thread="t1"))
        await asyncio.sleep(0.1)
        second = await heard(world, said("How far?", thread="t2"))
        await asyncio.sleep(0.05)
        assert world.replies.by_turn[second.id].statuses == [say("status.queued", "en")]
