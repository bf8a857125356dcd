"""`refdesk serve --demo` in Discord as people try it: a process of its own over the bundled handbook, without any key.

The conversations of test_slack_serve.py, each in a channel of its own; Discord has refused nothing of any of them.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
import pytest_asyncio
from simcord.backend.models import Message

from bots.settings import cache_dir
from tests.bots.processes import refdesk
from tests.bots.test_slack_serve import CAUSE, EVERY, HOTEL, HOW_LONG, LAPTOPS, LASTED, OUTAGE, RATE
from tests.discord.test_commands import button
from tests.discord.town import Watching
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer
from tests.discord_server.world import Guild

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Desk(Watching):
    """The stand-in that a process serves."""

    acme: Guild
    ana: Person
    boss: Person

    def ask(self, room: Place, text: str) -> Message:
        """Ana mentions us."""
        return self.ana.says(room, f"{self.us} {text}")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(indexed: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """It is connected at the beginning, and told to end at the end."""
    place = tmp_path_factory.mktemp("guild")
    shutil.copytree(indexed, place / f"demo-{version('refdesk')}")
    (place / "models").symlink_to(cache_dir() / "models")
    async with DiscordServer() as server:
        acme = server.world.guild("Acme")
        boss = acme.person("Boss", roles=[acme.role("admin", "administrator")])
        where = {"REFDESK_DISCORD_URL": server.url, "REFDESK_DISCORD_GATEWAY": server.rest.gateway_url}
        env = {"DISCORD_BOT_TOKEN": server.token, "REFDESK_DATA_DIR": str(place), **where}
        async with refdesk(place, "serve", "--demo", env=env) as process:
            await server.until(lambda: "connected to Discord" in process.said, 90)
            yield Desk(server, acme, acme.person("Ana"), boss)
            await process.told_to_end(server.token)


@pytest.fixture
def room(desk: Desk, request: pytest.FixtureRequest) -> Place:
    """A channel of the test's own."""
    return desk.acme.text(request.node.name[5:25].replace("_", "-"))


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def well(desk: Desk) -> AsyncIterator[None]:
    """Nothing was refused, and nothing asked that the stand-in can't answer."""
    yield
    assert [(each.method, each.path, each.status) for each in desk.discord.calls if each.status >= 400] == []
    assert desk.discord.rest.unknown == []


async def test_a_mention_opens_a_thread_for_two_follow_ups_in_two_languages_and_thumbs(desk: Desk, room: Place) -> None:
    asked = desk.ask(room, OUTAGE)
    (answer,) = await desk.answered(asked.id)
    assert CAUSE in answer.content
    assert "[1] " in answer.embeds[0]["description"]
    thread = desk.discord.world.place(asked.id)
    assert thread.name == OUTAGE
    desk.ana.says(thread, HOW_LONG)
    assert LASTED in (await desk.answered(asked.id, 2))[1].content
    desk.ana.says(thread, LAPTOPS)
    korean = (await desk.answered(asked.id, 3))[2]
    assert EVERY in korean.content
    assert desk.ours(room.id) == []

    thanked = await desk.ana.clicks(answer, button(answer, "up")).answered()
    assert thanked.is_private
    shown = await desk.ana.clicks(korean, button(korean, "down")).acknowledged()
    noted = await desk.ana.submits(shown, comment="다섯 해로 바뀌었습니다.").answered()
    assert "Thank you" in noted.message.content  # in the language of their Discord
    assert "Thumbs up: 1, down: 1" in (await desk.boss.slash(room, "status").answered()).message.content


async def test_a_private_answer_is_for_its_asker_until_it_is_shared(desk: Desk, room: Place) -> None:
    private = await desk.ana.slash(room, "ask", question=OUTAGE).acknowledged()
    assert private.is_private
    await private.until(lambda: private.message and CAUSE in private.message.content, 30)
    shown = private.message
    await desk.ana.clicks(shown, button(shown, "share")).answered()
    assert room.threads == []
    (shared,) = [each for each in desk.ours(room.id) if not each.flags & 64]
    assert CAUSE in shared.content
    assert "[1] " in shared.embeds[0]["description"]
    desk.ana.says(room, HOW_LONG, reply_to=shared)
    await desk.discord.until(
        lambda: any(LASTED in each.content for place in room.threads for each in desk.ours(place.id)), 30
    )


async def test_a_reindex_is_one_message_that_ends_with_what_came_of_it(desk: Desk, room: Place) -> None:
    with pytest.raises(LookupError):
        desk.ana.slash(room, "reindex", collection="policies")
    begun = await desk.boss.slash(room, "reindex", collection="policies").answered()
    assert begun.is_private
    (report,) = [each for each in desk.ours(room.id) if not each.flags & 64]
    await desk.discord.until(lambda: "0 added, 0 changed, 0 removed" in report.content, 60)
    assert [each for each in desk.ours(room.id) if not each.flags & 64] == [report]


async def test_an_edited_question_gets_another_answer_in_its_place_and_a_deleted_one_takes_it_along(
    desk: Desk, room: Place
) -> None:
    asked = desk.ask(room, OUTAGE)
    (answer,) = await desk.answered(asked.id)
    desk.ana.edits(asked, f"{desk.us} {HOTEL}")
    await desk.discord.until(lambda: RATE in answer.content, 30)
    assert await desk.answered(asked.id) == [answer]
    assert CAUSE not in answer.content
    desk.ana.deletes(asked)
    await desk.discord.until(lambda: not desk.ours(asked.id), 30)
