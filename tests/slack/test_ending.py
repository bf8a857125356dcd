"""A service that ends leaves nothing of its hearing behind."""

from __future__ import annotations

import asyncio

import pytest

from tests.slack.conftest import Opens
from tests.slack.voices import speaking
from tests.slack_server import Slow

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_notes_and_messages_that_are_being_stored_end_with_the_service(opens: Opens) -> None:
    before = asyncio.all_tasks()
    async with opens(models=speaking()) as town:
        town.slack.faults.add("chat.postEphemeral", Slow(1.5))
        town.slack.faults.add("users.info", Slow(1.5), times=None)
        town.slack.say(town.general, town.ana, str(town.us))  # a wish for help
        town.slack.say(town.general, town.ana, f"{town.us} how many days of leave has {town.ben}?")
        await town.slack.until(lambda: _under_way() == {"note", "hearing"})
    assert not {each.get_name() for each in asyncio.all_tasks() - before} & {"note", "hearing"}


def _under_way() -> set[str]:
    return {each.get_name() for each in asyncio.all_tasks()} & {"note", "hearing"}
