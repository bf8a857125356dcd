"""Guests who read along: told from the channel's members, at the price of one look where there are no guests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.slack.directory import is_outside
from adapters.slack.guests import PAGE, Bounds
from adapters.slack.people import SlackPeople
from core.messages import Audience
from tests.slack.ground import Ground, opened
from tests.slack_server import Channel, Refused, Slow, Status, User


@dataclass
class Channels:
    """A workspace with a channel, where Ana has asked something."""

    ground: Ground
    people: SlackPeople

    @property
    def channel(self) -> Channel:
        return self.ground.channel

    @property
    def team(self) -> str:
        return self.ground.asker.workspace

    def guest(self, name: str = "Gil", **more: Any) -> User:
        """A guest of the workspace, in no channel yet."""
        return self.ground.slack.user(name, **{"guest": 2, **more})

    def fill(self, count: int) -> None:
        """So many more people, all in the channel."""
        made = [self.ground.slack.user(f"member{number}") for number in range(count)]
        self.channel.members |= {each.id for each in made}

    async def read_along(self) -> bool:
        """Whether the reply to Ana's question is read from outside."""
        unknown = Audience("slack", self.team, self.channel.id, external=True, provisional=True)
        return (await self.people.of(self.ground.turn(audience=unknown))).external

    def calls(self, method: str) -> int:
        return len([each for each in self.ground.slack.calls if each.method == method])

    async def told(self, event: str, user: User) -> None:
        """What Slack tells of somebody who came or left."""
        inner = {"type": event, "user": user.id, "channel": self.channel.id}
        await self.people.guests.moved({"team_id": self.team, "event": inner})


@asynccontextmanager
async def channels(**bounds: Any) -> AsyncIterator[Channels]:
    """A workspace whose people are asked for within these bounds."""
    async with opened(pause=0.01) as ground:
        people = SlackPeople(ground.web, Bounds(**{"soon": 0.2, "patience": 1.0, "looked_up": 5, **bounds}))
        try:
            yield Channels(ground, people)
        finally:
            await people.guests.close()


@pytest.mark.parametrize("kind", [1, 2])
async def test_a_channel_that_a_guest_is_in_is_read_from_outside_whoever_asks(kind: int) -> None:
    async with channels() as here:
        here.channel.members.add(here.guest(guest=kind).id)
        assert await here.read_along()
        assert (await here.people.shared(here.team, here.channel.id)).external


async def test_guests_of_other_channels_are_nothing_to_this_one() -> None:
    async with channels() as here:
        elsewhere = here.ground.slack.channel("elsewhere")
        elsewhere.members.add(here.guest().id)
        assert not await here.read_along()
        assert (await here.people.shared(here.team, elsewhere.id)).external


async def test_a_private_reply_has_its_one_reader_wherever_it_is() -> None:
    async with channels() as here:
        here.channel.members.add(here.guest().id)
        asker = here.ground.asker.id
        assert not (await here.people.private(here.team, here.channel.id, asker)).external


async def test_where_there_are_no_guests_nobody_asks_who_is_in_a_channel() -> None:
    async with channels() as here:
        here.channel.members.add(here.guest(deleted=True).id)  # who was deactivated reads nothing
        others = [here.ground.slack.channel(f"c{number}") for number in range(5)]
        found = await asyncio.gather(*(here.people.shared(here.team, each.id) for each in others))
        assert not any(each.external for each in found)
        assert (here.calls("users.list"), here.calls("conversations.members")) == (1, 0)


async def test_a_channel_is_asked_once_for_many_questions() -> None:
    async with channels() as here:
        here.guest()
        assert not any(await asyncio.gather(*(here.read_along() for _ in range(50))))
        assert (here.calls("users.list"), here.calls("conversations.members")) == (1, 1)


async def test_who_comes_and_goes_is_known_at_once() -> None:
    async with channels() as here:
        gil = here.guest()
        assert not await here.read_along()
        here.channel.members.add(gil.id)
        await here.told("member_joined_channel", gil)
        assert await here.read_along()
        here.channel.members.remove(gil.id)
        await here.told("member_left_channel", gil)
        assert not await here.read_along()


async def test_a_guest_who_is_newer_than_the_list_is_one() -> None:
    async with channels() as here:
        assert not await here.read_along()
        gil, new = here.guest(), here.ground.slack.user("New")
        here.channel.members.add(new.id)
        await here.told("member_joined_channel", new)
        assert not await here.read_along()
        here.channel.members.add(gil.id)
        await here.told("member_joined_channel", gil)
        assert await here.read_along()


async def test_somebody_new_of_whom_nothing_can_be_told_counts_as_a_guest() -> None:
    async with channels() as here:
        assert not await here.read_along()
        new = here.ground.slack.user("New")
        here.channel.members.add(new.id)
        here.ground.slack.faults.add("users.info", Status(500), times=4, when=lambda args: args.get("user") == new.id)
        with pytest.raises(Exception, match="slack_down"):
            await here.told("member_joined_channel", new)
        assert await here.read_along()


ODD = Status(200, '{"ok": true}', "application/json"), Status(200, '{"ok": true, "members": 7}', "application/json")


@pytest.mark.parametrize("method", ["users.list", "conversations.members"])
@pytest.mark.parametrize("fault", [Status(500), *ODD])
async def test_what_can_not_be_told_is_closed_and_asked_again(method: str, fault: Any) -> None:
    async with channels() as here:
        here.guest()
        here.fill(6)
        here.ground.slack.faults.add(method, fault, times=None)
        assert await here.read_along()
        here.ground.slack.faults.clear()
        assert not await here.read_along()


@pytest.mark.parametrize("method", ["users.list", "conversations.members", "users.info"])
async def test_without_the_right_to_look_every_channel_is_closed(method: str) -> None:
    async with channels() as here:
        here.guest()
        here.fill(6)
        here.ground.slack.faults.add(method, Refused("missing_scope"), times=None)
        assert await here.read_along()


async def test_a_small_channel_waits_for_no_long_list() -> None:
    async with channels() as here:
        here.ground.slack.faults.add("users.list", Slow(30))
        began = here.ground.slack.now
        assert not await here.read_along()
        assert here.ground.slack.now - began < 1.0
        gil = here.guest()
        here.channel.members.add(gil.id)
        await here.told("member_joined_channel", gil)
        assert await here.read_along()


async def test_a_large_channel_waits_for_the_list_and_no_longer_than_people_do() -> None:
    async with channels(patience=0.5) as here:
        here.fill(6)
        here.ground.slack.faults.add("users.list", Slow(0.8))
        assert await here.read_along()  # not known yet
        await here.ground.slack.until(lambda: here.ground.slack.called("users.list"))
        assert not await here.read_along()
        assert here.calls("users.info") == 1


async def test_a_list_that_got_old_serves_while_a_new_one_is_made() -> None:
    async with channels(listed_for=0.1, channel_for=0.0) as here:
        gil = here.guest()
        here.channel.members.add(gil.id)
        assert await here.read_along()
        gil.guest = 0
        here.ground.slack.faults.add("users.list", Slow(0.3))
        await asyncio.sleep(0.1)
        assert await here.read_along()
        assert here.calls("users.list") == 1
        await here.ground.slack.until(lambda: here.calls("users.list") == 2)
        assert not await here.read_along()


async def test_large_workspaces_and_channels_are_read_to_their_end() -> None:
    async with channels() as here:
        here.fill(2 * PAGE)
        here.channel.members.add(here.guest().id)
        assert await here.read_along()
        assert (here.calls("users.list"), here.calls("conversations.members")) == (3, 3)


async def test_people_beyond_the_longest_list_are_looked_up_one_by_one() -> None:
    async with channels(listed=1) as here:
        here.guest()
        people = [here.ground.slack.user(f"member{number}") for number in range(PAGE + 8)]
        here.channel.members |= {each.id for each in people[-2:]}
        assert not await here.read_along()
        assert here.calls("users.info") == 3
        here.channel.members |= {each.id for each in people[-8:]}
        await here.told("member_joined_channel", people[-3])
        assert await here.read_along()  # so many at a time are not


@pytest.mark.parametrize("guests", [0, 1])
async def test_a_channel_that_is_too_large_counts_as_read_by_guests_where_there_are_any(guests: int) -> None:
    async with channels(members=1) as here:
        here.fill(PAGE)
        for number in range(guests):
            here.guest(f"Gil{number}")
        assert await here.read_along() is bool(guests)


@pytest.mark.parametrize(
    ("user", "outside"),
    [
        ({"team_id": "T1"}, False),
        ({"team_id": "T2"}, True),
        ({"team_id": "T2", "enterprise_user": {"teams": ["T1", "T2"]}}, False),
        ({"team_id": "T1", "is_restricted": True}, True),
        ({"team_id": "T1", "is_ultra_restricted": True}, True),
        ({"team_id": "T1", "is_stranger": True}, True),
        ({}, False),
    ],
)
def test_who_is_outside(user: dict[str, Any], outside: bool) -> None:
    assert is_outside(user, "T1") is outside
