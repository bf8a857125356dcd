"""Conversations as people have them, with the real AsyncApp in both of its modes: one answer each, in its thread."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.slack.conftest import Opens
from tests.slack.town import BACKUPS, LEAVE, ROLLBACK, Town, quick
from tests.slack.voices import speaking
from tests.slack_server import Rules

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODES = pytest.mark.parametrize("mode", ["socket", "http"])


@MODES
async def test_a_mention_is_answered_in_its_thread_and_so_are_two_follow_ups_without_one(
    opens: Opens, mode: str
) -> None:
    async with opens(slack={"mode": mode}) as town:
        asked = town.ask("how many days of annual leave?")
        answer = await town.answered(asked)
        assert LEAVE in answer.words
        assert "[1] Annual leave" in answer.words
        assert answer.thread_ts == asked.ts
        assert (town.slack.first_sign(asked) or 9) < 2
        first = town.slack.say(town.general, town.ana, "and how often is the database backed up?", thread_ts=asked)
        assert BACKUPS in (await town.answered(first)).words
        second = town.slack.say(town.general, town.ana, "How do I roll back a release?", thread_ts=asked)
        assert ROLLBACK in (await town.answered(second)).words
        await town.calm(0.2)
        assert len(town.slack.bot_messages(town.general)) == 3
        assert not town.slack.refused()
        assert not any(each.lost for each in town.slack.deliveries)
        assert not town.slack.status_in(asked)


@pytest.mark.parametrize("rules", [quick(status_in=frozenset()), quick(streams_in=frozenset()), quick()])
async def test_whatever_the_channel_takes_there_is_one_message(opens: Opens, rules: Rules) -> None:
    async with opens(rules, models=speaking(between=0.05)) as town:
        asked = town.ask("how many days of annual leave?")
        assert LEAVE in (await town.answered(asked)).words
        await town.calm()
        assert len(town.slack.bot_messages(asked)) == 1


@pytest.mark.parametrize(
    "said",
    ["how many days of {us} annual leave?", "annual leave, {us}?", "{us}야 annual leave?", "{us}은 annual leave?"],
)
async def test_the_mention_may_stand_anywhere(town: Town, said: str) -> None:
    asked = town.slack.say(town.general, town.ana, said.format(us=town.us))
    assert LEAVE in (await town.answered(asked)).words


async def test_a_mention_with_nothing_else_gets_a_short_help_for_its_author_alone(town: Town) -> None:
    town.slack.say(town.general, town.ana, town.us)
    await town.slack.until(lambda: town.slack.shown_to(town.ana))
    await town.calm(0.2)
    assert "Ask me something" in town.slack.shown_to(town.ana)[0].words
    assert len(town.slack.shown_to(town.ana)) == 1
    assert not town.slack.bot_messages(town.general)


async def test_a_colleagues_talk_is_left_alone_until_they_name_us(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked)
    aside = town.slack.say(town.general, town.ben, "and how often is the database backed up?", thread_ts=asked)
    await town.calm()
    assert await town.turn_of(aside) is None
    named = town.ask("and how often is the database backed up?", user=town.ben, thread_ts=asked)
    assert BACKUPS in (await town.answered(named)).words
    assert len(town.slack.bot_messages(asked)) == 2


async def test_quiet_is_quiet_in_that_thread_until_we_are_named_again(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked)
    town.slack.say(town.general, town.ana, "quiet", thread_ts=asked)
    await town.slack.until(lambda: town.slack.shown_to(town.ana))
    ignored = town.slack.say(town.general, town.ana, "and how often is the database backed up?", thread_ts=asked)
    await town.calm()
    assert await town.turn_of(ignored) is None
    elsewhere = town.ask("how often is the database backed up?")
    assert BACKUPS in (await town.answered(elsewhere)).words
    named = town.ask("how often is the database backed up?", thread_ts=asked)
    assert BACKUPS in (await town.answered(named)).words


async def test_an_edited_question_changes_the_same_answer(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    before = await town.answered(asked)
    town.slack.edit(asked, f"{town.us} how often is the database backed up?")
    after = await town.answered(asked, when=lambda each: BACKUPS in each.words)
    assert after.ts == before.ts
    await town.calm()
    assert len(town.slack.bot_messages(asked)) == 1


async def test_an_edit_while_answering_gives_one_answer_to_the_new_words(opens: Opens) -> None:
    async with opens(models=speaking(before=0.6)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.status_in(asked))
        await asyncio.sleep(0.3)
        town.slack.edit(asked, f"{town.us} how often is the database backed up?")
        assert BACKUPS in (await town.answered(asked, when=lambda each: "[1]" in each.words)).words
        await town.calm()
        assert len(town.slack.bot_messages(asked)) == 1


async def test_an_edit_that_names_us_for_the_first_time_is_a_question(town: Town) -> None:
    asked = town.slack.say(town.general, town.ana, "how many days of annual leave?")
    await town.calm(0.1)
    town.slack.edit(asked, f"{town.us} how many days of annual leave?")
    assert LEAVE in (await town.answered(asked)).words


async def test_a_deleted_question_takes_its_answer_with_it(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked)
    town.slack.delete(asked)
    await town.slack.until(lambda: not town.slack.bot_messages(town.general))
    turn = await town.turn_of(asked)
    assert turn is not None
    assert (turn.status, turn.question) == ("withdrawn", "")


@pytest.mark.parametrize("rules", [quick(), quick(status_in=frozenset())])
async def test_a_question_deleted_while_it_is_answered_leaves_nothing(opens: Opens, rules: Rules) -> None:
    async with opens(rules, models=speaking(before=0.5, between=0.1)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.first_sign(asked))
        await asyncio.sleep(0.2)
        town.slack.delete(asked)
        await town.calm(1.0)  # longer than the answer that was under way
        assert not town.slack.bot_messages(town.general)


async def test_a_second_question_of_a_thread_waits_its_turn_and_says_so(opens: Opens) -> None:
    async with opens(models=speaking(before=0.6)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.status_in(asked))
        await asyncio.sleep(0.1)
        second = town.ask("how often is the database backed up?", thread_ts=asked)
        waits = await town.slack.until(lambda: next(iter(town.slack.bot_messages(asked)), None))
        assert "it is next" in waits.words
        await town.answered(second, when=lambda each: BACKUPS in each.words)
        first, then = town.slack.bot_messages(asked)
        assert LEAVE in first.words
        assert BACKUPS in then.words


async def test_direct_messages_are_answered_flat_and_in_threads(town: Town) -> None:
    direct = town.slack.dm(town.ana)
    flat = town.slack.say(direct, town.ana, "how many days of annual leave?")
    await town.ended(flat)
    await town.calm(0.1)
    (answer,) = town.slack.bot_messages(direct)
    assert answer.thread_ts is None
    assert LEAVE in answer.words
    threaded = town.slack.say(direct, town.ana, "How often is the database backed up?", thread_ts=flat)
    assert BACKUPS in (await town.answered(threaded)).words
    assert town.slack.bot_messages(direct)[-1].thread_ts == flat.ts
    assert not town.slack.refused()


async def test_in_a_group_conversation_we_are_named_like_in_a_channel(town: Town) -> None:
    group = town.slack.channel("mpdm-ana-ben", "mpim")
    aside = town.slack.say(group, town.ben, "how many days of annual leave?")
    asked = town.ask("how many days of annual leave?", channel=group)
    assert LEAVE in (await town.answered(asked)).words
    assert await town.turn_of(aside) is None


async def test_a_forwarded_message_is_read_with_the_question(town: Town) -> None:
    quoted = {
        "is_share": True,
        "is_msg_unfurl": True,
        "author_name": "Ben",
        "text": "We moved the depot to Rotterdam.",
        "ts": "1700000000.000100",
        "channel_id": town.general.id,
    }
    asked = town.ask("how many days of annual leave?", attachments=[quoted])
    await town.answered(asked)
    assert "We moved the depot to Rotterdam." in town.heard()


async def test_files_that_nobody_reads_are_named_in_one_line(town: Town) -> None:
    files = [{"id": "F1", "name": "plan.png", "title": "plan.png", "mimetype": "image/png"}]
    asked = town.ask("how many days of annual leave?", files=files)
    assert "plan.png" in (await town.answered(asked)).words


async def test_two_hundred_events_at_once_are_all_acknowledged_in_time_and_answered(opens: Opens) -> None:
    rooms = 40
    async with opens(quick(ack_seconds=30.0), models=speaking(before=1.0), at_once=64) as town:
        channels = [town.slack.channel(f"room-{number}") for number in range(rooms)]
        people = [town.slack.user(f"P{number}") for number in range(rooms)]
        asked = [
            town.ask("how many days of annual leave?", channel=channels[n % rooms], user=people[n % rooms])
            for n in range(100)  # two events each: the message and the mention
        ]
        began = time.process_time()
        await town.slack.courier.settled()
        assert time.process_time() - began < 3  # of the stand-in's work too; a busy machine takes longer by the clock
        assert not any(each.failures for each in town.slack.deliveries[:200])
        await town.slack.until(lambda: all(town.slack.bot_messages(each) for each in asked), 60)
        await town.slack.until(lambda: all(LEAVE in town.slack.bot_messages(each)[-1].words for each in asked), 60)
        assert all(len(town.slack.bot_messages(each)) == 1 for each in asked)


@pytest.mark.parametrize("text", ["", "please help", "도와줘"])
async def test_who_names_us_in_a_thread_and_says_no_more_asks_what_it_began_with(town: Town, text: str) -> None:
    question = town.slack.say(town.general, town.ben, "how many days of annual leave?")
    asked = town.ask(text, thread_ts=question)
    assert LEAVE in (await town.answered(question, after=asked)).text
    turn = await town.turn_of(asked)
    assert turn is not None
    assert turn.question == "how many days of annual leave?"
    talk = town.slack.say(town.general, town.ben, "The release is out.")
    bare = town.ask("", thread_ts=talk)
    await town.calm()
    assert await town.turn_of(bare) is None
