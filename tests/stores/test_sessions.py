"""Sessions: history in order, of one thread only, and forgetting for good."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from core.etiquette import STRANGER, Attendance
from core.messages import Author, SessionKey
from tests.stores.conftest import Stores
from tests.stores.test_turns import answered, claimed
from tests.stores.values import KEY, LEASE, NOW, a_turn, an_answer

NEIGHBOURS = [
    replace(KEY, thread="1700.2"),
    replace(KEY, channel="C2"),
    replace(KEY, workspace="T2"),
    replace(KEY, platform="discord"),
]


async def known(stores: Stores, key: SessionKey) -> bool:
    """Whether somebody asked us in this thread."""
    return bool((await stores.attendances.attendance(key)).askers)


async def test_history_is_what_was_answered_before_oldest_first(stores: Stores) -> None:
    for name in ("m1", "m2", "m3"):
        await answered(stores, name)
    await stores.queue.accept(a_turn("m4"))
    now = await claimed(stores)
    past = await stores.sessions.history(KEY, now, 2)
    assert [each.question for each in past] == [a_turn("m1").question] * 2
    assert len(await stores.sessions.history(KEY, now, 10)) == 3
    assert await stores.sessions.history(KEY, await first_turn(stores), 10) == []


async def first_turn(stores: Stores):  # type: ignore[no-untyped-def]
    """The first turn of the session, as stored."""
    return await stores.record.find(turn_id="turn-m1")


async def test_an_exchange_tells_what_a_follow_up_needs(stores: Stores) -> None:
    await answered(stores, "m1")
    (past,) = await stores.sessions.history(KEY, a_turn("m2"), 5)
    assert past.question == "휴가는 며칠인가요?"
    assert past.standalone == "연차 휴가는 며칠인가요?"
    assert past.answer == "연차는 15일입니다."
    assert (past.route, past.titles, past.collections) == ("collections", ("휴가 규정",), ("hr",))
    assert past.asked_at == NOW


async def test_a_thread_never_sees_another_ones_answers(stores: Stores) -> None:
    await answered(stores, "m1")
    for key in NEIGHBOURS:
        assert await stores.sessions.history(key, a_turn("m2", key), 10) == []
        assert not await known(stores, key)
        assert await stores.record.find(key=key) is None


async def test_failed_withdrawn_and_unfinished_turns_are_no_history(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    await stores.record.finish(replace(await claimed(stores), status="failed", error_id="e"))
    gone = await answered(stores, "m2")
    await stores.edits.withdraw(gone.id)
    await stores.queue.accept(a_turn("m3"))
    await claimed(stores)
    assert await stores.sessions.history(KEY, a_turn("m4"), 10) == []


async def test_history_uses_the_latest_revision(stores: Stores) -> None:
    first = await answered(stores, "m1")
    await stores.edits.revise(first.id, "병가는 며칠인가요?")
    assert await stores.sessions.history(KEY, a_turn("m2"), 10) == []
    again = await claimed(stores)
    await stores.record.finish(replace(again, status="answered", answer=an_answer("병가는 60일입니다 [1][2].")))
    (past,) = await stores.sessions.history(KEY, a_turn("m2"), 10)
    assert (past.question, past.answer) == ("병가는 며칠인가요?", "병가는 60일입니다.")


async def test_the_second_person_in_a_thread_shares_it_and_is_kept_apart_by_name(stores: Stores) -> None:
    await answered(stores, "m1")
    colleague = replace(a_turn("m2"), author=replace(a_turn("m2").author, id="U2", name="Ann"))
    await stores.queue.accept(colleague)
    turn = await claimed(stores)
    assert turn.author.id == "U2"
    assert len(await stores.sessions.history(KEY, turn, 10)) == 1


async def test_a_session_is_known_from_its_first_question_on(stores: Stores) -> None:
    assert not await known(stores, KEY)
    await stores.queue.accept(a_turn("m1"))
    assert await known(stores, KEY)


async def test_the_attendance_names_the_people_who_asked_and_counts_the_programs_that_came_last(stores: Stores) -> None:
    person, bot = a_turn("m1"), Author("B1", is_bot=True)
    for turn in (person, replace(a_turn("m2"), author=bot), replace(a_turn("m3"), author=bot)):
        await stores.queue.accept(turn)
    assert await stores.attendances.attendance(KEY) == Attendance(frozenset({person.author.id}), False, 2)
    await stores.queue.accept(a_turn("m4"))
    assert (await stores.attendances.attendance(KEY)).bots == 0


async def test_programs_in_a_channel_are_counted_over_its_threads_until_a_person_asks(stores: Stores) -> None:
    bot = Author("B1", is_bot=True)
    since = a_turn("m0").created_at
    threads = [replace(KEY, thread=f"t{number}") for number in range(3)]
    for number, key in enumerate(threads):
        await stores.queue.accept(replace(a_turn(f"m{number}"), author=bot, key=key))
    assert await stores.attendances.programs(KEY, since) == 3
    assert await stores.attendances.programs(replace(KEY, channel="elsewhere"), since) == 0
    assert await stores.attendances.programs(KEY, since + timedelta(days=1)) == 0
    await stores.queue.accept(replace(a_turn("m9"), key=threads[0]))
    assert await stores.attendances.programs(KEY, since) == 0


async def test_who_was_answered_unasked_has_not_asked(stores: Stores) -> None:
    await stores.queue.accept(replace(a_turn("m1"), quiet=True))
    assert await stores.attendances.attendance(KEY) == STRANGER
    stored = await stores.record.find(turn_id="turn-m1")
    assert stored is not None
    assert stored.quiet


async def test_a_thread_that_was_hushed_stays_so_until_it_is_lifted_and_no_other_does(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    for key in (KEY, NEIGHBOURS[0]):  # also where nobody has asked yet
        await stores.attendances.hush(key, True)
        assert (await stores.attendances.attendance(key)).quiet
    assert not (await stores.attendances.attendance(NEIGHBOURS[1])).quiet
    await stores.attendances.hush(KEY, False)
    assert not (await stores.attendances.attendance(KEY)).quiet


async def test_forgetting_takes_one_session_whole_and_no_other(stores: Stores) -> None:
    other: SessionKey = NEIGHBOURS[0]
    await answered(stores, "m1")
    await answered(stores, "m2")
    await answered(stores, "n1", other)
    assert await stores.sessions.forget(KEY) == 2
    assert await stores.sessions.forget(KEY) == 0
    assert not await known(stores, KEY)
    assert await stores.record.find(turn_id="turn-m1") is None
    assert len(await stores.sessions.history(other, a_turn("n2", other), 10)) == 1


async def test_a_run_whose_session_was_forgotten_stores_nothing(stores: Stores) -> None:
    await stores.queue.accept(a_turn("m1"))
    turn = await claimed(stores)
    await stores.sessions.forget(KEY)
    assert not await stores.queue.renew(turn, LEASE)
    assert not await stores.record.finish(replace(turn, status="answered", answer=an_answer()))
    assert not await known(stores, KEY)
