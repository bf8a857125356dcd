"""A service that ends leaves nothing of its hearing behind, and does what it promised or says that it won't."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from adapters.slack.aside import Aside
from adapters.slack.deeds import Deeds
from adapters.slack.places import Where
from bots.slack_connection import connected
from core.desk.promises import Promises
from tests.slack.conftest import Opens
from tests.slack.town import LEAVE, Home, Town, opened_service_at, quick
from tests.slack.voices import speaking
from tests.slack_server import AppConfig, Channel, SlackServer, Slow, User

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


@pytest.mark.parametrize(
    ("typed", "said"), [("ask how many days of annual leave?", LEAVE), ("forget me", "questions: 0")]
)
async def test_a_command_that_was_acknowledged_before_the_end_is_done(
    home: Home, tmp_path: Path, typed: str, said: str
) -> None:
    home.copied(tmp_path)
    async with SlackServer(quick(), AppConfig(), "") as slack:
        ana, general = slack.user("Ana"), slack.channel("general")
        async with AsyncExitStack() as stack:
            await _at(stack, home, tmp_path, slack)
            slack.faults.add("users.info", Slow(0.7), times=None)
            await _typed(slack, typed, ana, general)
        slack.faults.clear()
        async with AsyncExitStack() as stack:
            await _at(stack, home, tmp_path, slack)
            await slack.until(lambda: said in slack.shown_to(ana)[-1].words)


async def test_who_can_no_longer_be_answered_before_the_end_is_told_to_try_again(town: Town) -> None:
    assert town.service.slack is not None
    web, where = town.service.slack.web, Where(town.ana.workspace, town.general.id, town.ana.id)
    town.general.members.add(town.ana.id)
    async with Deeds(Promises(0.05)) as deeds:
        deeds.begin(asyncio.sleep(60), Aside(web, where))
    assert "restarted" in town.slack.shown_to(town.ana)[-1].words


async def _at(stack: AsyncExitStack, home: Home, folder: Path, slack: SlackServer) -> None:
    service = await opened_service_at(stack, home, home.settings(folder, slack), slack, speaking())
    await stack.enter_async_context(connected(service))
    await slack.sockets.connected()


async def _typed(slack: SlackServer, typed: str, user: User, channel: Channel) -> None:
    channel.members.add(user.id)
    assert not (await slack.command("/refdesk", typed, user, channel)).lost
