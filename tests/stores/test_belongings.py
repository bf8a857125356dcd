"""What the record holds of one person: found for them, and forgotten when they ask."""

from __future__ import annotations

from dataclasses import replace

from core.feedback import Feedback
from core.messages import Author, Forgotten, ReplyTarget, SessionKey, Turn
from tests.stores.conftest import Stores
from tests.stores.test_turns import answered, claimed
from tests.stores.values import KEY, LEASE, NOW, a_turn, an_answer

DM = SessionKey("slack", "T1", "D1", "dm")


async def by(stores: Stores, identity: str, key: SessionKey, user: str) -> Turn:
    """An answered turn of somebody."""
    await stores.queue.accept(replace(a_turn(identity, key), author=Author(user)))
    done = replace(await claimed(stores), status="answered", answer=an_answer())
    assert await stores.record.finish(done)
    return done


async def test_a_persons_latest_turns_are_found_newest_first(stores: Stores) -> None:
    for number in range(3):
        await by(stores, f"m{number}", replace(KEY, thread=str(number)), "U1")
    await by(stores, "theirs", KEY, "U2")
    await by(stores, "elsewhere", replace(KEY, workspace="T2"), "U1")
    await by(stores, "private", DM, "U1")
    found = await stores.belongings.recent("slack", "T1", "U1", 3)
    assert [each.identity for each in found] == ["private", "m2", "m1"]
    assert [each.identity for each in await stores.belongings.recent("slack", "T1", "U1", 9, "D1")] == ["private"]


async def test_who_is_forgotten_leaves_no_words_behind_and_others_keep_theirs(stores: Stores) -> None:
    shared = await by(stores, "m1", KEY, "U1")
    kept = await by(stores, "m2", KEY, "U2")
    private = await by(stores, "m3", DM, "U1")
    await stores.feedback.put(Feedback(kept.id, "slack/T1/U1", "down", NOW, "that is wrong"))
    await stores.feedback.put(Feedback(kept.id, "slack/T1/U2", "up", NOW))
    assert await stores.belongings.forget("slack", "T1", "U1") == Forgotten(2)
    assert await stores.record.find(turn_id=private.id) is None
    left = await stores.record.find(turn_id=shared.id)
    assert left is not None
    assert (left.question, left.answer, left.status, left.author) == ("", None, "withdrawn", Author(""))
    assert await stores.record.find(turn_id=kept.id) == replace(kept, owner=None, lease_until=None)
    assert [each.thumb for each in await stores.feedback.of(kept.id)] in (["up"], ["down", "up"])
    assert await stores.belongings.recent("slack", "T1", "U1", 9) == []
    assert await stores.belongings.forget("slack", "T1", "U1") == Forgotten(0)


async def test_one_thread_alone_can_be_forgotten(stores: Stores) -> None:
    await by(stores, "m1", KEY, "U1")
    other = await by(stores, "m2", replace(KEY, thread="2"), "U1")
    assert await stores.belongings.forget_in(KEY, "U1") == Forgotten(1)
    assert [each.id for each in await stores.belongings.recent("slack", "T1", "U1", 9)] == [other.id]


async def test_a_run_that_is_forgotten_meanwhile_stores_nothing(stores: Stores) -> None:
    await by(stores, "m0", KEY, "U2")
    await stores.queue.accept(a_turn("m1"))
    running = await claimed(stores)
    await stores.belongings.forget("slack", "T1", "U1")
    assert not await stores.queue.renew(running, LEASE)
    assert not await stores.record.finish(replace(running, status="answered", answer=an_answer()))


async def test_what_was_asked_and_is_not_answered_yet_is_theirs_too(stores: Stores) -> None:
    for identity, key, is_quiet in (("m1", KEY, False), ("m2", KEY, False), ("m3", DM, True)):
        await stores.queue.accept(replace(a_turn(identity, key), quiet=is_quiet))
    await claimed(stores)
    found = await stores.belongings.recent("slack", "T1", "U1", 9)
    assert [(each.identity, each.status) for each in found] == [("m2", "waiting"), ("m1", "running")]


async def test_of_the_forgotten_those_without_an_end_are_told_and_only_their_signs_are_left_to_take_down(
    stores: Stores,
) -> None:
    standing = ReplyTarget("slack", "T1", "C1", "100.1", message_ids=("100.2",))
    await by(stores, "m0", KEY, "U2")
    over = await by(stores, "m1", KEY, "U1")
    assert await stores.record.retarget(over, standing)
    for identity, key in (("m2", KEY), ("m3", DM)):
        await stores.queue.accept(a_turn(identity, key))
    waiting = await stores.edits.identified("slack", "T1", "m2")
    assert waiting is not None
    assert await stores.record.retarget(waiting, standing)
    forgotten = await stores.belongings.forget("slack", "T1", "U1")
    assert forgotten.count == 3
    assert [(each.identity, each.question) for each in forgotten.unended] == [
        ("m2", waiting.question),
        ("m3", waiting.question),
    ]
    assert forgotten.unended[0].target.message_ids == ("100.2",)
    assert [each.id for each in await stores.sweep.left_standing()] == [waiting.id]


async def test_somebody_is_called_to_a_turn_once_until_that_failed(stores: Stores) -> None:
    turn = await answered(stores, "m1")
    assert [await stores.calls.call(turn.id) for _ in range(2)] == [True, False]
    assert await stores.calls.call(turn.id, called=False)
    assert await stores.calls.call(turn.id)
    assert not await stores.calls.call("unknown")
