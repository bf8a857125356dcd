"""Threads of the stand-in: starters, pages of archived ones, what closed and private ones refuse."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
import pytest

from tests.discord.clients import Client, running
from tests.discord_server.server import DiscordServer

DAY = datetime(2026, 5, 1, 9, tzinfo=UTC)


async def test_a_thread_has_the_id_of_its_starter_which_stays_in_the_channel(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice, ben = acme.text("general"), acme.person("Alice"), acme.person("Ben")
    said = alice.says(general, "How do I deploy?")
    thread = alice.opens(said, "Deploying")
    ben.says(thread, "With the button.")
    async with running(server, Client()) as client:
        found = client.get_channel(thread.id)
        assert (found.id, found.parent.name, found.message_count) == (said.id, "general", 1)
        words = [(m.type.name, m.content) async for m in found.history(oldest_first=True)]
        assert words == [("thread_starter_message", ""), ("default", "With the button.")]
        note = await anext(found.history(oldest_first=True))
        assert note.reference.resolved.content == "How do I deploy?"
        starter = await found.parent.fetch_message(thread.id)
        assert starter.flags.has_thread
        with pytest.raises(discord.NotFound):
            await found.fetch_message(thread.id)


async def test_the_starter_of_a_post_is_in_it(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    forum, alice = acme.forum("help", ["billing", "solved"]), acme.person("Alice")
    post = alice.posts(forum, "Refund?", "How long does a refund take?", ["billing"])
    alice.says(post, "Anyone?")
    async with running(server, Client()) as client:
        found = client.get_channel(post.id)
        assert [tag.name for tag in found.applied_tags] == ["billing"]
        assert found.message_count == 1
        assert (await found.fetch_message(post.id)).content == "How long does a refund take?"


async def test_archived_threads_come_in_pages_last_closed_first(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    forum, alice = acme.forum("help"), acme.person("Alice")
    for number in range(120):
        with server.world.at(DAY + timedelta(hours=number)):
            alice.posts(forum, f"Post {number}", "?").archive()
    still_open = alice.posts(forum, "Open", "?")
    async with running(server, Client()) as client:
        names = [thread.name async for thread in client.get_channel(forum.id).archived_threads(limit=None)]
        assert names == [f"Post {number}" for number in reversed(range(120))]
        assert len(server.called("GET", "/channels/*/threads/archived/public")) == 2
        assert [thread.id for thread in await client.get_guild(acme.id).active_threads()] == [still_open.id]


async def test_writing_opens_a_closed_thread_but_not_a_locked_one(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    acme.bot_may_not("manage_threads")
    general, alice = acme.text("general"), acme.person("Alice")
    thread = alice.opens(alice.says(general, "Hm?"), "Hm")
    async with running(server, Client()) as client:
        found = client.get_channel(thread.id)
        sent = await found.send("first")
        thread.archive()
        with pytest.raises(discord.HTTPException) as caught:
            await sent.edit(content="changed")
        assert caught.value.code == 50083
        await found.edit(archived=False)
        await sent.edit(content="changed")
        thread.archive()
        await found.send("second")
        assert not thread.model.thread_metadata.archived
        thread.archive(locked=True)
        for attempt in (found.send("third"), found.edit(archived=False)):
            with pytest.raises(discord.Forbidden) as caught:
                await attempt
            assert caught.value.code in (50083, 50013)
        assert thread.texts == ["changed", "second"]


async def test_a_private_thread_is_not_there_for_who_was_not_asked_in(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    acme.bot_may_not("manage_threads")
    general, alice = acme.text("general"), acme.person("Alice")
    private = alice.opens_alone(general, "Salaries", private=True)
    alice.says(private, "secret")
    async with running(server, Client()) as client:
        assert client.get_channel(private.id) is None
        assert await client.get_guild(acme.id).active_threads() == []
        with pytest.raises(discord.Forbidden):
            await client.fetch_channel(private.id)


async def test_the_bot_opens_one_thread_on_a_message(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    said = alice.says(general, "How do I deploy?")
    async with running(server, Client()) as client:
        message = await client.get_channel(general.id).fetch_message(said.id)
        with pytest.raises(discord.HTTPException) as caught:
            await message.create_thread(name="x" * 101)
        assert caught.value.code == 50035
        thread = await message.create_thread(name="How do I deploy?")
        await thread.send("With the button.")
        assert server.world.place(said.id).texts == ["With the button."]
        begins = await anext(thread.history(oldest_first=True))
        assert begins.type is discord.MessageType.thread_starter_message
        assert begins.reference.resolved.content == "How do I deploy?"
        with pytest.raises(discord.HTTPException) as caught:
            await message.create_thread(name="Again")
        assert caught.value.code == 160004
