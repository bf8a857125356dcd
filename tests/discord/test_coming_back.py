"""A process that was away, or was killed: what was said meanwhile is read, and what was begun is finished once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.discord.town import Town, served
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import DiscordServer, pointed
from tests.discord_server.world import Guild
from tests.slack.town import BACKUPS, LEAVE, Home
from tests.slack.voices import speaking

QUESTION = "how many days of annual leave?"


@dataclass
class Place2:
    """A server of people without us."""

    server: DiscordServer
    acme: Guild
    general: Place
    ana: Person


@asynccontextmanager
async def without_us() -> AsyncIterator[Place2]:
    async with DiscordServer() as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            yield Place2(server, acme, acme.text("general"), acme.person("Ana"))


async def test_what_was_said_while_we_were_away_is_answered_once(home: Home, tmp_path: Path) -> None:
    models = speaking()
    async with without_us() as here:
        async with served(home, tmp_path, here.server, models=models) as service:
            town = Town(here.server, service, models, here.acme, here.general, here.ana, here.ana)
            asked = town.ask(QUESTION)
            await town.answered(asked.id)
            await town.calm()
        missed = here.ana.says(here.general, f"{town.us} how often is the database backed up?")
        here.ana.says(here.server.world.place(asked.id), "and how often is the database backed up?")
        async with served(home, tmp_path, here.server, models=models, fresh=False):
            assert BACKUPS in (await town.answered(missed.id))[0].content
            assert BACKUPS in (await town.answered(asked.id, 2))[1].content
            await town.calm()
            assert len(town.ours(asked.id)) == 2
            assert len(town.ours(missed.id)) == 1


async def test_what_a_process_left_in_mid_answer_is_finished_in_the_same_message(home: Home, tmp_path: Path) -> None:
    slow, quick = speaking(before=30), speaking()
    async with without_us() as here:
        async with served(home, tmp_path, here.server, models=slow) as service:
            town = Town(here.server, service, slow, here.acme, here.general, here.ana, here.ana)
            asked = town.ask(QUESTION)
            await here.server.until(lambda: town.ours(asked.id), 10)
            await asyncio.sleep(0.2)
        (status,) = town.ours(asked.id)
        async with served(home, tmp_path, here.server, models=quick, fresh=False):
            (answer,) = await town.answered(asked.id, seconds=40)
            assert LEAVE in answer.content
            assert answer.id == status.id


async def test_what_was_edited_or_deleted_while_we_were_away_is_found_and_the_rest_left_alone(
    home: Home, tmp_path: Path
) -> None:
    models = speaking()
    async with without_us() as here:
        async with served(home, tmp_path, here.server, models=models) as service:
            town = Town(here.server, service, models, here.acme, here.general, here.ana, here.ana)
            edited, deleted, kept = (town.ask(QUESTION) for _ in range(3))
            for asked in (edited, deleted, kept):
                await town.answered(asked.id)
                await town.ended(asked)
        here.ana.edits(edited, f"{town.us} how often is the database backed up?")
        here.ana.deletes(deleted)
        async with served(home, tmp_path, here.server, models=models, fresh=False) as service:
            await here.server.until(lambda: BACKUPS in town.ours(edited.id)[0].content, 15)
            await here.server.until(lambda: not town.ours(deleted.id), 15)
            again = Town(here.server, service, models, here.acme, here.general, here.ana, here.ana)
            turn = await again.turn_of(kept.id)
            assert turn is not None
            assert (turn.status, turn.revision) == ("answered", 1)
