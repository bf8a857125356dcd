"""Turns: accepted once, claimed in order, finished by their owner, edited and withdrawn."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

from core.messages import SessionKey, Turn
from tests.stores.conftest import Stores
from tests.stores.values import KEY, LEASE, a_turn, an_answer

OTHER = replace(KEY, thread="1700.2")


async def claimed(stores: Stores, owner: str = "p1") -> Turn:
    """The next turn, which must be there."""
    turn = await stores.queue.claim(owner, LEASE)
    assert turn is not None
    return turn


async def answered(stores: Stores, identity: str, key: SessionKey = KEY) -> Turn:
    """A turn from message to stored answer."""
    await stores.queue.accept(a_turn(identity, key))
    done = replace(await claimed(stores), status="answered", answer=an_answer())
    assert await stores.record.finish(done)
    return done


async def test_a_redelivered_message_gives_the_turn_it_made_first(stores: Stores) -> None:
    first = await stores.queue.accept(a_turn("m1"))
    again = await stores.queue.accept(replace(a_turn("m1"), id="another", question="etwas anderes"))
    assert not first.duplicate
    assert again.duplicate
    assert again.turn == first.turn


async def test_a_message_delivered_many_times_at_once_makes_one_turn(stores: Stores) -> None:
    accepted = await asyncio.gather(*(stores.queue.accept(replace(a_turn("m1"), id=f"delivery-{n}")) for n in range(8)))
    assert sum(not each.duplicate for each in accepted) == 1
    assert len({each.turn.id for each in accepted}) == 1
    assert await stores.queue.claim("p1", LEASE) is not None
    assert await stores.queue.claim("p1", LEASE) is None


async def test_a_question_waits_while_an_earlier_one_of_its_session_has_no_end(stores: Stores) -> None:
    assert not (await stores.queue.accept(a_turn("m1"))).waits
    assert (await stores.queue.accept(a_turn("m2"))).waits
    assert not (await stores.queue.accept(a_turn("m3", OTHER))).waits
    assert await stores.stops.asked_by(KEY, "U1") == ["turn-m1", "turn-m2"]
    assert await stores.stops.asked_by(KEY, "U2") == []
    assert await stores.stops.asked_by(KEY, "U1", anywhere=True) == ["turn-m1", "turn-m2", "turn-m3"]
    assert await stores.stops.asked_by(replace(KEY, thread="new"), "U1", anywhere=True) != []
    assert await stores.stops.asked_by(replace(KEY, channel="other"), "U1", anywhere=True) == []
    for _ in range(2):
        assert await stores.record.finish(replace(await claimed(stores), status="failed", error_id="e"))
    assert not (await stores.queue.accept(a_turn("m4"))).waits
    assert await stores.stops.asked_by(KEY, "U1") == ["turn-m4"]


async def test_who_heard_a_turn_has_it_to_itself_until_its_lease_has_run_out(stores: Stores) -> None:
    heard = replace(a_turn("m1"), owner="p1", lease_until=stores.clock.now() + LEASE)
    await stores.queue.accept(heard)
    assert await stores.queue.claim("p2", LEASE) is None
    assert (await claimed(stores, "p1")).id == heard.id
    await stores.queue.accept(replace(a_turn("m2", OTHER), owner="p1", lease_until=stores.clock.now() + LEASE))
    assert await stores.queue.claim("p2", LEASE) is None
    stores.clock.move(LEASE)
    assert {(await claimed(stores, "p2")).identity for _ in range(2)} == {"m1", "m2"}


async def test_a_process_takes_only_turns_of_the_platforms_that_it_can_reply_on(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    here = frozenset({KEY.platform})
    assert await stores.queue.claim("p1", LEASE, frozenset({"elsewhere"})) is None
    assert await stores.queue.claim("p1", LEASE, frozenset({"elsewhere"}) | here) is not None


async def test_a_stop_reaches_whoever_is_at_the_turn_and_ends_with_it(stores: Stores) -> None:
    assert not await stores.stops.stop("nobody")
    turn = (await stores.queue.accept(a_turn("m1"))).turn
    assert not await stores.stops.stopping(turn.id)
    running = await claimed(stores)
    assert await stores.stops.stop(turn.id)
    assert await stores.stops.stopping(turn.id)
    assert await stores.record.finish(replace(running, status="answered", answer=an_answer()))
    assert not await stores.stops.stop(turn.id)
    await stores.edits.revise(turn.id, "anders?")
    assert not await stores.stops.stopping(turn.id)


async def test_what_is_unfinished_in_a_workspace_is_found_and_nothing_else(stores: Stores) -> None:
    await answered(stores, "done")
    running = (await stores.queue.accept(a_turn("m1"))).turn
    await claimed(stores)
    waiting = (await stores.queue.accept(a_turn("m2"))).turn
    await stores.queue.accept(replace(a_turn("m3", replace(KEY, workspace="T2")), id="elsewhere"))
    gone = (await stores.queue.accept(a_turn("m4"))).turn
    await stores.edits.withdraw(gone.id)
    assert list(await stores.sweep.unfinished(KEY.platform, KEY.workspace)) == [running.id, waiting.id]
    assert list(await stores.sweep.unfinished("elsewhere", KEY.workspace)) == []


async def test_of_what_was_withdrawn_that_of_which_messages_may_stand_is_found(stores: Stores) -> None:
    for name in ("standing", "taken down", "asked"):
        turn = (await stores.queue.accept(a_turn(name, replace(KEY, thread=name)))).turn
        await stores.record.retarget(turn, turn.target.with_message("1700.9"))
        if name != "asked":
            await stores.edits.withdraw(turn.id)
    down = await stores.edits.identified(KEY.platform, KEY.workspace, "taken down")
    assert down is not None
    assert await stores.record.retarget(down, replace(down.target, message_ids=()))
    (found,) = await stores.sweep.left_standing()
    assert (found.identity, found.target.message_ids) == ("standing", ("1700.9",))
    assert list(await stores.sweep.left_standing(frozenset({KEY.platform}))) == [found]
    assert list(await stores.sweep.left_standing(frozenset({"elsewhere"}))) == []


async def test_a_question_nobody_had_put_to_us_is_one_once_it_names_us(stores: Stores) -> None:
    quiet = (await stores.queue.accept(replace(a_turn("m1"), quiet=True))).turn
    assert await stores.edits.revise(quiet.id, quiet.question) is None
    reworded = await stores.edits.revise(quiet.id, "anders?")
    assert reworded is not None
    assert reworded.quiet
    named = await stores.edits.revise(quiet.id, "anders?", addressed=True)
    assert named is not None
    assert (named.quiet, named.status, named.revision) == (False, "waiting", 3)
    assert await stores.edits.revise(quiet.id, "anders?", addressed=True) is None


async def test_the_same_identity_in_another_workspace_is_another_message(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    elsewhere = await stores.queue.accept(replace(a_turn("m1", replace(KEY, workspace="T2")), id="elsewhere"))
    assert not elsewhere.duplicate


async def test_a_turn_comes_back_as_it_was_accepted(stores: Stores) -> None:
    expires = datetime(2026, 3, 2, 18, 45, 12, 345678, tzinfo=timezone(timedelta(hours=9)))
    turn = a_turn("m1", question="가나다 café 🇰🇷 👩‍👩‍👧 'quoted' \\ % _")
    turn = replace(turn, target=replace(turn.target, interaction="tok", interaction_expires=expires))
    await stores.queue.accept(turn)
    assert await stores.record.find(turn_id=turn.id) == turn


async def test_times_come_back_aware_and_exact(stores: Stores) -> None:
    seoul = datetime(2026, 3, 2, 18, 45, 12, 345678, tzinfo=timezone(timedelta(hours=9)))
    await stores.queue.accept(replace(a_turn("m1"), created_at=seoul))
    turn = await claimed(stores)
    assert turn.created_at == seoul
    assert turn.created_at.utcoffset() is not None
    assert turn.lease_until == stores.clock.now() + LEASE
    assert turn.lease_until.tzinfo is not None
    assert turn.lease_until.astimezone(UTC) == turn.lease_until


async def test_turns_of_one_session_are_claimed_one_after_the_other(stores: Stores) -> None:
    for name in ("m1", "m2"):
        await stores.queue.accept(a_turn(name))
    first = await claimed(stores)
    assert first.identity == "m1"
    assert await stores.queue.claim("p2", LEASE) is None
    await stores.record.finish(replace(first, status="failed", error_id="e1"))
    assert (await claimed(stores, "p2")).identity == "m2"


async def test_sessions_are_claimed_side_by_side_oldest_first(stores: Stores) -> None:
    for name, key in (("m1", KEY), ("m2", KEY), ("m3", OTHER)):
        await stores.queue.accept(a_turn(name, key))
    assert (await claimed(stores, "p1")).identity == "m1"
    assert (await claimed(stores, "p2")).identity == "m3"
    assert await stores.queue.claim("p3", LEASE) is None


async def test_the_order_is_that_of_acceptance_whatever_the_clock_says(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    await stores.queue.accept(replace(a_turn("m2", OTHER), created_at=a_turn("m1").created_at - timedelta(days=1)))
    assert [(await claimed(stores)).identity for _ in range(2)] == ["m1", "m2"]


async def test_a_lease_that_ran_out_is_taken_over_and_the_old_owner_can_store_nothing(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    old = await claimed(stores, "p1")
    stores.clock.move(LEASE - timedelta(seconds=1))
    assert await stores.queue.claim("p2", LEASE) is None
    stores.clock.move(timedelta(seconds=2))
    new = await claimed(stores, "p2")
    assert (new.id, new.owner, new.attempts) == (old.id, "p2", 2)
    assert not await stores.queue.renew(old, LEASE)
    assert not await stores.record.finish(replace(old, status="answered", answer=an_answer("von gestern")))
    assert not await stores.record.retarget(old, old.target.with_message("stray"))
    assert await stores.record.finish(replace(new, status="answered", answer=an_answer("heute")))
    stored = await stores.record.find(turn_id=old.id)
    assert stored is not None
    assert stored.answer is not None
    assert (stored.answer.text, stored.target.message_ids) == ("heute", ())


async def test_a_renewed_lease_keeps_others_away(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    stores.clock.move(LEASE - timedelta(seconds=1))
    assert await stores.queue.renew(turn, LEASE)
    stores.clock.move(timedelta(seconds=2))
    assert await stores.queue.claim("p2", LEASE) is None


async def test_a_turn_given_back_is_taken_at_once(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    assert await stores.queue.renew(turn, timedelta(0))
    assert (await claimed(stores, "p2")).id == turn.id


async def test_after_a_takeover_the_later_turn_of_the_session_still_waits(stores: Stores) -> None:
    for name in ("m1", "m2"):
        await stores.queue.accept(a_turn(name))
    await claimed(stores, "p1")
    stores.clock.move(LEASE * 2)
    assert (await claimed(stores, "p2")).identity == "m1"
    assert await stores.queue.claim("p3", LEASE) is None


async def test_an_answer_is_stored_with_all_that_belongs_to_it(stores: Stores) -> None:
    done = await answered(stores, "m1")
    stored = await stores.record.find(turn_id=done.id)
    assert stored is not None
    assert stored.answer == done.answer
    assert (stored.status, stored.owner, stored.lease_until) == ("answered", None, None)


async def test_a_failure_is_stored_with_its_id(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    assert await stores.record.finish(replace(turn, status="failed", error_id="deadbeef"))
    stored = await stores.record.find(key=KEY)
    assert stored is not None
    assert (stored.status, stored.error_id, stored.answer) == ("failed", "deadbeef", None)


async def test_a_turn_is_finished_once(stores: Stores) -> None:
    done = await answered(stores, "m1")
    assert not await stores.record.finish(replace(done, answer=an_answer("noch einmal")))


async def test_finishing_keeps_the_messages_that_the_reply_recorded_meanwhile(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    await stores.record.retarget(turn, turn.target.with_message("r1"))
    assert await stores.record.finish(replace(turn, status="answered", answer=an_answer()))
    stored = await stores.record.find(turn_id=turn.id)
    assert stored is not None
    assert (stored.status, stored.target.message_ids) == ("answered", ("r1",))


async def test_the_target_remembers_our_messages_in_order(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    for message_id in ("r1", "r2"):
        turn = replace(turn, target=turn.target.with_message(message_id))
        await stores.record.retarget(turn, turn.target)
    stored = await stores.record.find(turn_id=turn.id)
    assert stored is not None
    assert stored.target.message_ids == ("r1", "r2")


async def test_find_by_session_gives_the_latest_finished_turn(stores: Stores) -> None:
    await answered(stores, "m1")
    done = await answered(stores, "m2")
    await stores.queue.accept(a_turn("m3"))
    found = await stores.record.find(key=KEY)
    assert found is not None
    assert found.id == done.id
    assert await stores.record.find(key=OTHER) is None
    assert await stores.record.find(turn_id="nobody") is None


async def test_an_edit_raises_the_revision_and_ends_the_old_run(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    old = await claimed(stores)
    await stores.record.retarget(old, old.target.with_message("r1"))
    revised = await stores.edits.revise(old.id, "병가는 며칠인가요?")
    assert revised is not None
    assert (revised.revision, revised.status, revised.run) == (2, "waiting", f"{old.id}/2")
    assert revised.target.message_ids == ("r1",)
    assert not await stores.queue.renew(old, LEASE)
    assert not await stores.record.finish(replace(old, status="answered", answer=an_answer()))
    new = await claimed(stores)
    assert (new.question, new.revision, new.attempts) == ("병가는 며칠인가요?", 2, 1)
    assert await stores.record.finish(replace(new, status="answered", answer=an_answer()))


async def test_a_message_posted_while_the_edit_came_in_is_still_known_to_be_ours(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    old = await claimed(stores)
    await stores.edits.revise(old.id, "anders")
    assert await stores.record.retarget(old, old.target.with_message("r1"))
    assert (await claimed(stores)).target.message_ids == ("r1",)


async def test_an_edit_that_changes_no_word_starts_nothing(stores: Stores) -> None:
    done = await answered(stores, "m1")
    assert await stores.edits.revise(done.id, done.question) is None
    assert await stores.edits.revise("nobody", "was?") is None
    assert await stores.queue.claim("p1", LEASE) is None


async def test_an_edited_answered_turn_loses_its_old_answer(stores: Stores) -> None:
    done = await answered(stores, "m1")
    assert await stores.edits.revise(done.id, "anders") is not None
    stored = await stores.record.find(turn_id=done.id)
    assert stored is not None
    assert (stored.answer, stored.status) == (None, "waiting")
    again = replace(await claimed(stores), status="answered", answer=an_answer("neu"))
    assert await stores.record.finish(again)
    found = await stores.record.find(turn_id=done.id)
    assert found is not None
    assert found.answer == again.answer


async def test_an_edited_early_turn_does_not_run_beside_a_later_one(stores: Stores) -> None:
    first = await answered(stores, "m1")
    await stores.queue.accept(a_turn("m2"))
    later = await claimed(stores)
    await stores.edits.revise(first.id, "anders")
    assert await stores.queue.claim("p2", LEASE) is None
    await stores.record.finish(replace(later, status="answered", answer=an_answer()))
    assert (await claimed(stores)).id == first.id


async def test_a_withdrawn_turn_is_never_claimed_nor_finished_and_keeps_its_target_only(stores: Stores) -> None:
    for name in ("m1", "m2"):
        await stores.queue.accept(a_turn(name))
    turn = await claimed(stores)
    await stores.record.retarget(turn, turn.target.with_message("r1"))
    gone = await stores.edits.withdraw(turn.id)
    assert gone is not None
    assert (gone.status, gone.question, gone.answer, gone.target.message_ids) == ("withdrawn", "", None, ("r1",))
    assert not await stores.record.finish(replace(turn, status="answered", answer=an_answer()))
    assert (await claimed(stores)).identity == "m2"
    assert await stores.edits.withdraw(turn.id) is None
    assert await stores.edits.revise(turn.id, "doch nicht") is None
    again = await stores.queue.accept(a_turn("m1"))
    assert again.duplicate


async def test_a_turn_is_found_by_its_message(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    found = await stores.edits.identified("slack", "T1", "m1")
    assert found is not None
    assert found.id == "turn-m1"
    assert await stores.edits.identified("slack", "T2", "m1") is None


async def test_many_workers_in_one_process_claim_each_turn_once(stores: Stores) -> None:
    names = {f"m{n}" for n in range(24)}
    for name in sorted(names):
        await stores.queue.accept(a_turn(name, replace(KEY, thread=name)))
    turns = await asyncio.gather(*(stores.queue.claim(f"p{n}", LEASE) for n in range(24)))
    seen = [turn.identity for turn in turns if turn is not None]
    assert len(seen) == len(set(seen))
    while (turn := await stores.queue.claim("last", LEASE)) is not None:
        seen.append(turn.identity)
    assert sorted(seen) == sorted(names)


async def test_a_message_that_was_taken_back_before_it_came_is_stored_as_withdrawn(stores: Stores) -> None:
    for _ in range(2):
        await stores.edits.take_back("slack", "T1", "m1")
    taken = await stores.queue.accept(a_turn("m1"))
    assert (taken.turn.status, taken.turn.question, taken.duplicate) == ("withdrawn", "", True)
    assert (await stores.queue.accept(a_turn("m1"))).turn.status == "withdrawn"
    other = replace(a_turn("m1", replace(KEY, workspace="T2")), id="another")
    assert not (await stores.queue.accept(other)).duplicate
    assert (await claimed(stores)).id == "another"
    assert await stores.sweep.left_standing() == []
