"""The gateway of the stand-in, driven by the real client: events, intents, drops, resumes."""

from __future__ import annotations

import asyncio

import discord
import pytest

from tests.discord.clients import INTENTS, Client, Sharded, running
from tests.discord_server.server import DiscordServer, pointed


async def test_messages_edits_deletions_and_threads_arrive(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice", nick="Al")
    async with running(server, Client()) as client:
        said = alice.says(general, "How do I deploy?")
        await server.until(lambda: client.texts == ["How do I deploy?"])
        alice.edits(said, "How do I deploy it?")
        thread = alice.opens(said, "Deploying")
        alice.says(thread, "Anyone?")
        thread.archive()
        alice.deletes(said)
        await server.until(lambda: client.all("delete") and client.all("thread changed"))
        assert "Anyone?" in client.texts
        first = client.all("message")[0]
        assert (first.author.display_name, first.guild.name, first.channel.name) == ("Al", "Acme", "general")
        assert client.all("edit")[0].content == "How do I deploy it?"
        assert client.all("thread")[0].id == said.id
        assert client.all("thread changed")[-1].archived
        assert client.all("delete") == [said.id]


@pytest.mark.parametrize("kind", ["zlib-stream", "zstd-stream", ""])
async def test_whatever_compression_the_client_asks_for_is_spoken(
    server: DiscordServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discord import utils

    class Zlib:
        COMPRESSION_TYPE = kind

        def __init__(self) -> None:
            import zlib

            self.context = zlib.decompressobj()

        def decompress(self, data: bytes) -> str:
            return self.context.decompress(data).decode()

    if kind != "zstd-stream":
        monkeypatch.setattr(utils, "_ActiveDecompressionContext", Zlib)
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Client()) as client:
        alice.says(general, "안녕하세요 " * 200)
        await server.until(lambda: client.texts)
        assert client.texts == ["안녕하세요 " * 200]


async def test_without_the_intent_only_what_is_for_the_bot_has_words() -> None:
    async with DiscordServer(content=False) as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            general, alice, bot = acme.text("general"), acme.person("Alice"), server.world.bot
            intents = discord.Intents(guilds=True, guild_messages=True, dm_messages=True)
            async with running(server, Client(intents)) as client:
                alice.says(general, "Between us")
                alice.says(general, f"{bot.mention} hello")
                alice.writes_to_bot("In private")
                await server.until(lambda: len(client.texts) == 3)
                assert client.texts == ["", f"{bot.mention} hello", "In private"]
                told = [m.content async for m in client.get_channel(general.id).history()]
                assert told == [f"{bot.mention} hello", ""]


async def test_an_intent_that_was_not_granted_is_refused() -> None:
    async with DiscordServer(content=False) as server:
        with pointed(server), pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(server, Client()):
                pass


async def test_a_wrong_token_is_refused(server: DiscordServer) -> None:
    client = Client()
    with pytest.raises(discord.LoginFailure):
        await client.start("another")
    await client.close()
    assert server.invalid == 1


async def test_after_a_drop_the_session_goes_on_and_nothing_is_lost_or_doubled(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Client()) as client:
        alice.says(general, "one")
        await server.until(lambda: client.texts == ["one"])
        server.gateway.drop()
        alice.says(general, "two")
        await server.until(lambda: client.all("resumed"))
        alice.says(general, "three")
        await server.until(lambda: len(client.texts) == 3)
        assert client.texts == ["one", "two", "three"]
        assert [greeting.kind for greeting in server.gateway.greetings] == ["identify", "resume"]


async def test_asked_to_reconnect_it_resumes(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Client()) as client:
        server.gateway.ask_to_reconnect()
        await server.until(lambda: client.all("resumed"))
        alice.says(general, "still there?")
        await server.until(lambda: client.texts == ["still there?"])


async def test_an_invalid_session_begins_anew_and_what_was_said_meanwhile_is_not_told(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    async with running(server, Client()) as client:
        server.gateway.invalidate()
        alice.says(general, "into the void")
        await server.until(lambda: [each.kind for each in server.gateway.greetings] == ["identify", "identify"])
        await server.until(lambda: server.gateway.connected == 1)
        alice.says(general, "here again")
        await server.until(lambda: client.texts)
        assert client.texts == ["here again"]
        kept = [m.content async for m in client.get_channel(general.id).history(oldest_first=True)]
        assert kept == ["into the void", "here again"]


async def test_a_resume_that_is_refused_becomes_a_new_session(server: DiscordServer) -> None:
    server.world.guild("Acme")
    async with running(server, Client()):
        server.gateway.refusals.append(False)
        server.gateway.drop()
        await server.until(lambda: [each.kind for each in server.gateway.greetings] == ["identify", "identify"])


@pytest.mark.parametrize(("code", "again"), [(4000, "resume"), (4009, "resume"), (1001, "resume")])
async def test_after_a_close_that_allows_it_the_client_comes_back(server: DiscordServer, code: int, again: str) -> None:
    async with running(server, Client()):
        await server.gateway.close(code)
        await server.until(lambda: len(server.gateway.greetings) == 2)
        assert server.gateway.greetings[1].kind == again


async def test_a_connection_gone_silent_is_left_when_the_heartbeats_stay_unanswered() -> None:
    async with DiscordServer(heartbeat=0.05) as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            general, alice = acme.text("general"), acme.person("Alice")
            async with running(server, Client(heartbeat_timeout=0.3)) as client:
                await server.until(lambda: server.gateway.heartbeats >= 3)
                server.gateway.go_silent()
                alice.says(general, "anybody?")
                await server.until(lambda: client.texts == ["anybody?"])
                assert server.gateway.greetings[-1].kind == "resume"


async def test_each_shard_hears_of_its_own_guilds() -> None:
    async with DiscordServer(shards=2) as server:
        with pointed(server):
            guilds = [server.world.guild(f"Guild {number}", shard=(number, 2)) for number in range(2)]
            rooms = [(guild.text("general"), guild.person("Alice")) for guild in guilds]
            async with running(server, Sharded()) as client:
                assert client.shard_count == 2
                for room, alice in rooms:
                    alice.says(room, "hello")
                await server.until(lambda: len(client.texts) == 2)
                assert sorted(m.guild.shard_id for m in client.all("message")) == [0, 1]
                server.gateway.drop()
                await server.until(lambda: len(client.all("shard resumed")) == 2)


async def test_what_the_bot_may_not_see_is_not_told(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    alice = acme.person("Alice")
    secret = acme.text("secret", hidden_from=[server.world.bot.id])
    general = acme.text("general", hidden_from=[acme.id])
    async with running(server, Client(INTENTS)) as client:
        alice_owner = acme.person("Owner of nothing")
        alice.says(secret, "psst")
        alice_owner.says(general, "loud")
        await server.until(lambda: client.texts)
        await asyncio.sleep(0.05)
        assert client.texts == ["loud"]
        with pytest.raises(discord.Forbidden) as caught:
            await client.fetch_channel(secret.id)
        assert caught.value.code == 50001
