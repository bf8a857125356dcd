"""A thread is one conversation, known from its first message on. Rows of the kind “threads, sessions, context”:

| seen | test |
| --- | --- |
| channel threads ignore follow-ups; a restart forgets its threads | test_follow_ups_… |
| a mention mid-thread sees only that line; no root; a generic answer in a thread it was not in | test_earlier_talk_… |
| after the first answer later talk is unseen | test_later_talk_… |
| thread B sees thread A's answers; sessions by user and channel mix threads | test_threads_do_not_mix_… |
| another member reads one's private session | test_commands.py, test_direct_talk_… |
| a second user in the thread has no session | test_a_second_person_… |
| the answer stands in the channel instead of the thread | test_answers_stand_in_the_thread_… |
| (the body of a forum post) | Discord's tests |
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import pytest

from bots.slack_connection import connected
from tests.slack.conftest import Opens
from tests.slack.town import BACKUPS, LEAVE, Town, opened_service_at
from tests.slack.voices import heard_by, speaking

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE_ASKED, BACKUPS_ASKED = "how many days of annual leave?", "how often is the database backed up?"


async def test_follow_ups_are_answered_also_after_a_restart(opens: Opens, home: Any) -> None:
    async with opens() as town:
        asked = town.ask(LEAVE_ASKED)
        await town.answered(asked)
        town.slack.sockets.drop()
        async with AsyncExitStack() as stack:
            models = speaking()
            again = await opened_service_at(stack, home, town.service.base.settings, town.slack, models)
            await stack.enter_async_context(connected(again))
            more = town.slack.say(town.general, town.ana, BACKUPS_ASKED, thread_ts=asked)
            assert BACKUPS in (await town.answered(more)).words
        assert LEAVE in heard_by(models) + town.heard()


async def test_earlier_talk_of_a_thread_is_read_with_its_authors_from_the_root_on(town: Town) -> None:
    root = town.slack.say(town.general, town.ben, "The depot moves to Rotterdam in May.")
    for number in range(3):
        town.slack.say(town.general, town.ana, f"Lorry {number} is late, {town.ben}.", thread_ts=root)
    asked = town.ask(LEAVE_ASKED, thread_ts=root)
    await town.answered(asked)
    heard = town.heard()
    assert "The depot moves to Rotterdam in May." in heard
    assert "Lorry 2 is late, @Ben." in heard
    assert town.ben.id not in heard
    assert "Ben" in heard


async def test_later_talk_is_read_at_the_next_question(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    town.slack.say(town.general, town.ben, "The depot moved to Rotterdam.", thread_ts=asked)
    more = town.slack.say(town.general, town.ana, BACKUPS_ASKED, thread_ts=asked)
    await town.answered(more)
    assert "The depot moved to Rotterdam." in town.heard()


async def test_threads_do_not_mix_even_of_one_person_in_one_channel(town: Town) -> None:
    one = town.ask(LEAVE_ASKED)
    await town.answered(one)
    town.slack.say(town.general, town.ben, "The depot moved to Rotterdam.", thread_ts=one)
    before = len(town.heard())
    two = town.ask(BACKUPS_ASKED)
    await town.answered(two)
    told = town.heard()
    assert len(told) > before
    assert "Rotterdam" not in told
    turn = await town.turn_of(two)
    assert turn is not None
    assert turn.key == town.key(two)


async def test_direct_talk_is_one_persons(town: Town) -> None:
    first = town.slack.say(town.slack.dm(town.ana), town.ana, LEAVE_ASKED)
    await town.slack.until(lambda: town.slack.bot_messages(town.slack.dm(town.ana)))
    await town.calm(0.4)
    town.slack.say(town.slack.dm(town.ben), town.ben, BACKUPS_ASKED)
    await town.slack.until(lambda: town.slack.bot_messages(town.slack.dm(town.ben)))
    await town.calm(0.4)
    mine, theirs = await town.turn_of(first), town.slack.bot_messages(town.slack.dm(town.ben))[-1]
    assert mine is not None
    assert mine.audience.user == town.ana.id
    assert BACKUPS in theirs.words


async def test_a_second_person_shares_the_thread_under_their_own_name(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    named = town.ask(BACKUPS_ASKED, user=town.ben, thread_ts=asked)
    assert BACKUPS in (await town.answered(named)).words
    first, second = await town.turn_of(asked), await town.turn_of(named)
    assert first is not None
    assert second is not None
    assert first.key == second.key
    assert (first.author.id, second.author.id) == (town.ana.id, town.ben.id)
    more = town.slack.say(town.general, town.ben, LEAVE_ASKED, thread_ts=asked)
    assert LEAVE in (await town.answered(more)).words  # who has asked there needs no mention any more


async def test_answers_stand_in_the_thread_of_the_question(town: Town) -> None:
    root = town.ask(LEAVE_ASKED)
    await town.answered(root)
    reply = town.ask(BACKUPS_ASKED, thread_ts=root)
    await town.answered(reply)
    assert {each.thread_ts for each in town.slack.bot_messages(town.general)} == {root.ts}
