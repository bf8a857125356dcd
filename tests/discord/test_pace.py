"""Discord is never asked more often than it allows, and commands and buttons don't wait for that."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from discord.http import Route
from yarl import URL

from adapters.discord.client import client, logged_in
from adapters.discord.mail import ChannelMail, InteractionMail
from adapters.discord.pace import A_SECOND, AT_ONCE, Pace
from adapters.discord.trouble import DiscordRefused
from tests.discord.town import Town
from tests.discord_server.faults import Fault
from tests.discord_server.server import DiscordServer

MANY = 60
NOBODY: Any = None


async def test_in_no_second_are_there_more_calls_than_discord_allows() -> None:
    pace, loop, made = Pace(), asyncio.get_running_loop(), list[float]()
    call: Any = SimpleNamespace(url=URL(f"{Route.BASE}/channels/1/typing"))

    async def asked() -> None:
        await pace.asked(NOBODY, SimpleNamespace(), call)
        made.append(loop.time())

    await asyncio.gather(*(asked() for _ in range(MANY)))
    assert max(sum(began <= each < began + 1 for each in made) for began in made) <= AT_ONCE + A_SECOND + 1 < 50
    assert made[-1] - made[0] < MANY / A_SECOND + 1


async def test_a_crowd_of_calls_is_made_at_that_pace(server: DiscordServer) -> None:
    acme = server.world.guild("Acme")
    places = [acme.text(f"room-{number}") for number in range(MANY // 2)]
    made = client(words=True, pace=Pace())
    async with logged_in(made, server.token):
        await asyncio.gather(*(ChannelMail(made, str(place.id)).typing() for place in places))
    calls = server.called("POST", "/channels/*/typing")
    assert [call.status for call in calls] == [204] * len(places)
    assert calls[-1].at - calls[0].at > (len(places) - AT_ONCE - 5) / A_SECOND


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
        await server.until(pace.spares)
        await asyncio.gather(*(ChannelMail(made, str(room.id)).typing() for _ in range(8)))
        assert not pace.spares()
        await server.until(pace.spares, 1)


async def test_of_many_that_ask_at_once_whether_there_is_room_one_takes_it() -> None:
    pace = Pace()
    assert [pace.spares() for _ in range(30)] == [True] + [False] * 29


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


async def test_of_a_question_that_was_heard_nothing_is_asked_again(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    await town.answered(asked.id)
    assert [call for call in town.discord.calls if call.method == "GET" and "/channels/" in call.path] == []
