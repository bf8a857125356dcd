"""The REST API of the stand-in, driven by the real client: pages, limits of a message, refusals, rate limits."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import aiohttp
import discord
import pytest

from tests.discord.clients import Client, running
from tests.discord_server.faults import Fault, Limit
from tests.discord_server.server import DiscordServer


async def test_history_comes_in_pages_in_every_direction(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    with server.world.at(datetime(2026, 3, 1, tzinfo=UTC)):
        said = [alice.says(general, f"{number}") for number in range(250)]
    async with running(server, Client()) as client:
        channel = client.get_channel(general.id)
        assert [m.content async for m in channel.history(limit=None)] == [str(n) for n in reversed(range(250))]
        assert len(server.called("GET", "/channels/*/messages")) == 3
        after = [m.content async for m in channel.history(limit=120, after=said[99])]
        assert after == [str(n) for n in range(100, 220)]
        around = [m.content async for m in channel.history(limit=5, around=said[50])]
        assert sorted(map(int, around)) == [48, 49, 50, 51, 52]
        before = [m async for m in channel.history(limit=3, before=said[10])]
        assert [m.content for m in before] == ["9", "8", "7"]
        assert before[0].created_at == datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=10)


@pytest.mark.parametrize(
    "told",
    [
        {"content": "x" * 2001},
        {"embeds": [discord.Embed(description="y" * 4097)]},
        {"embeds": [discord.Embed(description="y" * 3500), discord.Embed(description="z" * 2501)]},
        {"content": ""},
    ],
)
async def test_a_message_over_a_limit_is_refused(server: DiscordServer, told: dict[str, object]) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    async with running(server, Client()) as client:
        with pytest.raises(discord.HTTPException) as caught:
            await client.get_channel(general.id).send(**told)
        assert (caught.value.status, caught.value.code) in ((400, 50035), (400, 50006))
    assert general.texts == []


async def test_more_than_forty_components_are_refused(server: DiscordServer) -> None:
    general = server.world.guild("Acme").text("general")
    async with running(server, Client()) as client:
        channel = client.get_channel(general.id)
        parts = [{"type": 10, "content": str(number)} for number in range(41)]
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=channel.id)
        with pytest.raises(discord.HTTPException) as caught:
            await client.http.request(route, json={"flags": 1 << 15, "components": parts})
        assert caught.value.code == 50035
        await client.http.request(route, json={"flags": 1 << 15, "components": parts[:40]})


async def test_a_message_is_edited_and_deleted_and_gone(server: DiscordServer) -> None:
    general = server.world.guild("Acme").text("general")
    async with running(server, Client()) as client:
        channel = client.get_channel(general.id)
        async with channel.typing():
            sent = await channel.send("draft")
        await sent.edit(content="final")
        assert general.texts == ["final"]
        await sent.delete()
        with pytest.raises(discord.NotFound) as caught:
            await sent.edit(content="too late")
        assert caught.value.code == 10008
        general.delete()
        with pytest.raises(discord.NotFound) as caught:
            await channel.send("hello?")
        assert caught.value.code == 10003


async def test_what_the_bot_may_not_do_is_refused(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    said = alice.says(general, "question")
    acme.bot_may_not("create_public_threads")
    async with running(server, Client()) as client:
        message = await client.get_channel(general.id).fetch_message(said.id)
        with pytest.raises(discord.Forbidden) as caught:
            await message.create_thread(name="Answer")
        assert caught.value.code == 50013
        general.deny(server.world.bot.id, "send_messages")
        with pytest.raises(discord.Forbidden):
            await message.reply("then here")


async def test_one_nonce_is_one_message(server: DiscordServer) -> None:
    general = server.world.guild("Acme").text("general")
    server.faults.append(Fault(method="POST", path="/channels/*/messages", lost=True))
    async with running(server, Client()) as client:
        route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=general.id)
        body = {"content": "once", "nonce": "turn-1", "enforce_nonce": True}
        with pytest.raises(aiohttp.ClientError):
            await client.http.request(route, json=body)
        told = await client.http.request(route, json=body)
        assert general.texts == ["once"]
        assert told["nonce"] == "turn-1"


async def test_the_client_keeps_to_the_limit_it_is_told(server: DiscordServer) -> None:
    general = server.world.guild("Acme").text("general")
    server.limits.append(Limit(5, 0.4, "POST", "/channels/*/messages"))
    async with running(server, Client()) as client:
        channel = client.get_channel(general.id)
        await asyncio.gather(*(channel.send(str(number)) for number in range(11)))
        calls = server.called("POST", "/channels/*/messages")
        assert len(general.texts) == 11
        assert calls[-1].at - calls[0].at >= 0.75


@pytest.mark.parametrize("everywhere", [False, True])
async def test_a_429_is_waited_out(server: DiscordServer, everywhere: bool) -> None:
    general = server.world.guild("Acme").text("general")
    server.faults.append(Fault(retry_after=0.3, everywhere=everywhere, path="/channels/*/messages"))
    async with running(server, Client()) as client:
        await client.get_channel(general.id).send("patience")
        first, second = server.called("POST", "/channels/*/messages")
        assert (first.status, second.status) == (429, 200)
        assert second.at - first.at >= 0.29


async def test_a_ban_before_discord_is_no_rate_limit_to_wait_for(server: DiscordServer) -> None:
    general = server.world.guild("Acme").text("general")
    async with running(server, Client()) as client:
        server.faults.append(Fault(retry_after=3600, cloudflare=True))
        with pytest.raises(discord.HTTPException) as caught:
            await client.get_channel(general.id).send("hello")
        assert caught.value.status == 429


async def test_the_global_limit_counts_all_requests(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    rooms = [acme.text(f"room-{number}") for number in range(6)]
    async with running(server, Client()) as client:
        server.limits.append(Limit(4, 0.3, everywhere=True))
        await asyncio.gather(*(client.get_channel(room.id).send("hello") for room in rooms))
        assert 429 in [call.status for call in server.called("POST", "/channels/*/messages")]
        assert all(room.texts == ["hello"] for room in rooms)
