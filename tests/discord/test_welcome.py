"""A new server: who put us there is told what we are, once, by direct message, and nobody else anywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.discord.town import Town
from tests.discord_server.faults import Fault
from tests.discord_server.people import Person
from tests.discord_server.world import Guild

BOT_ADD = 28


def came(town: Town, name: str = "Beta", *, inviter: Person | None = None, locale: str = "en-US") -> Guild:
    """Somebody puts us on a server of theirs; who, the audit log knows."""
    made = Guild(town.discord.backend, town.discord.backend.create_guild(name, preferred_locale=locale).id)
    made.text("general")
    if inviter is None:
        made.bot_may_not("view_audit_log")
    else:
        town.discord.backend.record_audit_log(made.id, BOT_ADD, target_id=town.me, user_id=inviter.id)
    return made


def owner(town: Town, guild: Guild) -> Person:
    return Person(town.discord.backend, town.discord.backend.get_guild(guild.id).owner_id, guild.id)


def posted(town: Town) -> int:
    return len(town.discord.called("POST", "/channels/*/messages"))


async def test_who_invited_us_is_told_how_to_go_on(town: Town) -> None:
    guild = came(town, "Beta *team*", inviter=town.ben)
    await town.discord.until(lambda: town.ours(town.ben.dm.id))
    (welcome,) = town.ours(town.ben.dm.id)
    for word in (r"Beta \*team\*", "@", "/ask", "/channel", "refdesk check", str(guild.id)):
        assert word in welcome.content
    await town.calm()
    assert posted(town) == 1
    assert town.ours(owner(town, guild).dm.id) == []


async def test_where_the_audit_log_is_closed_the_owner_is_told_in_the_server_s_language(town: Town) -> None:
    guild = came(town, locale="ko")
    direct = owner(town, guild).dm.id
    await town.discord.until(lambda: town.ours(direct))
    assert "초대해" in town.ours(direct)[0].content
    assert posted(town) == 1


async def test_who_takes_no_direct_messages_is_left_alone(town: Town) -> None:
    town.discord.faults.append(Fault(403, 50007, method="POST", path="/channels/*/messages"))
    came(town, inviter=town.ben)
    await town.discord.until(lambda: posted(town))
    await town.calm()
    assert posted(town) == 1
    assert town.ours(town.ben.dm.id) == []


async def test_an_answer_that_was_lost_makes_no_second_welcome(town: Town) -> None:
    guild = came(town, inviter=town.ben)
    await town.discord.until(lambda: town.ours(town.ben.dm.id))
    joined = town.service.discord
    assert joined is not None
    there = joined.client.get_guild(guild.id)
    assert there is not None
    joined.client.dispatch("guild_join", there)
    await town.calm()
    assert len(town.ours(town.ben.dm.id)) == 1


async def test_a_server_that_comes_back_is_not_new(town: Town) -> None:
    parts = town.service.discord
    assert parts is not None
    there = parts.client.get_guild(town.acme.id)
    assert there is not None
    there.me.joined_at = datetime.now(UTC) - timedelta(days=3)
    parts.client.dispatch("guild_join", there)
    await town.calm()
    assert posted(town) == 0


@pytest.mark.parametrize("town", [{"discord": {"message_content": False}, "content": False}], indirect=True)
async def test_it_needs_no_intent(town: Town) -> None:
    came(town, inviter=town.ben)
    await town.discord.until(lambda: town.ours(town.ben.dm.id))
