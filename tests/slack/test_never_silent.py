"""Whoever asks sees an answer or a reason. Rows of the kind “silence and lost answers”:

| seen | test |
| --- | --- |
| a sign of life appears, vanishes, nothing | test_a_vanished_sign_… |
| answers in channels fail silently, direct messages are fine | test_the_path_of_each_kind_of_channel_… |
| a setting makes every answer invisible | test_no_setting_… |
| more than 3,000 characters, only logged; messages over the limit dropped | test_long_answers_… |
| a broken command, only a log line | test_commands.py |
| the stream is closed after five minutes, replies start mid-word | test_closed_streams_… |
| (the channel is gone or archived meanwhile) | test_unpostable_… |
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import pytest

from adapters.sql.settings import SqlSettings
from core.channels import Setting
from core.wording import say
from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, Town, quick
from tests.slack.voices import certain, speaking
from tests.slack_server import Refused, Status

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE_ASKED = "how many days of annual leave?"


async def test_a_vanished_sign_leaves_a_reason(town: Town) -> None:
    await town.told("ALTER TABLE generations RENAME TO gone")
    asked = town.ask(LEAVE_ASKED)
    answer = await town.answered(asked)
    assert answer.words.strip()
    assert "[1]" not in answer.words
    assert not town.slack.status_in(asked)
    turn = await town.turn_of(asked)
    assert turn is not None
    assert turn.status == "failed"
    assert turn.error_id


@pytest.mark.parametrize("kind", ["public", "private", "mpim"])
async def test_the_path_of_each_kind_of_channel_ends_in_an_answer(opens: Opens, kind: str) -> None:
    rules = quick(status_in=frozenset({"public"}), streams_in=frozenset({"public"}))
    async with opens(rules) as town:
        asked = town.ask(LEAVE_ASKED, channel=town.slack.channel("room", kind))  # type: ignore[arg-type]
        assert LEAVE in (await town.answered(asked)).words


@pytest.mark.parametrize("mode", ["mention", "thread", "auto"])
async def test_no_setting_makes_answers_to_a_mention_invisible(town: Town, mode: str) -> None:
    place = f"slack/{town.ana.workspace}/{town.general.id}"
    settings = SqlSettings(town.service.base.database)
    await settings.put(Setting(place, "mode", (mode,), "slack/T/U", datetime.now(UTC)))
    asked = town.ask(LEAVE_ASKED)
    assert LEAVE in (await town.answered(asked)).words


async def test_long_answers_come_whole_over_several_messages(opens: Opens) -> None:
    text = "\n\n".join(f"Point {number}: everybody has 25 days of annual leave [1]." for number in range(300))
    async with opens(models=speaking(lambda request: certain(request, lambda _: text))) as town:
        asked = town.ask(LEAVE_ASKED)
        await town.answered(asked, when=lambda each: "Point 299" in each.words, seconds=60)
        words = "\n".join(each.words for each in town.slack.bot_messages(asked))
        assert all(f"Point {number}:" in words for number in range(300))
        assert len(town.slack.bot_messages(asked)) > 1
        assert not town.slack.refused()


WORDS = " ".join(f"word{number}" for number in range(12)) + " 25 days of annual leave [1]."


async def test_closed_streams_end_in_the_whole_text(opens: Opens) -> None:
    models = speaking(lambda request: certain(request, lambda _: WORDS), between=0.12)
    async with opens(quick(stream_seconds=0.3), models=models) as town:
        asked = town.ask(LEAVE_ASKED)
        answer = await town.answered(asked, when=lambda each: LEAVE in each.words)
        assert WORDS.removesuffix(" [1].") in answer.words
        assert len(town.slack.bot_messages(asked)) == 1


async def test_slacks_own_stop_keeps_what_is_written_and_says_so(opens: Opens) -> None:
    models = speaking(lambda request: certain(request, lambda _: WORDS), between=0.12)
    async with opens(models=models) as town:
        asked = town.ask(LEAVE_ASKED)
        growing = await town.slack.until(lambda: next(iter(town.slack.bot_messages(asked)), None))
        town.slack.stop_stream(growing)
        answer = await town.answered(asked, when=lambda each: say("note.stopped_by_you", "en") in each.words)
        assert "word0" in answer.words
        assert LEAVE not in answer.words
        assert len(town.slack.bot_messages(asked)) == 1


async def test_a_channel_that_takes_no_answers_leaves_its_asker_a_word_alone(opens: Opens) -> None:
    async with opens(quick(streams_in=frozenset())) as town:
        here = town.general.id
        town.slack.faults.add("chat.postMessage", Refused("restricted_action"), None, lambda a: a["channel"] == here)
        asked = town.ask(LEAVE_ASKED)
        direct = town.slack.dm(town.ana)
        (told,) = await town.slack.until(lambda: town.slack.bot_messages(direct))
        assert "rules of this workspace" in told.words
        assert (await town.ended(asked)).status == "failed"
        assert not town.slack.status_in(asked)


@pytest.mark.parametrize("code", ["is_archived", "not_in_channel", "channel_not_found"])
async def test_unpostable_answers_are_logged_with_their_reason_and_hold_nothing_up(
    opens: Opens, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opens(quick(streams_in=frozenset())) as town:
        away = town.slack.channel("away")
        town.slack.faults.add("chat.postMessage", Refused(code), None, lambda args: args.get("channel") == away.id)
        with caplog.at_level(logging.WARNING):
            lost = town.ask(LEAVE_ASKED, channel=away)
            await town.slack.until(lambda: town.slack.refused(code))
            await town.calm(0.3)
        assert code in caplog.text
        assert (
            await town.ended(lost)
        ).status == "failed"  # it is not asked of the models again: Slack would refuse that too
        asked = town.ask(LEAVE_ASKED)
        assert LEAVE in (await town.answered(asked)).words


async def test_a_slack_that_stumbles_gets_the_answer_a_moment_later(town: Town) -> None:
    for method in ("chat.startStream", "chat.postMessage", "chat.update", "assistant.threads.setStatus"):
        town.slack.faults.add(method, Status(503), times=2)
    asked = town.ask(LEAVE_ASKED)
    assert LEAVE in (await town.answered(asked)).words
    await town.calm()
    assert len(town.slack.bot_messages(asked)) == 1
