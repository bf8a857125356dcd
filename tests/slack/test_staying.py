"""A desk that stays: through deaf and broken connections, other people's environment variables, and its own end."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bots.compose.connection import bolt
from bots.compose.health import watched
from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, ROLLBACK, Town, quick
from tests.slack.voices import speaking

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = 0.01
"""Minutes of silence after which a connection counts as deaf."""


async def status_of(town: Town, question: object) -> str:
    turn = await town.turn_of(question)  # type: ignore[arg-type]
    return turn.status if turn else ""


async def test_a_question_that_a_deaf_connection_swallowed_is_answered_once(opens: Opens) -> None:
    async with opens(rules=quick(ack_seconds=0.5), slack={"quiet_minutes": SHORT}) as town:
        for connection in town.slack.sockets.connections:
            connection.deaf = True
        asked = town.ask("how many days of annual leave?")
        assert LEAVE in (await town.answered(asked)).words
        await town.calm()
        assert len(town.slack.bot_messages(asked)) == 1


async def test_a_connection_that_breaks_before_the_acknowledgement_brings_no_second_answer(opens: Opens) -> None:
    async with opens(rules=quick(ack_seconds=0.5)) as town:
        asked = town.ask("how many days of annual leave?")
        town.slack.sockets.drop()
        assert LEAVE in (await town.answered(asked)).words
        await town.calm()
        assert len(town.slack.bot_messages(asked)) == 1


async def test_a_conversation_goes_on_while_slack_refreshes_connections(opens: Opens) -> None:
    async with opens() as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.sockets.disconnect("refresh_requested")
        await town.answered(asked)
        after = town.slack.say(town.general, town.ana, "How do I roll back a release?", thread_ts=asked)
        assert ROLLBACK in (await town.answered(after)).words
        assert not any(each.failures for each in town.slack.deliveries)


async def test_what_stands_in_the_environment_for_others_changes_nothing(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_VERIFICATION_TOKEN"):
        monkeypatch.setenv(name, "xoxb-somebody-elses")
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_SCOPES", "SLACK_REDIRECT_URI"):
        monkeypatch.setenv(name, "somebody-elses")
    async with opens(slack={"mode": "http"}) as town:
        asked = town.ask("how many days of annual leave?")
        assert LEAVE in (await town.answered(asked)).words
        assert not town.slack.refused()


async def test_bolt_is_made_without_a_warning_of_a_token_it_finds_by_itself(
    town: Town, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    assert town.service.slack is not None
    with caplog.at_level(logging.INFO):
        bolt(town.service.slack)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_the_app_being_thrown_out_ends_what_is_open_and_makes_the_process_unwell(
    opens: Opens, caplog: pytest.LogCaptureFixture
) -> None:
    async with opens(models=speaking(before=0.5)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.status_in(asked) or town.slack.bot_messages(asked))
        with caplog.at_level(logging.WARNING):
            town.slack.uninstall(town.ana.workspace)
            await town.calm(0.9)  # longer than the answer that was under way
        assert await status_of(town, asked) == "withdrawn"
        assert not [each for each in caplog.records if each.exc_info]
        found = (await watched(town.service).health()).plain()
        assert found["status"] == "failing"
        assert "install the app again" in found["platforms"]["slack"]["error"]


async def test_the_end_waits_for_answers_under_way_and_begins_no_others(opens: Opens) -> None:
    async with opens(models=speaking(before=0.3)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.status_in(asked) or town.slack.bot_messages(asked))
        await town.service.desk.drain(15)
        assert await status_of(town, asked) == "answered"
        late = town.ask("how do I roll back?")
        await town.slack.courier.settled()
        await asyncio.sleep(0.6)
        assert await status_of(town, late) == "waiting"


async def test_an_answer_that_takes_too_long_for_the_end_is_left_to_be_taken_up_again(opens: Opens) -> None:
    async with opens(models=speaking(before=4.0)) as town:
        asked = town.ask("how many days of annual leave?")
        await town.slack.until(lambda: town.slack.status_in(asked) or town.slack.bot_messages(asked))
        loop = asyncio.get_running_loop()
        began = loop.time()
        await town.service.desk.drain(0.3)
        assert loop.time() - began < 2
        assert await status_of(town, asked) in ("running", "waiting")
