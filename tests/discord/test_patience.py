"""Every call of ours is answered in time or given up; one that waits for its turn is not given up for that."""

from __future__ import annotations

import asyncio

import pytest

from adapters.discord.looks import DiscordMessage
from adapters.discord.mail import ChannelMail, InteractionMail
from adapters.discord.patience import Patience
from adapters.discord.trouble import DiscordUnsure, asked
from core.errors import Busy
from tests.discord.ground import Ground, opened
from tests.discord_server.faults import Fault, Limit
from tests.discord_server.server import DiscordServer

TOLD = DiscordMessage("Here")
HURRY = Patience(answered_in=0.2, wait=0.3)


async def given_up(ground: Ground, call: str) -> None:
    """The call, which raises."""
    mail = ChannelMail(ground.client, str(ground.general.id))
    private = InteractionMail(ground.client, "a-token")
    calls = {
        "post": lambda: mail.post(TOLD, "here"),
        "edit": lambda: mail.edit(str(ground.question.id), TOLD),
        "delete": lambda: mail.delete(str(ground.question.id)),
        "typing": mail.typing,
        "history": lambda: mail.after(str(ground.question.id)),
        "private": lambda: private.post(TOLD, ""),
        "private edit": lambda: private.edit("1", TOLD),
        "private delete": lambda: private.delete("1"),
    }
    await calls[call]()


@pytest.mark.parametrize(
    "call", ["post", "edit", "delete", "typing", "history", "private", "private edit", "private delete"]
)
async def test_a_call_that_hangs_may_have_been_done(server: DiscordServer, call: str) -> None:
    async with opened(server, HURRY) as ground:
        server.faults.append(Fault(delay=5.0))
        async with asyncio.timeout(1):
            with pytest.raises(DiscordUnsure):
                await given_up(ground, call)


async def test_what_the_library_tries_again_has_one_time_for_all(server: DiscordServer) -> None:
    async with opened(server, Patience(answered_in=1.2)) as ground:
        server.faults.extend([Fault(status=502)] * 5)
        async with asyncio.timeout(2):
            with pytest.raises(DiscordUnsure):
                await given_up(ground, "edit")
        assert [call.status for call in server.calls[-2:]] == [502, 502]  # it was tried again, and not for long


@pytest.mark.parametrize("call", ["post", "private"])
async def test_who_asks_for_too_much_patience_is_not_waited_for(server: DiscordServer, call: str) -> None:
    async with opened(server, HURRY) as ground:
        server.faults.append(Fault(retry_after=20.0))
        async with asyncio.timeout(1):
            with pytest.raises(Busy):
                await given_up(ground, call)


async def test_a_refused_call_waits_for_as_long_as_there_is_patience(server: DiscordServer) -> None:
    async with opened(server, Patience(answered_in=0.2, wait=2.0)) as ground:
        server.faults.append(Fault(retry_after=0.5))
        await ChannelMail(ground.client, str(ground.general.id)).post(TOLD, "here")
        assert ground.general.texts[1:] == ["Here"]


async def test_who_waits_for_others_is_not_given_up(server: DiscordServer) -> None:
    async with opened(server, Patience(answered_in=1.0)) as ground:
        mail = ChannelMail(ground.client, str(ground.general.id))
        server.limits.append(Limit(5, 0.6, "POST", "/channels/*/messages"))
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*(mail.post(TOLD, str(number)) for number in range(11)))
        assert asyncio.get_running_loop().time() - began > 1.1
        assert len(ground.general.texts) == 12


async def test_who_waits_for_our_own_pace_is_not_given_up(server: DiscordServer) -> None:
    more = server.world.guild("More")
    rooms = [more.text(f"room-{number}") for number in range(60)]
    async with opened(server, Patience(answered_in=1.0)) as ground:
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*(ChannelMail(ground.client, str(room.id)).typing() for room in rooms))
        assert asyncio.get_running_loop().time() - began > 1.1


async def test_a_task_that_was_begun_inside_is_not_bounded_after_it(server: DiscordServer) -> None:
    async with opened(server, HURRY) as ground:
        async with asked():
            later = asyncio.create_task(ground.client.http.send_typing(ground.general.id))
        await later
        assert [call.status for call in server.called("POST", "/channels/*/typing")] == [204]
