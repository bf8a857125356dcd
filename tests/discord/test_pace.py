"""Discord is never asked more often than it allows, and commands and buttons don't wait for that."""

from __future__ import annotations

import asyncio

import pytest

from adapters.discord.client import client, logged_in
from adapters.discord.mail import ChannelMail, InteractionMail
from adapters.discord.pace import Pace
from adapters.discord.trouble import DiscordRefused
from tests.discord_server.faults import Fault, Limit
from tests.discord_server.server import DiscordServer

MANY = 80


async def test_a_crowd_of_calls_is_refused_none(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    places = [acme.text(f"room-{number}") for number in range(MANY)]
    server.limits.append(Limit(50, 1.0, everywhere=True))
    made = client(words=True, pace=Pace())
    async with logged_in(made, server.token):
        await asyncio.gather(*(ChannelMail(made, str(place.id)).typing() for place in places))
    assert [call.status for call in server.called("POST", "/channels/*/typing")] == [204] * MANY


async def test_who_pressed_a_button_waits_for_no_crowd(server: DiscordServer) -> None:
    room = server.world.guild("Acme").text("room")
    made = client(words=True, pace=Pace())
    async with logged_in(made, server.token):
        crowd = [asyncio.create_task(ChannelMail(made, str(room.id)).typing()) for _ in range(MANY)]
        await asyncio.sleep(0.05)
        with pytest.raises(DiscordRefused):  # such an interaction there is none; it is asked for at once
            await InteractionMail(made, "some-token").delete("1")
        assert not all(each.done() for each in crowd)
        await asyncio.gather(*crowd)


async def test_there_is_room_for_drafts_only_between_calls(server: DiscordServer) -> None:
    room, pace = server.world.guild("Acme").text("room"), Pace()
    made = client(words=True, pace=pace)
    async with logged_in(made, server.token):
        await server.until(lambda: pace.is_easy)
        await asyncio.gather(*(ChannelMail(made, str(room.id)).typing() for _ in range(8)))
        assert not pace.is_easy
        await server.until(lambda: pace.is_easy, 1)


async def test_while_the_limit_of_all_calls_is_hit_none_is_made(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    places = [acme.text(f"room-{number}") for number in range(20)]
    pace = Pace()
    made = client(words=True, pace=pace)
    async with logged_in(made, server.token):
        server.faults.append(Fault(retry_after=1.0, everywhere=True))  # another process asks with our token
        await asyncio.gather(*(ChannelMail(made, str(place.id)).typing() for place in places))
    (refused,) = (call for call in server.calls if call.status == 429)
    assert not [call for call in server.calls if 0.2 < call.at - refused.at < 0.9]
    assert len([call for call in server.calls if call.status == 204]) == 20


async def test_a_call_that_is_called_off_while_it_waits_holds_nobody_up(server: DiscordServer) -> None:
    room = server.world.guild("Acme").text("room")
    made = client(words=True, pace=Pace())
    async with logged_in(made, server.token):
        mail = ChannelMail(made, str(room.id))
        server.faults.append(Fault(retry_after=1.0, everywhere=True))
        first = asyncio.create_task(mail.typing())
        await server.until(lambda: any(call.status == 429 for call in server.calls))
        crowd = [asyncio.create_task(mail.typing()) for _ in range(12)]
        await asyncio.sleep(0.05)
        for each in (first, *crowd[:6]):
            each.cancel()
        async with asyncio.timeout(3):
            await asyncio.gather(*crowd[6:])


async def test_calls_called_off_in_the_queue_take_no_room_from_the_others(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    places = [acme.text(f"room-{number}") for number in range(60)]
    made = client(words=True, pace=Pace())
    async with logged_in(made, server.token):
        crowd = [asyncio.create_task(ChannelMail(made, str(place.id)).typing()) for place in places]
        await asyncio.sleep(0.05)
        for each in crowd[:50]:
            each.cancel()
        async with asyncio.timeout(1):
            await asyncio.gather(*crowd[50:])
