"""What the source may not read, what it can't read, and that nothing is taken for deleted because of that."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.discord.source.threads import Limits
from core.errors import ParseError, SourceError
from tests.discord.reading import DAY, source, texts, troubles
from tests.discord_server.faults import Fault, Limit
from tests.discord_server.people import Person
from tests.discord_server.places import Place
from tests.discord_server.server import TOKEN, DiscordServer
from tests.discord_server.world import Guild


def talk(server: DiscordServer, guild: Guild, place: Place, title: str = "Deploying") -> tuple[Place, Person]:
    """A thread in which two talk."""
    alice, ben = guild.person("Alice"), guild.person("Ben")
    with server.world.at(DAY):
        thread = alice.opens(alice.says(place, "How do I deploy?"), title)
        ben.says(thread, "With the button.")
    return thread, ben


async def test_private_threads_are_never_read(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general, alice = acme.text("general"), acme.person("Alice")
    with server.world.at(DAY):
        for name, closed in (("open secret", False), ("closed secret", True)):
            private = alice.opens_alone(general, name, private=True)
            alice.says(private, "The salaries are …")
            server.backend.add_thread_member(private.id, server.world.bot.id)
            server.world.bot.says(private, "I see.")
            if closed:
                private.archive()
    listing = await source(server, tmp_path, general).list()
    assert (listing.entries, listing.complete, list(tmp_path.iterdir())) == ((), True, [])


async def test_a_channel_that_not_everybody_may_read_is_refused_unless_it_is_allowed(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    staff, general = acme.text("staff", hidden_from=[acme.id]), acme.text("general")
    hidden, _ = talk(server, acme, staff, "Salaries")
    talk(server, acme, general)
    made = source(server, tmp_path, staff, general)
    assert list(await texts(made)) == ["Deploying"]
    listing = await made.list()
    assert troubles(listing) == [("#staff", "parse.discord_closed")]
    assert (listing.complete, listing.gone) == (True, (f"{staff.id}/",))
    allowed = await source(server, tmp_path, staff, general, closed=[staff]).list()
    assert f"{staff.id}/{hidden.id}.md" in [entry.id for entry in allowed.entries]


@pytest.mark.parametrize("permission", ["view_channel", "read_message_history"])
async def test_a_channel_that_is_closed_later_is_dropped_at_once_even_when_another_can_not_be_listed(
    server: DiscordServer, tmp_path: Path, permission: str
) -> None:
    acme = server.world.guild("Acme")
    general, other = acme.text("general"), acme.text("other")
    talk(server, acme, general)
    talk(server, acme, other, "Other")
    made = source(server, tmp_path, general, other)
    assert len((await made.list()).entries) == 2
    general.deny(acme.id, permission)
    server.faults.extend(Fault(status=500, path=f"/channels/{other.id}/threads/archived/public") for _ in range(3))
    listing = await made.list()
    assert (listing.complete, listing.gone) == (False, (f"{general.id}/",))
    assert [entry.id.partition("/")[0] for entry in listing.entries] == [str(other.id)]


async def test_names_of_channels_that_not_everybody_sees_stay_unsaid(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general, secret = acme.text("general"), acme.text("takeover-of-initech", hidden_from=[acme.id])
    thread, ben = talk(server, acme, general)
    with server.world.at(DAY):
        ben.says(thread, f"see {secret.mention} and {general.mention}")
    text = (await texts(source(server, tmp_path, general)))["Deploying"]
    assert "see #… and #general" in text


async def test_a_channel_the_bot_can_not_see_makes_the_listing_incomplete(
    server: DiscordServer, tmp_path: Path
) -> None:
    server.world.guild("Elsewhere")
    acme = server.world.guild("Acme")
    general, locked = acme.text("general"), acme.text("locked", hidden_from=[server.world.bot.id])
    talk(server, acme, general)
    listing = await source(server, tmp_path, general, locked).list()
    assert (len(listing.entries), listing.complete, listing.gone) == (1, False, ())
    assert troubles(listing) == [("#locked", "parse.discord_unseen")]
    with pytest.raises(SourceError, match="discord_unseen"):
        await source(server, tmp_path, locked).list()


async def test_without_the_right_to_history_nothing_is_taken_for_deleted(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    talk(server, acme, general)
    made = source(server, tmp_path, general)
    assert len((await made.list()).entries) == 1
    general.deny(server.world.bot.id, "read_message_history")
    talk(server, acme, general, "Another")
    listing = await made.list()
    assert (len(listing.entries), listing.complete) == (1, False)
    assert troubles(listing) == [("#general", "parse.discord_unseen")]


async def test_a_deleted_channel_is_gone_and_one_that_has_no_threads_is_told(
    server: DiscordServer, tmp_path: Path
) -> None:
    acme = server.world.guild("Acme")
    general, old = acme.text("general"), acme.text("old")
    thread, _ = talk(server, acme, general)
    old.delete()
    stranger = Place(server.backend, server.world.stranger("Zoe").dm.id)
    listing = await source(server, tmp_path, general, old, stranger, thread).list()
    assert listing.complete
    assert set(troubles(listing)) == {
        (str(old.id), "parse.discord_gone"),
        (f"#{stranger.id}", "parse.discord_kind"),
        ("#Deploying", "parse.discord_kind"),
    }


async def test_without_the_message_content_intent_it_says_so_instead_of_reading_nothing(tmp_path: Path) -> None:
    async with DiscordServer(content=False) as server:
        acme = server.world.guild("Acme")
        general = acme.text("general")
        talk(server, acme, general)
        with pytest.raises(SourceError) as caught:
            await source(server, tmp_path, general).list()
        assert "Message Content Intent" in caught.value.user_message("en")


@pytest.mark.parametrize("token", ["", "wrong"])
async def test_a_token_that_is_missing_or_wrong_is_named_by_where_it_is_set(
    server: DiscordServer, tmp_path: Path, token: str
) -> None:
    made = source(server, tmp_path, server.world.guild("Acme").text("general"), token=token)
    with pytest.raises(SourceError) as caught:
        await made.list()
    assert "DISCORD_BOT_TOKEN" in caught.value.user_message("en")
    assert TOKEN not in repr(source(server, tmp_path, token=TOKEN))
    assert server.invalid <= 1


async def test_rate_limits_are_waited_out_as_long_as_discord_says(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    for number in range(4):
        talk(server, acme, general, f"Thread {number}")
    server.faults.append(Fault(retry_after=0.3, everywhere=True, path="/channels/*/messages"))
    server.faults.append(Fault(retry_after=0.2, path="/channels/*/threads/archived/public"))
    server.limits.append(Limit(6, 0.3, everywhere=True))
    listing = await source(server, tmp_path, general).list()
    assert (len(listing.entries), listing.complete, listing.problems) == (4, True, ())
    held = server.called("GET", "/channels/*/threads/archived/public")
    assert held[1].at - held[0].at >= 0.2


async def test_a_limit_of_hours_is_reported_and_not_slept_through(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    thread, ben = talk(server, acme, general)
    made = source(server, tmp_path, general, patience=0.5)
    await made.list()
    with server.world.at(DAY + timedelta(days=1)):
        ben.says(thread, "Or the lever.")
    server.faults.append(Fault(retry_after=3600, path=f"/channels/{thread.id}/messages"))
    listing = await made.list()
    assert troubles(listing) == [(f"{general.id}/{thread.id}.md", "parse.thread_failed")]
    assert b"lever" not in await made.fetch(listing.entries[0])
    assert b"lever" in await made.fetch((await made.list()).entries[0])


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=500, path="/channels/*/threads/archived/public"),
        Fault(status=503, path="/guilds/*/threads/active"),
        Fault(hang_up=True, path="/channels/*/threads/archived/public"),
        Fault(retry_after=900, cloudflare=True, path="/channels/*/threads/archived/public"),
    ],
)
async def test_a_list_of_threads_that_is_not_given_removes_nothing(
    server: DiscordServer, tmp_path: Path, fault: Fault
) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    thread, _ = talk(server, acme, general)
    thread.archive()
    made = source(server, tmp_path, general, patience=0.2)
    assert len((await made.list()).entries) == 1
    server.faults.extend([fault] * 6)  # a line that dies is tried once more by the connection itself
    listing = await made.list()
    assert not listing.complete
    assert troubles(listing) == [("#general", "parse.discord_failed")]


async def test_a_stutter_is_asked_again_and_nobody_hears_of_it(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    talk(server, acme, general)
    server.faults.append(Fault(status=502, path="/channels/*/messages"))
    server.faults.append(Fault(hang_up=True, path="/channels/*/messages"))
    listing = await source(server, tmp_path, general).list()
    assert (len(listing.entries), listing.complete, listing.problems) == (1, True, ())


async def test_a_visit_that_takes_too_long_ends_with_what_it_has(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    thread, _ = talk(server, acme, general)
    made = source(server, tmp_path, general)
    await made.list()
    server.faults.append(Fault(delay=30, path="/guilds/*/threads/active"))
    slow = source(server, tmp_path, general, limits=Limits(minutes=0.005))
    started = asyncio.get_running_loop().time()
    listing = await slow.list()
    assert asyncio.get_running_loop().time() - started < 3
    assert not listing.complete
    assert "parse.note_threads_time" in [problem.reason for problem in listing.problems]
    assert (await made.list()).entries[0].id == f"{general.id}/{thread.id}.md"


async def test_what_the_visit_has_not_kept_is_gone(server: DiscordServer, tmp_path: Path) -> None:
    acme = server.world.guild("Acme")
    general = acme.text("general")
    talk(server, acme, general)
    made = source(server, tmp_path, general)
    (entry,) = (await made.list()).entries
    (kept,) = tmp_path.iterdir()
    kept.write_text("{", encoding="utf-8")
    with pytest.raises(ParseError, match=r"parse\.gone"):
        await made.fetch(entry)
    assert (await made.list()).entries == (entry,)


async def test_a_visit_that_is_given_up_ends_at_once(server: DiscordServer, tmp_path: Path) -> None:
    general = server.world.guild("Acme").text("general")
    server.faults.append(Fault(delay=30, path="/guilds/*/threads/active"))
    task = asyncio.create_task(source(server, tmp_path, general).list())
    await server.until(lambda: server.called("GET", "/guilds/*/threads/active"))
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=1)
    assert done
    assert task.cancelled()
