"""Each message is heard once: by connections that begin anew, by two processes, after it was forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.messages import Turn
from tests.discord.test_coming_back import QUESTION, Place2, without_us
from tests.discord.town import Town, served
from tests.discord_server.faults import Fault
from tests.slack.town import BACKUPS, LEAVE, Home
from tests.slack.voices import speaking

SECOND = "how often is the database backed up?"


@dataclass
class Ground:
    """A server, and processes that come and go over one record."""

    here: Place2
    home: Home
    folder: Path
    begun: bool = False

    @asynccontextmanager
    async def process(self, greeted: float = 0.05) -> AsyncIterator[Town]:
        """One process, while it is connected. Discord has forgotten the nonces of the one before."""
        here, models, fresh = self.here, speaking(), not self.begun
        here.server.rest.nonces.clear()
        self.begun = True
        running = served(self.home, self.folder, here.server, models=models, fresh=fresh, greeted=greeted)
        async with running as service:
            yield Town(here.server, service, models, here.acme, here.general, here.ana, here.ana)


@pytest.fixture
async def ground(home: Home, tmp_path: Path) -> AsyncIterator[Ground]:
    """Nobody is there yet."""
    async with without_us() as here:
        yield Ground(here, home, tmp_path)


async def looked(town: Town, *places: int) -> None:
    """What was missed was read there."""
    for place in places:
        await town.discord.until(lambda place=place: town.discord.called("GET", f"/channels/{place}/messages"), 10)
    await town.calm(0.2)


async def test_help_errors_and_quiet_are_not_said_again_by_the_next_process(ground: Ground) -> None:
    ana, general = ground.here.ana, ground.here.general
    async with ground.process() as town:
        asked = town.ask(QUESTION)
        await town.answered(asked.id)
        ana.says(general, town.us)
        ana.says(general, f"{town.us} \u200b")
        await town.answered(general.id, 2)
        ana.says(town.thread(asked), "quiet")
        await town.answered(asked.id, 2)
        await ana.slash(town.thread(asked), "quiet", off=True).answered()
    told = len(town.ours(asked.id))
    ground.here.server.calls.clear()
    async with ground.process() as town:
        await looked(town, general.id, asked.id)
        assert len(town.ours(general.id)) == 2
        assert len(town.ours(asked.id)) == told
        ana.says(town.thread(asked), f"and {SECOND}")
        assert BACKUPS in (await town.answered(asked.id, told + 1))[-1].content


async def test_a_question_that_was_forgotten_is_not_answered_again(ground: Ground) -> None:
    ana, general = ground.here.ana, ground.here.general
    async with ground.process() as town:
        await town.answered(town.ask(QUESTION).id)
        forgotten = town.ask(SECOND)
        await town.answered(forgotten.id)
        assert isinstance(await town.ended(forgotten), Turn)
        await ana.slash(general, "forget").answered()
        assert await town.turn_of(forgotten.id) is None
    ground.here.server.calls.clear()
    async with ground.process() as town:
        await looked(town, general.id)
        assert await town.turn_of(forgotten.id) is None


async def test_what_was_missed_is_answered_though_somebody_asks_before_we_know_all_servers(ground: Ground) -> None:
    """discord.py tells messages at once, and that it is ready when no further server came for some seconds."""
    server, ana, general = ground.here.server, ground.here.ana, ground.here.general
    async with ground.process() as town:
        first = town.ask(QUESTION)
        await town.answered(first.id)
    missed = ana.says(general, f"{town.us} {SECOND}")
    followed = ana.says(town.thread(first), f"and {SECOND}")
    before = len(server.gateway.greetings)

    async def early() -> int:
        await server.until(lambda: len(server.gateway.greetings) > before, 20)
        ana.says(town.thread(first), f"and {QUESTION}")
        return ana.says(general, f"{town.us} {QUESTION}").id

    asking = asyncio.create_task(early())
    async with ground.process(greeted=0.7) as town:
        for id in (await asking, missed.id):
            await town.answered(id)
        assert BACKUPS in (await town.answered(missed.id))[0].content
        assert LEAVE in (await town.answered(asking.result()))[0].content
        assert any(BACKUPS in each.content for each in await town.answered(first.id, 3))
        assert (await town.ended(followed)).status == "answered"


async def test_what_was_missed_is_told_and_read_anew_where_it_can_t_be_read_for_a_moment(ground: Ground) -> None:
    ana, general = ground.here.ana, ground.here.general
    async with ground.process() as town:
        await town.answered(town.ask(QUESTION).id)
    missed = ana.says(general, f"{town.us} {SECOND}")
    ana.says(general, town.us)
    path = f"/channels/{general.id}/messages"
    ground.here.server.faults.append(Fault(method="GET", path=path, retry_after=60.0))
    async with ground.process() as town:
        assert BACKUPS in (await town.answered(missed.id))[0].content
        (told,) = await town.answered(general.id)
        assert "/ask" in told.content


async def test_two_processes_hear_and_answer_each_thing_once(ground: Ground) -> None:
    ana, general = ground.here.ana, ground.here.general
    async with AsyncExitStack() as stack:
        town = await stack.enter_async_context(ground.process())
        await stack.enter_async_context(ground.process())
        private = ana.slash(general, "ask", question=QUESTION)
        public = ana.slash(general, "ask", question=SECOND, public=True)
        listed = ana.slash(general, "collections")
        bare = ana.says(general, town.us)
        asked = town.ask(QUESTION)
        await private.until(lambda: private.message and LEAVE in private.message.content, 15)
        await public.answered()
        await listed.answered()
        assert public.message is not None
        assert BACKUPS in (await town.answered(public.message.id))[0].content
        assert LEAVE in (await town.answered(asked.id))[0].content
        await town.calm()
        assert not ana.dm.texts
        assert not private.followups
        assert not public.followups
        assert not listed.followups
        assert [len(town.ours(each)) for each in (public.message.id, asked.id)] == [1, 1]
        helps = [each for each in town.ours(general.id) if each.reference and str(bare.id) in str(each.reference)]
        assert len(helps) == 1
