"""Nothing but people's words to us starts an answer. Rows of the kind “loops, edits, wrong triggers”:

| seen | test |
| --- | --- |
| own link previews come back as `message_changed` | test_previews_… |
| another bot's (or our own) metadata edit answers an old thread, starts a new run | test_metadata_edits_… |
| each edit gives another reply | test_each_edit_… |
| two deployments in one thread answer each other for ever | test_two_bots_… |
| error notices feed a bot loop | test_error_notices_… |
| silent in threads that hold other bots' messages | test_threads_with_other_bots_… |
"""

from __future__ import annotations

import pytest

from tests.slack.town import BACKUPS, LEAVE, Town

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE_ASKED, BACKUPS_ASKED = "how many days of annual leave?", "how often is the database backed up?"


async def test_previews_of_links_start_nothing(town: Town) -> None:
    asked = town.ask(f"{LEAVE_ASKED} see https://example.com/a")
    answer = await town.answered(asked)
    town.slack.unfurl(answer)
    town.slack.unfurl(asked)
    town.slack.unfurl(town.slack.say(town.general, town.ben, "look at https://example.com/b"))
    await town.calm()
    assert len(town.slack.bot_messages(town.general)) == 1
    turn = await town.turn_of(asked)
    assert turn is not None
    assert turn.revision == 1


async def test_metadata_edits_start_nothing(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    answer = await town.answered(asked)
    program = town.slack.user("Robot", bot=True)
    theirs = town.slack.say(town.general, program, f"{town.us} {BACKUPS_ASKED}", thread_ts=asked)
    await town.answered(theirs)
    for message in (asked, answer, theirs):
        before = town.slack.shape(message)
        message.metadata = {"event_type": "refreshed", "event_payload": {}}
        town.slack.tell_changed(message, before)
    await town.calm()
    assert len(town.slack.bot_messages(town.general)) == 2


async def test_each_edit_changes_the_one_answer(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    for words in (BACKUPS_ASKED, LEAVE_ASKED, BACKUPS_ASKED):
        town.slack.edit(asked, f"{town.us} {words}")
    await town.answered(asked, when=lambda each: BACKUPS in each.words)
    await town.calm()
    assert len(town.slack.bot_messages(town.general)) == 1


async def test_two_bots_speak_to_each_other_three_times_and_no_more(town: Town) -> None:
    program = town.slack.user("Robot", bot=True)
    asked = town.slack.say(town.general, program, f"{town.us} {LEAVE_ASKED}")
    last = await town.answered(asked)
    for _ in range(5):
        again = town.slack.say(town.general, program, f"{town.us} {BACKUPS_ASKED}", thread_ts=asked)
        if await town.turn_of(again) is None:
            await town.calm(0.4)
        if (turn := await town.turn_of(again)) is None:
            continue
        last = await town.answered(again)
        assert turn.author.is_bot
    assert len(town.slack.bot_messages(asked)) == 3
    assert town.slack.bot_messages(asked)[-1] is last
    by_ana = town.ask(LEAVE_ASKED, thread_ts=asked)
    assert LEAVE in (await town.answered(by_ana)).words  # people are answered, and begin the count anew


async def test_bots_that_do_not_name_us_are_never_answered(town: Town) -> None:
    program = town.slack.user("Robot", bot=True)
    asked = town.ask(LEAVE_ASKED)
    await town.answered(asked)
    said = town.slack.say(town.general, program, BACKUPS_ASKED, thread_ts=asked)
    await town.calm()
    assert await town.turn_of(said) is None


async def test_error_notices_are_not_given_to_programs(town: Town) -> None:
    program = town.slack.user("Robot", bot=True)
    long = "how many days of leave? " * 500
    town.slack.say(town.general, program, f"{town.us} {long}")
    town.slack.say(town.general, program, town.us)
    await town.calm()
    assert town.slack.shown_to(program) == []
    assert town.slack.bot_messages(town.general) == []
    town.ask(long)
    await town.slack.until(lambda: town.slack.shown_to(town.ana))
    await town.calm(0.2)
    assert len(town.slack.shown_to(town.ana)) == 1


async def test_threads_with_other_bots_messages_are_answered(town: Town) -> None:
    program = town.slack.user("Robot", bot=True)
    root = town.slack.say(town.general, program, "Build 12 failed.")
    asked = town.ask(LEAVE_ASKED, thread_ts=root)
    assert LEAVE in (await town.answered(asked)).words
    town.slack.say(town.general, program, "Build 13 failed.", thread_ts=root)
    more = town.slack.say(town.general, town.ana, BACKUPS_ASKED, thread_ts=root)
    assert BACKUPS in (await town.answered(more)).words


async def test_joins_reactions_our_own_words_and_talk_start_nothing(town: Town) -> None:
    asked = town.ask(LEAVE_ASKED)
    answer = await town.answered(asked)
    town.slack.join(town.general, town.slack.user("Carl"))
    town.slack.react(answer, "eyes", town.ana)
    town.slack.say(town.general, town.ana, f"{town.ben} can you look?", thread_ts=asked)
    town.slack.say(town.general, town.ana, "Thanks!", thread_ts=asked)
    town.slack.say(town.general, town.ana, LEAVE_ASKED)  # not in our thread, and nobody named us
    us = town.slack.bot_of()
    town.slack.say(town.general, us, f"{us} {LEAVE_ASKED}")
    await town.calm()
    assert [each for each in town.slack.bot_messages(town.general) if each.text != f"{us} {LEAVE_ASKED}"] == [answer]
