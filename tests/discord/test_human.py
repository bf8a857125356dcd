"""Asking a human: called once where all can read it, told by name where nobody else reads along."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simcord.backend.models import Message, Role
from simcord.components import walk_components

from adapters.discord.summons import MOST, called, summons
from core.access_commands import Named
from core.errors import InputError
from tests.discord.test_commands import QUESTION, button
from tests.discord.town import Town, served
from tests.discord_server.server import DiscordServer, pointed
from tests.slack.town import Home
from tests.slack.voices import speaking


@asynccontextmanager
async def staffed(home: Home, folder: Path, *, homes: bool = False) -> AsyncIterator[tuple[Town, Role]]:
    """A town whose admins are Ben, and a role of its server, both named in full."""
    async with DiscordServer() as server:
        with pointed(server):
            acme, elsewhere = server.world.guild("Acme"), server.world.guild("Elsewhere")
            ops, other = acme.role("ops"), elsewhere.role("others")
            general, ana, ben = acme.text("general"), acme.person("Ana"), acme.person("Ben")
            admins = {
                "users": [f"discord/{acme.id}/{ben.id}"],
                "groups": [f"discord/{acme.id}/{ops.id}", f"discord/{elsewhere.id}/{other.id}"],
            }
            section = {"guilds": [str(acme.id)]} if homes else {}
            models = speaking()
            async with served(home, folder, server, models=models, admins=admins, discord=section) as service:
                yield Town(server, service, models, acme, general, ana, ben), ops


def wakes(town: Town, message: Message) -> set[int]:
    """The people and roles that a message of ours wakes."""
    sent = [
        call.json
        for call in town.discord.calls
        if isinstance(call.json, dict) and call.json.get("content") == message.content
    ]
    (allowed,) = [each["allowed_mentions"] for each in sent]
    assert not allowed["parse"]
    return {int(each) for each in (*allowed.get("users", ()), *allowed.get("roles", ()))}


def seen_by_all(town: Town, asked: Message) -> list[Message]:
    """What we said in the thread, but for what one person alone sees."""
    return [each for each in town.ours(asked.id) if not each.flags & 64]


async def test_in_a_thread_people_and_roles_of_the_server_are_called_once(home: Home, tmp_path: Path) -> None:
    async with staffed(home, tmp_path) as (town, ops):
        asked = town.ask(QUESTION)
        (answer,) = await town.answered(asked.id)
        told = await town.ana.clicks(answer, button(answer, "human")).answered()
        assert told.message.content == f"You can ask: <@&{ops.id}> <@{town.ben.id}>"
        (_, call) = seen_by_all(town, asked)
        assert f"<@&{ops.id}> <@{town.ben.id}>" in call.content
        assert wakes(town, call) == {town.ben.id, ops.id}
        assert not wakes(town, told.message)
        again = await town.ben.clicks(answer, button(answer, "human")).answered()
        assert "already" in again.message.content
        assert len(seen_by_all(town, asked)) == 2


async def test_under_a_private_answer_they_are_named_and_not_woken(home: Home, tmp_path: Path) -> None:
    async with staffed(home, tmp_path) as (town, ops):
        asked = await town.ana.slash(town.general, "ask", question=QUESTION).answered()
        await asked.until(lambda: "human" in str(asked.message.components), 15)
        told = await town.ana.clicks(asked.message, button(asked.message, "human")).answered()
        assert told.message.content == f"You can ask: <@&{ops.id}> <@{town.ben.id}>"
        assert not wakes(town, told.message)


@pytest.mark.parametrize("homes", [False, True])
async def test_in_a_direct_message_they_have_names_and_come_from_servers_that_are_ours(
    home: Home, tmp_path: Path, homes: bool
) -> None:
    async with staffed(home, tmp_path, homes=homes) as (town, _):
        town.ana.writes_to_bot(QUESTION)
        (answer,) = await town.answered(town.ana.dm.id)
        told = await town.ana.clicks(answer, button(answer, "human")).answered()
        assert "@ops (Acme)" in told.message.content
        assert "Ben" in told.message.content
        assert ("@others (Elsewhere)" in told.message.content) != homes
        assert "<@" not in told.message.content


@pytest.mark.parametrize("town", [{}, {"admins": {"users": ["slack/T1/U1"]}}], indirect=True)
async def test_without_anybody_named_there_is_no_button_to_ask_them(town: Town) -> None:
    (answer,) = await town.answered(town.ask(QUESTION).id)
    assert button(answer, "why")
    assert not [each for each in walk_components(answer.components) if ":human:" in str(each.get("custom_id"))]


IDS = st.lists(st.one_of(st.integers(1, 2**63).map(str), st.integers(1, 99).map("discord/1/{}".format)), max_size=30)


@settings(max_examples=40, deadline=None)
@given(IDS, IDS, st.sampled_from(["human.call", "human.ask"]), st.sampled_from(["ko", "en"]))
def test_however_many_are_named_the_call_fits(users: list[str], groups: list[str], key: str, language: str) -> None:
    named = Named(frozenset(users), frozenset(groups))
    if not users and not groups:
        with pytest.raises(InputError):
            called(named, {"1"})
        return
    who = called(named, {"1"})
    allowed = who.allowed.to_dict()
    assert 1 <= len(who.users) + len(who.roles) <= MOST
    assert "parse" not in allowed or allowed["parse"] == []
    content = summons(who.mentions, key, language).content  # type: ignore[arg-type]
    assert who.mentions in content
    assert len(content) <= 2000
    assert len(summons("a" * 9000, key, language).content) <= 2000  # type: ignore[arg-type]


def test_only_people_and_roles_of_these_servers_are_called() -> None:
    named = Named(
        frozenset({"5", "discord/1/6", "discord/2/7", "slack/1/8", "everyone", "9> @everyone"}),
        frozenset({"discord/1/3", "S02"}),
    )
    assert called(named, {"1"}).mentions == "<@&3> <@5> <@6>"
    assert called(named, {"2"}).mentions == "<@5> <@7>"


async def test_who_replies_to_a_call_or_to_a_question_that_we_show_speaks_to_people(home: Home, tmp_path: Path) -> None:
    async with staffed(home, tmp_path) as (town, _):
        asked = town.ask(QUESTION)
        (answer,) = await town.answered(asked.id)
        await town.ana.clicks(answer, button(answer, "human")).answered()
        (_, call) = seen_by_all(town, asked)
        town.ben.says(town.thread(asked), "Is it 30 days since January? I will look.", reply_to=call)
        await town.ana.slash(town.general, "ask", question=QUESTION, public=True).acknowledged()
        await town.discord.until(lambda: town.ours(town.general.id))
        (question,) = town.ours(town.general.id)
        await town.answered(question.id)
        town.ben.says(town.general, "Is it 30 days since January? I will look.", reply_to=question)
        named = town.ben.says(town.thread(asked), f"{town.us} {QUESTION}", reply_to=call)
        await town.ended(named)
        assert [each.content for each in town.ours(town.general.id)] == [question.content]
        assert len(seen_by_all(town, asked)) == 3
        assert len(town.ours(question.id)) == 1
