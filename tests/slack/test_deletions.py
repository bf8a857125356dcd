"""Deleted questions: acknowledged at once whatever Slack's calls take, and their answers go in the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.slack.conftest import Opens
from tests.slack.town import Town
from tests.slack.voices import speaking
from tests.slack_server import Reset, Slow

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_deletion_is_acknowledged_before_its_answer_is_gone(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked)
    town.slack.faults.add("chat.delete", Slow(0.8))
    town.slack.delete(asked)
    await town.slack.courier.settled()
    told = town.slack.deliveries[-1]
    assert told.seconds is not None
    assert told.seconds < 0.5
    assert town.slack.bot_messages(town.general)
    await town.slack.until(lambda: not town.slack.bot_messages(town.general))


async def test_an_answer_that_slack_would_not_delete_at_first_goes_later(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked)
    town.slack.faults.add("chat.delete", Reset(), times=4)  # as often as one call is tried
    town.slack.delete(asked)
    await town.slack.until(lambda: not town.slack.bot_messages(town.general))
    async with asyncio.timeout(5):
        while (turn := await town.turn_of(asked)) is None or turn.target.message_ids:
            await asyncio.sleep(0.02)


async def test_a_question_that_is_taken_back_while_it_is_being_stored_is_not_answered(opens: Opens) -> None:
    async with opens(models=speaking(before=0.2)) as town:
        town.slack.faults.add("users.info", Slow(0.4), times=2)  # whose name the text needs is looked up before
        asked = town.ask(f"how many days of annual leave has {town.ben}?")
        await asyncio.sleep(0.1)
        town.slack.delete(asked)
        assert (await town.ended(asked)).status == "withdrawn"
        await town.calm(0.3)
        assert not town.slack.bot_messages(town.general)


@pytest.mark.parametrize("in_a_thread", [True, False])
async def test_a_question_whose_deletion_comes_before_it_is_not_answered(town: Town, in_a_thread: bool) -> None:
    events: list[Any] = []
    told, town.slack.emit = town.slack.emit, lambda *event: events.append(event)  # type: ignore[method-assign]
    root = town.slack.say(town.general, town.ben, "a thread") if in_a_thread else None
    asked = town.ask("how many days of annual leave?", thread_ts=root)
    town.slack.delete(asked)
    town.slack.emit = told  # type: ignore[method-assign]
    for event in reversed(events):
        told(*event)
        await town.slack.courier.settled()
    assert (await town.ended(asked)).status == "withdrawn"
    await town.calm(0.2)
    assert not town.slack.bot_messages(town.general)
    assert not town.slack.shown_to(town.ana)
