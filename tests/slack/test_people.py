"""Who reads along: asked of Slack once, kept for a while, and told as from outside where it can't be told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.slack.kept import Kept
from adapters.slack.people import SlackPeople
from core.errors import UpstreamError
from core.messages import Audience, Author
from tests.slack.ground import Ground, opened
from tests.slack_server import Refused, Slow, Status, User


@dataclass
class Asked:
    """A question's ground, and the people of its workspace."""

    ground: Ground
    people: SlackPeople

    async def audience(self, author: User) -> Audience:
        """Who reads the reply to this person's question."""
        where = self.ground.channel.id
        unknown = Audience("slack", self.ground.asker.workspace, where, external=True, provisional=True)
        return await self.people.of(self.ground.turn(audience=unknown, author=Author(author.id)))


@asynccontextmanager
async def asked(**more: Any) -> AsyncIterator[Asked]:
    """A workspace with a channel."""
    async with opened(**more) as ground:
        yield Asked(ground, SlackPeople(ground.web))


async def test_members_in_a_channel_of_their_own_are_inside() -> None:
    async with asked() as here:
        audience = await here.audience(here.ground.asker)
        assert audience == Audience("slack", here.ground.asker.workspace, here.ground.channel.id)


@pytest.mark.parametrize("guest", [1, 2])
async def test_guests_are_outside(guest: int) -> None:
    async with asked() as here:
        assert (await here.audience(here.ground.slack.user("Gil", guest=guest))).external


async def test_people_of_other_organisations_and_shared_channels_are_outside() -> None:
    async with asked() as here:
        slack, channel = here.ground.slack, here.ground.channel
        other = slack.add_workspace("Other", None)
        eve = slack.user("Eve", other)
        slack.share(channel, other)
        channel.members.add(eve.id)
        assert (await here.audience(eve)).external
        assert (await here.audience(here.ground.asker)).external


@pytest.mark.parametrize(
    ("method", "code"),
    [("users.info", "missing_scope"), ("conversations.info", "missing_scope"), ("users.info", "user_not_found")],
)
async def test_what_can_not_be_told_is_told_as_from_outside(method: str, code: str) -> None:
    async with asked() as here:
        here.ground.slack.faults.add(method, Refused(code), None)
        assert (await here.audience(here.ground.asker)).external


async def test_a_direct_message_has_one_reader_with_their_groups() -> None:
    async with asked(kind="im") as here:
        slack, ana = here.ground.slack, here.ground.asker
        slack.world.workspaces[ana.workspace].groups |= {"S1": [ana.id], "S2": ["U9"]}
        audience = await here.audience(ana)
        assert (audience.user, audience.roles, audience.external) == (ana.id, frozenset({"S1"}), False)


async def test_without_the_right_to_see_groups_nobody_is_in_one() -> None:
    async with asked(kind="im") as here:
        here.ground.slack.faults.add("usergroups.list", Refused("missing_scope"), None)
        assert (await here.audience(here.ground.asker)).roles == frozenset()


async def test_a_hundred_who_ask_at_once_are_one_call() -> None:
    async with asked() as here:
        here.ground.slack.faults.add("users.info", Slow(0.05))
        await asyncio.gather(*(here.people.user(here.ground.asker.workspace, here.ground.asker.id) for _ in range(100)))
        assert len(here.ground.slack.called("users.info")) == 1


async def test_one_who_leaves_takes_the_answer_from_nobody() -> None:
    async with asked() as here:
        here.ground.slack.faults.add("users.info", Slow(0.05))
        team, ana = here.ground.asker.workspace, here.ground.asker.id
        first, second = (asyncio.ensure_future(here.people.user(team, ana)) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        assert (await second).name == "Ana"


async def test_people_and_channels_have_names() -> None:
    async with asked() as here:
        team = here.ground.asker.workspace
        assert await here.people.name("slack", team, here.ground.asker.id) == "Ana"
        assert await here.people.name("slack", team, here.ground.channel.id) == "general"


@dataclass
class Telling:
    """Says how often it was asked, or fails."""

    asked: int = 0
    fails: bool = False

    async def __call__(self) -> int:
        self.asked += 1
        if self.fails:
            raise UpstreamError
        return self.asked


async def test_answers_are_kept_for_a_while_and_then_asked_anew() -> None:
    kept: Kept[int] = Kept(kept_for=0.05)
    telling = Telling()
    assert [await kept.get(("T", "1"), telling) for _ in range(3)] == [1, 1, 1]
    await asyncio.sleep(0.06)
    assert await kept.get(("T", "1"), telling) == 2


async def test_failures_are_not_kept() -> None:
    kept: Kept[int] = Kept()
    telling = Telling(fails=True)
    with pytest.raises(UpstreamError):
        await kept.get(("T", "1"), telling)
    telling.fails = False
    assert await kept.get(("T", "1"), telling) == 2


async def test_a_failure_that_nobody_waited_for_is_not_kept_either() -> None:
    kept: Kept[int] = Kept()

    async def late() -> int:
        await asyncio.sleep(0.01)
        raise KeyError("user")

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.001):
            await kept.get(("T", "1"), late)
    await asyncio.sleep(0.02)
    assert await kept.get(("T", "1"), Telling()) == 1


HICCUPS = Status(503), Status(200, "<html>"), Status(200, '{"ok": true}', "application/json")


@pytest.mark.parametrize("fault", HICCUPS)
@pytest.mark.parametrize("method", ["users.info", "conversations.info"])
async def test_a_hiccup_makes_nobody_a_stranger_for_longer_than_it_lasts(method: str, fault: Any) -> None:
    async with asked(pause=0.001) as here:
        here.ground.slack.faults.add(method, fault, None)
        assert (await here.audience(here.ground.asker)).external
        here.ground.slack.faults.clear()
        assert not (await here.audience(here.ground.asker)).external


@pytest.mark.parametrize("fault", HICCUPS)
@pytest.mark.parametrize("method", ["usergroups.list", "usergroups.users.list"])
async def test_a_hiccup_takes_nobody_out_of_their_groups_for_longer_than_it_lasts(method: str, fault: Any) -> None:
    async with asked(kind="im", pause=0.001) as here:
        ana = here.ground.asker
        here.ground.slack.world.workspaces[ana.workspace].groups["S1"] = [ana.id]
        here.ground.slack.faults.add(method, fault, None)
        assert (await here.audience(ana)).roles == frozenset()
        here.ground.slack.faults.clear()
        assert (await here.audience(ana)).roles == {"S1"}


async def test_a_refusal_is_not_asked_for_again_at_once() -> None:
    async with asked() as here:
        here.ground.slack.faults.add("users.info", Refused("user_not_found"), None)
        for _ in range(20):
            assert (await here.people.user(here.ground.asker.workspace, "U404")).outside
        assert len(here.ground.slack.refused("user_not_found")) == 1


async def test_no_more_answers_are_kept_than_there_is_room_for() -> None:
    kept: Kept[int] = Kept(most=3)
    telling = Telling()
    for name in ("1", "2", "3", "4", "4", "1"):
        await kept.get(("T", name), telling)
    assert telling.asked == 5


async def test_names_of_whom_a_text_speaks() -> None:
    async with asked() as here:
        slack, team = here.ground.slack, here.ground.asker.workspace
        text = f"{here.ground.asker} in <#{here.ground.channel.id}>, not <@UNOBODY>"
        names = await here.people.names_in(team, text)
        assert names.people[here.ground.asker.id] == "Ana"
        assert names.channels[here.ground.channel.id] == "general"
        assert names.people["UNOBODY"] == "someone"
        assert slack.refused("user_not_found")
