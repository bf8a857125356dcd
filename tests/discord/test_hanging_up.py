"""The connection lets go when the process is to end, whatever it is in the middle of."""

from __future__ import annotations

import asyncio

from adapters.discord.client import client, connected, logged_in
from core.pulse import Pulse
from tests.discord_server.server import DiscordServer


async def test_a_shard_that_connects_anew_is_let_go_of(server: DiscordServer) -> None:
    """discord.py takes a cancel meanwhile for the end of that one try, and goes on."""
    server.world.guild("Acme")
    made = client(words=True, guild_ready_timeout=0.05)
    async with logged_in(made, server.token):
        async with asyncio.timeout(15):
            async with connected(made, Pulse()):
                greeted = len(server.gateway.greetings)
                server.gateway.invalidate(resumable=False)
                await asyncio.sleep(0.3)  # it waits before it says who it is again
                assert len(server.gateway.greetings) == greeted
        assert all(each.is_closed() for each in made.shards.values())
        assert (await made.http.get_user(server.world.bot.id))["id"] == str(server.world.bot.id)
