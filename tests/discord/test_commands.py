"""Commands, menus and buttons: acknowledged at once, answered to one person or in a thread, good after a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from simcord.backend.models import Message
from simcord.components import walk_components

from tests.discord.town import Town, opened_town, served
from tests.discord_server.faults import Fault
from tests.discord_server.server import DiscordServer, pointed
from tests.slack.town import BACKUPS, LEAVE, Home
from tests.slack.voices import speaking

QUESTION = "how many days of annual leave?"


def button(message: Message, deed: str) -> str:
    """The id of a button."""
    ids = [str(each.get("custom_id") or "") for each in walk_components(message.components)]
    return next(each for each in ids if each.startswith(f"refdesk:{deed}:"))


async def test_ask_is_answered_to_its_asker_alone(town: Town) -> None:
    asked = await town.ana.slash(town.general, "ask", question=QUESTION).acknowledged()
    assert asked.is_private
    await asked.until(lambda: asked.message and LEAVE in asked.message.content, 15)
    assert town.general.threads == []
    assert len(town.ours(town.general.id)) == 1


async def test_ask_in_public_stands_in_a_thread_that_goes_on(town: Town) -> None:
    asked = await town.ana.slash(town.general, "ask", question=QUESTION, public=True).answered()
    assert not asked.is_private
    assert QUESTION in asked.message.content
    assert LEAVE in (await town.answered(asked.message.id))[0].content
    town.ana.says(town.discord.world.place(asked.message.id), "and how often is the database backed up?")
    assert BACKUPS in (await town.answered(asked.message.id, 2))[1].content


async def test_the_menu_of_a_message_asks_about_it(town: Town) -> None:
    said = town.ben.says(town.general, "How often is the database backed up?")
    asked = await town.ana.chooses(said, "Ask Refdesk about this").acknowledged()
    assert asked.is_private
    await asked.until(lambda: asked.message and BACKUPS in asked.message.content, 15)


async def test_an_answer_that_takes_longer_than_the_interaction_lives_comes_as_a_direct_message(
    home: Home, tmp_path: Path
) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=1.5)) as town:
        asked = await town.ana.slash(town.general, "ask", question=QUESTION).acknowledged()
        town.discord.clock.advance(16 * 60)
        (answer,) = await town.answered(town.ana.dm.id)
        assert LEAVE in answer.content
        assert asked.is_private
        await town.calm()
        for deed, words in (("up", "Thank you"), ("why", "leave"), ("open", LEAVE)):
            told = await town.ana.clicks(answer, button(answer, deed)).answered()
            assert words in told.message.content, deed


async def test_what_any_command_says_too_late_comes_as_a_direct_message(town: Town) -> None:
    town.discord.faults.append(Fault(401, 50027, method="POST", path="/webhooks/*/*"))
    await town.ana.slash(town.general, "help").acknowledged()
    (told,) = await town.answered(town.ana.dm.id)
    assert "`/ask`" in told.content


async def test_collections_help_and_forget_are_told_privately(town: Town) -> None:
    listed = await town.ana.slash(town.general, "collections").answered()
    assert listed.is_private
    assert "handbook" in listed.message.content.casefold()
    helped = await town.ana.slash(town.general, "help").answered()
    assert "/ask" in helped.message.content
    asked = town.ask(QUESTION)
    await town.answered(asked.id)
    await town.calm()
    await town.ana.slash(town.general, "forget").answered()
    turn = await town.turn_of(asked.id)
    assert turn is None or not turn.question


async def test_quiet_in_a_thread_keeps_us_quiet_there(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    told = await town.ben.clicks(answer, button(answer, "quiet")).answered()
    assert told.is_private
    town.ana.says(town.thread(asked), "and how often is the database backed up?")
    await town.calm()
    assert len([each for each in town.ours(asked.id) if not each.flags & 64]) == 1
    await town.ana.slash(town.thread(asked), "quiet", off=True).answered()
    town.ana.says(town.thread(asked), "and how often is the database backed up?")
    await town.discord.until(lambda: any(BACKUPS in each.content for each in town.ours(asked.id)), 15)


async def test_thumbs_why_and_footnotes_are_answered_privately(town: Town) -> None:
    asked = town.ask(QUESTION)
    (answer,) = await town.answered(asked.id)
    await town.calm()
    for deed, words in (("up", "Thank you"), ("why", "leave"), ("open", LEAVE)):
        told = await town.ben.clicks(answer, button(answer, deed)).answered()
        assert told.is_private
        assert words in told.message.content, deed
    shown = await town.ben.clicks(answer, button(answer, "down")).acknowledged()
    thanked = await town.ben.submits(shown, comment="It is 30 days.").answered()
    assert "Thank you" in thanked.message.content


async def test_buttons_work_after_a_restart(home: Home, tmp_path: Path) -> None:
    async with DiscordServer() as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            general, ana = acme.text("general"), acme.person("Ana")
            models = speaking()
            async with served(home, tmp_path, server, models=models) as service:
                town = Town(server, service, models, acme, general, ana, ana)
                asked = town.ask(QUESTION)
                (answer,) = await town.answered(asked.id)
                await town.calm()
            async with served(home, tmp_path, server, models=models, fresh=False):
                told = await ana.clicks(answer, button(answer, "why")).answered()
                assert told.is_private
                assert len(server.called("PUT", "/applications/*/commands")) == 1


async def test_stop_ends_an_answer_that_is_being_made(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, models=speaking(between=0.5)) as town:
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id), 10)
        (status,) = town.ours(asked.id)
        refused = await town.ben.clicks(status, button(status, "stop")).answered()
        assert "asked" in refused.message.content
        stopped = await town.ana.clicks(status, button(status, "stop")).answered()
        assert stopped.is_private
        await town.answered(asked.id)


async def test_reindex_is_for_admins_and_offers_what_they_may(town: Town) -> None:
    boss = town.acme.person("Boss", roles=[town.acme.role("admin", "administrator")])
    with pytest.raises(LookupError):
        town.ana.slash(town.general, "reindex", collection="handbook")
    offered = await boss.completes(town.general, "reindex", "collection", "hand").acknowledged()
    assert offered.choices == ["handbook"]
    begun = await boss.slash(town.general, "reindex", collection="handbook").answered()
    assert begun.is_private
    manager = town.acme.person("Manager", roles=[town.acme.role("manager", "manage_guild")])
    refused = await manager.slash(town.general, "reindex", collection="handbook").answered()
    assert "permission" in refused.message.content


async def test_several_or_all_collections_are_read_anew_and_each_job_is_shown_and_cancelled(town: Town) -> None:
    boss = town.acme.person("Boss", roles=[town.acme.role("admin", "administrator")])
    manager = town.acme.person("Manager", roles=[town.acme.role("manager", "manage_guild")])
    offered = await boss.completes(town.general, "reindex", "collection", "handbook, ").acknowledged()
    assert offered.choices == ["handbook, public", "handbook, runbooks"]
    assert "All of them" in (await boss.completes(town.general, "reindex", "collection", "").acknowledged()).choices
    await boss.slash(town.general, "reindex", collection="handbook, runbooks").answered()
    assert "handbook, runbooks" in town.ours(town.general.id)[-1].content
    await boss.slash(town.general, "reindex", collection="all").answered()
    assert "handbook, public, runbooks" in town.ours(town.general.id)[-1].content
    known = await boss.completes(town.general, "jobs", "cancel", "runbooks").acknowledged()
    (choice,) = known.record.autocomplete_choices or ()
    assert "runbooks: waiting" in choice["name"]
    told = await boss.slash(town.general, "jobs", cancel=choice["value"]).answered()
    assert "cancelled" in told.message.content
    shown = await boss.slash(town.general, "jobs", id=choice["value"]).answered()
    assert "cancelled" in shown.message.content
    assert "handbook" not in shown.message.content
    assert (await boss.completes(town.general, "jobs", "cancel", "runbooks").acknowledged()).choices == []
    assert len((await boss.completes(town.general, "jobs", "id", "").acknowledged()).choices) == 3
    assert (await manager.completes(town.general, "jobs", "id", "").acknowledged()).choices == []
    refused = await manager.slash(town.general, "jobs", cancel=choice["value"]).answered()
    assert "cancelled" not in refused.message.content


async def test_two_hundred_commands_at_once_are_all_acknowledged_in_time(town: Town) -> None:
    with town.discord.world.at(town.discord.clock.now()):
        asked = [town.ana.slash(town.general, "collections") for _ in range(200)]
        await asyncio.gather(*(each.answered(60) for each in asked))


async def test_what_is_wrong_with_a_public_question_is_told_to_its_asker_alone(town: Town) -> None:
    asked = town.ana.slash(town.general, "ask", question=" ", public=True)
    told = (await town.answered(town.ana.dm.id))[0]  # Discord may take it as an answer; the stand-in never does
    assert "empty" in told.content
    assert asked.message is None
    assert town.ours(town.general.id) == []


async def test_a_wish_for_quiet_is_not_shown_to_everybody_and_hushes_nothing(town: Town) -> None:
    asked = await town.ana.slash(town.general, "ask", question="quiet", public=True).answered(15)
    assert asked.is_private
    assert asked.message is not None
    assert "empty" not in asked.message.content


async def test_ask_stop_ends_what_one_asked_there_or_says_that_nothing_is_under_way(home: Home, tmp_path: Path) -> None:
    async with opened_town(home, tmp_path, models=speaking(before=20)) as town:
        for word in ("stop", "중지", "그만"):
            idle = await town.ana.slash(town.general, "ask", question=word, public=True).answered()
            assert idle.is_private
            assert "Nothing that you asked here" in idle.message.content
        asked = town.ask(QUESTION)
        await town.discord.until(lambda: town.ours(asked.id), 10)
        stopped = await town.ana.slash(town.general, "ask", question="stop").answered()
        assert "Stopped" in stopped.message.content
        assert (await town.ended(asked)).status == "answered"


async def test_a_picture_has_nothing_to_be_asked_about(town: Town) -> None:
    picture = town.ben.says(town.general, "", files=[("a.png", b"x")])
    told = await town.ana.chooses(picture, "Ask Refdesk about this").answered()
    assert told.is_private
    assert "has no text" in told.message.content


async def test_a_command_that_was_acknowledged_before_the_end_is_done(home: Home, tmp_path: Path) -> None:
    async with DiscordServer() as server:
        with pointed(server):
            acme = server.world.guild("Acme")
            general, ana = acme.text("general"), acme.person("Ana")
            async with served(home, tmp_path, server, models=speaking()):
                server.faults.append(Fault(method="POST", path="/interactions/*/*/callback", delay=0.5))
                asked = await ana.slash(general, "ask", question=QUESTION).acknowledged()
            async with served(home, tmp_path, server, models=speaking(), fresh=False):
                await asked.until(lambda: asked.message and LEAVE in asked.message.content, 15)


async def test_a_shared_answer_that_a_moderator_deleted_is_shared_anew(town: Town) -> None:
    asked = await town.ana.slash(town.general, "ask", question=QUESTION).acknowledged()
    await asked.until(lambda: asked.message and "share" in str(asked.message.components), 15)

    async def pressed() -> list[int]:
        await town.ana.clicks(asked.message, button(asked.message, "share")).answered()
        return [each.id for each in town.ours(town.general.id) if not each.flags & 64]

    (first,) = await pressed()
    assert await pressed() == [first]
    town.discord.backend.delete_message(town.general.id, first)
    (again,) = await pressed()
    assert again != first
