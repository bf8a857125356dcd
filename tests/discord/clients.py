"""The real discord.py client as the tests use it: it keeps what it hears and waits for nothing longer than it must."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import discord
from discord import app_commands

from tests.discord_server.server import DiscordServer

C = TypeVar("C", bound=discord.Client)
INTENTS = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=True)


class _Hearing:
    """What a client notes down; mixed into both kinds of clients."""

    heard: list[tuple[str, Any]]

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord wants five seconds between two; a test does not have them."""

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(("message", message))

    async def on_message_edit(self, before: discord.Message, after: discord.Message) -> None:
        self.heard.append(("edit", after))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.heard.append(("delete", event.message_id))

    async def on_thread_create(self, thread: discord.Thread) -> None:
        self.heard.append(("thread", thread))

    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        self.heard.append(("thread changed", after))

    async def on_resumed(self) -> None:
        self.heard.append(("resumed", None))

    async def on_shard_resumed(self, number: int) -> None:
        self.heard.append(("shard resumed", number))

    def all(self, kind: str) -> list[Any]:
        """What was heard of this kind."""
        return [what for name, what in self.heard if name == kind]

    @property
    def texts(self) -> list[str]:
        """The words of the messages heard."""
        return [message.content for message in self.all("message")]


class Client(_Hearing, discord.Client):
    """One connection."""

    def __init__(self, intents: discord.Intents = INTENTS, **options: Any) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05, chunk_guilds_at_startup=False, **options)
        self.heard = []
        self.tree = app_commands.CommandTree(self)


class Sharded(_Hearing, discord.AutoShardedClient):
    """As many connections as Discord advises."""

    def __init__(self, intents: discord.Intents = INTENTS, **options: Any) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05, chunk_guilds_at_startup=False, **options)
        self.heard = []


@asynccontextmanager
async def running(server: DiscordServer, client: C) -> AsyncIterator[C]:
    """The client, connected and ready; closed at the end of the block. Its own failure fails the test."""
    task = asyncio.create_task(client.start(server.token))
    ready = asyncio.create_task(_ready(client))
    try:
        await asyncio.wait([task, ready], timeout=10, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        assert ready.done(), "not ready in ten seconds"
        yield client
    finally:
        ready.cancel()
        await client.close()
        await asyncio.gather(task, ready, return_exceptions=True)


async def _ready(client: discord.Client) -> None:
    while client.user is None:
        await asyncio.sleep(0.005)
    await client.wait_until_ready()
