"""The real client in simcord, which knows Discord's rules of permissions, views and commands to the letter."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import simcord
from discord import app_commands

from adapters.clock import SystemClock
from adapters.discord.calls import Calls
from adapters.discord.client import client
from adapters.discord.pace import Pace
from bots.compose.base import opened_base
from bots.compose.discord import discord_over, ears, pressing
from bots.compose.service import service_over
from bots.discord import register
from bots.settings import validated
from tests.slack.town import BACKUPS, LEAVE, Home, collections
from tests.slack.voices import PROFILE, speaking

QUESTION = "how many days of annual leave?"


@dataclass
class Scene:
    """A guild with one channel and one person in it."""

    env: Any
    general: Any
    ana: Any

    @property
    def us(self) -> str:
        """How people mention us."""
        return str(self.general.guild.me.mention)


async def until(holds: Callable[[], Any]) -> None:
    """Wait for the desk, whose work simcord does not know of."""
    async with asyncio.timeout(15):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def process(home: Home, folder: Path, *, fresh: bool = True) -> AsyncIterator[discord.AutoShardedClient]:
    """A desk, and the client that it hears through; one that is not `fresh` goes on with the record."""
    section = {"bot_token": "simcord.fake.token"}
    place = home.copied(folder) if fresh else folder
    given = {"data_dir": place, "collections": collections(home.folder), "models": PROFILE, "discord": section}
    async with AsyncExitStack() as stack:
        base = await opened_base(stack, validated(given, "scene"), home.embedders, SystemClock(), speaking())
        made = client(words=True)
        service = await service_over(stack, base, discord=discord_over(base, made, Calls(), Pace()))
        assert service.discord is not None
        tree = app_commands.CommandTree(made)
        listening = ears(service.discord, service)
        listening.bookmark.every = 0.02  # simcord waits until nothing is left to be done
        register(made, tree, listening, pressing(listening.buttons))
        setattr(made, "tree", tree)  # noqa: B010 - where simcord looks for it
        setattr(made, "setup_hook", tree.sync)  # noqa: B010
        yield made


@asynccontextmanager
async def seen(made: discord.Client) -> AsyncIterator[Scene]:
    """Its Discord is simcord."""
    async with simcord.run(made, shard_count=1, settle_timeout=20.0) as env:
        guild = env.create_guild()
        general = guild.create_text_channel("general")
        yield Scene(env, general, guild.add_member(env.create_user("ana")))


@asynccontextmanager
async def played(home: Home, folder: Path) -> AsyncIterator[Scene]:
    """A running desk behind simcord."""
    async with process(home, folder) as made, seen(made) as scene:
        yield scene


def deeds(message: Any) -> dict[str, str]:
    """The ids of its buttons by what they do."""
    ids = [str(each.custom_id) for row in message.components for each in row.children]
    return {id.split(":")[1]: id for id in ids}


async def answer_in(scene: Scene) -> Any:
    """Ana asks in the channel; our message."""
    await scene.ana.send(scene.general, f"{scene.us} {QUESTION}")
    (thread,) = scene.general.threads
    await until(lambda: "down" in deeds(thread.last_message))
    assert LEAVE in thread.last_message.content
    return thread.last_message


async def test_a_mention_a_follow_up_and_a_thumb(home: Home, tmp_path: Path) -> None:
    async with played(home, tmp_path) as scene:
        await scene.ana.send(scene.general, f"{scene.us} {QUESTION}")
        (thread,) = scene.general.threads
        await until(lambda: LEAVE in thread.last_message.content)
        await scene.ana.send(thread, "and how often is the database backed up?")
        await until(lambda: BACKUPS in thread.last_message.content)
        thanked = await scene.ana.click(thread.last_message, label="Why this answer?")
        assert thanked.ephemeral


async def test_a_command_is_deferred_before_anything_else(home: Home, tmp_path: Path) -> None:
    async with played(home, tmp_path) as scene:
        asked = await scene.ana.slash(scene.general, "collections")
        assert asked.acknowledged
        assert asked.ephemeral
        first = next(each for each in scene.env.http_requests if each.path.endswith("callback"))
        assert first.json["type"] == 5
        assert "handbook" in asked.response.content.casefold()


async def test_buttons_and_forms_outlive_every_timeout(home: Home, tmp_path: Path) -> None:
    async with played(home, tmp_path) as scene:
        answer = await answer_in(scene)
        await scene.env.advance_time(3 * 3600)
        told = await scene.ana.click(answer, label="Why this answer?")
        assert "leave" in told.response.content
        form = await scene.ana.click(answer, custom_id=deeds(answer)["down"])
        await scene.env.advance_time(3600)
        thanked = await scene.ana.submit_modal(form, {"comment": "It is 30 days."})
        assert "Thank you" in thanked.response.content


async def test_buttons_of_one_process_work_in_the_next(home: Home, tmp_path: Path) -> None:
    async with AsyncExitStack() as first:
        made = await first.enter_async_context(process(home, tmp_path))
        async with seen(made) as scene:
            answer = await answer_in(scene)
            await scene.ana.click(answer, label="Why this answer?")  # so it is on record
            await first.aclose()
            async with process(home, tmp_path, fresh=False) as again:
                await scene.env.restart_bot(again)
                told = await scene.ana.click(answer, label="Why this answer?")
                assert "leave" in told.response.content
                thanked = await scene.ana.click(answer, custom_id=deeds(answer)["up"])
                assert "Thank you" in thanked.response.content
