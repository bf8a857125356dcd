"""What is for us and what is people's own, as Discord shows it: replies, posts, names, places we are thrown out of."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.discord.reader import DiscordReader
from adapters.discord.spots import Spots
from core.errors import Busy
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from tests.discord.clients import Client, running
from tests.discord.town import Town, opened_town
from tests.discord_server.faults import Fault
from tests.discord_server.server import DiscordServer
from tests.slack.town import BACKUPS, LEAVE, Home
from tests.slack.voices import heard_by, speaking

QUESTION, SECOND = "how many days of annual leave?", "how often is the database backed up?"


async def test_a_reply_to_somebody_else_is_people_s_own_talk_and_one_to_oneself_is_not(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    thread = town.thread(asked)
    bens = town.ben.says(thread, "I looked at the logs.")
    taken_back = town.ben.says(thread, "Nothing.")
    town.ben.deletes(taken_back)
    for other in (bens, taken_back):
        town.ana.says(thread, f"and {SECOND}", reply_to=other)
    own = town.ana.says(thread, "One more thing.")
    await town.calm()
    assert len(town.ours(asked.id)) == 1
    town.ana.says(thread, f"and {SECOND}", reply_to=own)
    assert BACKUPS in (await town.answered(asked.id, 2))[1].content
    named = town.ana.says(thread, f"{town.us} {QUESTION}", reply_to=bens)
    await town.answered(asked.id, 3)
    assert (await town.ended(named)).status == "answered"


async def test_a_post_asks_with_its_title_whatever_stands_under_it(town: Town) -> None:
    boss = town.acme.person("Boss", roles=[town.acme.role("admin", "administrator")])
    forum = town.acme.forum("help")
    await boss.slash(boss.posts(forum, "Rules", "Be kind."), "channel", change="mode", value="auto").answered()
    titled = town.ana.posts(forum, QUESTION, "See the picture.")
    assert LEAVE in (await town.answered(titled.id))[0].content
    told = town.ben.posts(forum, "Annual leave", "I can't find the number of days.")
    await town.answered(told.id)
    named = town.ben.posts(forum, SECOND, town.us)
    assert BACKUPS in (await town.answered(named.id))[0].content
    turn = await town.turn_of(told.id)
    assert turn is not None
    assert turn.question == "Annual leave\nI can't find the number of days."


async def test_only_names_of_channels_that_everybody_sees_are_passed_on(town: Town) -> None:
    secret = town.acme.text("merger", hidden_from=[town.acme.id])
    private = town.ana.opens_alone(town.general, "salaries", private=True)
    asked = town.ask(f"what is {secret.mention} to {private.mention} and {town.general.mention}?")
    await town.answered(asked.id)
    assert town.thread(asked).name == "what is #… to #… and #general?"
    assert not any(word in heard_by(town.models) for word in ("merger", "salaries"))


async def test_a_question_in_a_place_that_can_t_be_looked_up_for_a_moment_is_answered_after_it(town: Town) -> None:
    client = town.service.discord.client if town.service.discord else None
    thread = town.ana.opens_alone(town.general, "Holidays")
    assert client is not None
    await town.discord.until(lambda: client.get_channel(thread.id))
    client.get_guild(town.acme.id)._threads.pop(thread.id)  # type: ignore[union-attr]  # as after a restart
    town.discord.faults.append(Fault(method="GET", path=f"/channels/{thread.id}", retry_after=60.0))
    town.ask(QUESTION, thread)
    assert LEAVE in (await town.answered(thread.id))[0].content


async def test_a_place_is_unknown_only_when_discord_says_so(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    ana = acme.person("Ana")
    thread = ana.opens_alone(acme.text("general"), "Holidays")
    thread.archive()
    async with running(server, Client(max_ratelimit_timeout=30.0)) as client:
        spots, there = Spots(client), client.get_partial_messageable(thread.id, guild_id=acme.id)
        server.faults.append(Fault(method="GET", path="/channels/*", retry_after=60.0))
        with pytest.raises(Busy):
            await spots.of(there)
        found = await spots.of(there)
        assert found is not None
        assert found.name == "Holidays"
        assert await spots.of(client.get_partial_messageable(1)) is None


async def test_thrown_out_of_a_server_we_drop_its_questions_but_not_for_an_outage(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=30)) as town:
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id), 10)
        town.discord.backend.emit("GUILD_DELETE", {"id": str(town.acme.id), "unavailable": True})
        await town.calm(0.2)
        turn = await town.turn_of(asked.id)
        assert turn is not None
        assert turn.status == "running"
        town.acme.leave()
        assert (await town.ended(asked)).status == "withdrawn"


async def test_of_a_long_thread_only_what_is_new_is_read(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    general, ana = acme.text("general"), acme.person("Ana")
    thread = ana.opens_alone(general, "Long")
    said = [ana.says(thread, f"Message {number}") for number in range(230)]
    key = SessionKey("discord", str(acme.id), str(general.id), str(thread.id))
    turn = Turn(
        id="0123456789abcdef",
        identity=str(said[-1].id),
        key=key,
        author=Author(str(ana.id)),
        audience=Audience("discord", key.workspace, key.channel),
        question="Why?",
        target=ReplyTarget("discord", key.workspace, str(thread.id), ""),
        created_at=datetime.now(UTC),
    )
    async with running(server, Client()) as client:
        found = await DiscordReader(client).around(turn, str(said[219].id))
        assert [each.text for each in found] == [f"Message {number}" for number in range(220, 229)]
        assert len(server.called("GET", "/channels/*/messages")) == 1
        assert len(await DiscordReader(client).around(turn, None)) == 230  # with its name


@pytest.mark.parametrize("word", ["stop", "그만"])
async def test_stop_in_the_channel_ends_the_answer_in_its_thread(home: Home, tmp_path: Path, word: str) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=20)) as town:
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id), 10)
        town.ask(word)
        assert (await town.ended(asked)).status == "answered"
        await town.answered(asked.id)
        assert not town.ours(town.general.id)


async def test_words_that_discord_keeps_from_us_are_no_edit_to_nothing(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, content=False, discord={"message_content": False}) as town:
        asked = town.ask(QUESTION)
        (answer,) = await town.answered(asked.id)
        town.ana.edits(asked, SECOND)
        follow_up = town.ana.says(town.thread(asked), f"{town.us} {SECOND}")
        assert BACKUPS in (await town.answered(asked.id, 2))[1].content
        assert town.ours(asked.id)[0].content == answer.content
        assert not town.ours(town.general.id)
        assert (await town.ended(follow_up)).status == "answered"


async def test_who_names_us_in_a_post_or_a_thread_and_says_no_more_asks_what_it_began_with(town: Town) -> None:
    post = town.ana.posts(town.acme.forum("help"), "Backups", "How often is the database backed up?")
    question = town.ana.says(town.general, QUESTION)
    talk = town.ana.says(town.general, "The release is out.")
    threads = [town.ana.opens(each, "Talk") for each in (question, talk)]
    said = [town.ask(text, place) for text, place in (("", post), ("please help", threads[0]), ("", threads[1]))]
    assert BACKUPS in (await town.answered(post.id))[0].content
    assert LEAVE in (await town.answered(question.id))[0].content
    assert "Ask me something" in (await town.answered(talk.id))[0].content
    turns = [await town.turn_of(each.id) for each in said]
    asked = ["Backups\nHow often is the database backed up?", f"Talk\n{QUESTION}", None]
    assert [turn and turn.question for turn in turns] == asked
    town.ask("", post)
    assert "Ask me something" in (await town.answered(post.id, 2))[1].content


async def test_what_is_deleted_while_it_is_being_heard_is_not_answered(town: Town) -> None:
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    thread, forum = town.thread(asked), town.acme.forum("help")
    single = [town.ana.says(thread, SECOND), town.ana.writes_to_bot(SECOND)]
    post = town.ana.posts(forum, "Backups", f"{town.us} {SECOND}")
    await asyncio.sleep(0.03)
    for each in (*single, *post.messages):
        town.ana.deletes(each)
    for each in [town.ana.says(thread, f"{town.us} {SECOND}") for _ in range(3)]:
        town.ana.deletes(each)
    town.ask(QUESTION, thread)
    await town.answered(thread.id, 2)
    await town.discord.until(lambda: not town.ours(post.id) and not town.ours(town.ana.dm.id))
    assert BACKUPS not in str([each.content for each in town.ours(thread.id)])
