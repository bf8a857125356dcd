"""Who reads what they asked for: guests and whoever sits in a call with them, roles that are taken away meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discord.test_commands import QUESTION, button
from tests.discord.town import Town, served
from tests.discord_server.server import DiscordServer, pointed
from tests.slack.town import LEAVE, Home, collections
from tests.slack.voices import heard_by, speaking


async def test_in_the_chat_of_a_call_everybody_is_outside(town: Town) -> None:
    call = town.acme.voice("call")
    for somebody in (town.ana, town.acme.guest("Gast")):
        known = await somebody.slash(call, "collections").answered()
        assert "public" in known.message.content
        assert "handbook" not in known.message.content
        asked = await somebody.slash(call, "ask", question=QUESTION).answered()
        await asked.until(lambda: "stop" not in str(asked.message.components), 15)  # noqa: B023 - awaited at once
        assert LEAVE not in asked.message.content


async def test_a_guest_is_outside_wherever_they_are_and_a_member_is_not(town: Town) -> None:
    guest = town.acme.guest("Gast")
    for place in (town.general, guest.dm):
        known = await guest.slash(place, "collections").answered()
        assert "public" in known.message.content
        assert "handbook" not in known.message.content
    for place in (town.general, town.ana.dm):
        assert "handbook" in (await town.ana.slash(place, "collections").answered()).message.content
    (answer,) = await town.answered(town.ask(QUESTION).id)
    await town.calm()
    refused = await guest.clicks(answer, button(answer, "open")).answered()
    assert LEAVE not in refused.message.content


async def test_who_is_quick_shares_a_private_answer_that_is_hardly_there(town: Town) -> None:
    asked = await town.ana.slash(town.general, "ask", question=QUESTION).acknowledged()
    await asked.until(lambda: asked.message and "share" in str(asked.message.components), 15)
    shared = town.ana.clicks(asked.message, button(asked.message, "share"))
    direct = town.ana.clicks(asked.message, button(asked.message, "direct"))
    assert "Shared" in (await shared.answered()).message.content
    assert "direct messages" in (await direct.answered()).message.content
    (here,) = [each for each in town.ours(town.general.id) if not each.flags & 64]
    assert LEAVE in here.content
    assert LEAVE in town.ours(town.ana.dm.id)[0].content


@pytest.mark.parametrize("by_command", [False, True])
async def test_a_role_that_is_taken_away_meanwhile_reads_nothing_any_more(
    home: Home, tmp_path: Path, by_command: bool
) -> None:
    async with DiscordServer() as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            role = acme.role("staff")
            general, ana = acme.text("general"), acme.person("Ana", roles=[role])
            pages = collections(home.folder)
            pages[0]["visibility"] = {"roles": [f"discord/{acme.id}/{role.id}"]}
            models = speaking(before=1.0)
            async with served(home, tmp_path, server, models=models, collections=pages) as service:
                town = Town(server, service, models, acme, general, ana, ana)
                if by_command:
                    asked = await ana.slash(ana.dm, "ask", question=QUESTION).acknowledged()
                else:
                    ana.writes_to_bot(QUESTION)
                await server.until(lambda: LEAVE in heard_by(models), 15)
                server.backend.get_guild(acme.id).members[ana.id].role_ids.remove(role.id)
                if by_command:
                    await asked.until(lambda: "stop" not in str(asked.message.components), 15)
                    told = asked.message.content
                else:
                    told = (await town.answered(ana.dm.id))[0].content
                assert LEAVE not in told
                assert "can't be shown" in told
