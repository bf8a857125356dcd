"""For whom an answer is: its asker, and whoever reads the place it stands in; a private one for its asker alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapters.memory.turns import MemoryTurnRecord
from core.access_commands import Person, Staff
from core.desk.about_answers import AboutAnswers, AnswerStores
from core.desk.reading import FixedAccess
from core.desk.visitor import Visitor
from core.errors import InputError
from core.messages import Audience, Message, SessionKey
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast


def visitor(user: str, workspace: str = "w", channel: str = "c1", platform: str = "chat") -> Visitor:
    """Somebody somewhere."""
    return Visitor(Person(platform, workspace, user), Audience(platform, workspace, channel, user))


def private(message: Message) -> Message:
    """The same, asked so that only its asker sees the answer."""
    audience = replace(message.audience, user=message.author.id)
    return replace(message, key=SessionKey("chat", "w", "c1", "private/u1/7"), audience=audience)


async def sees(world: World, turn_id: str, who: Visitor) -> bool:
    """Whether the answer is there for them."""
    nothing: Any = None  # what is not asked here
    stores = AnswerStores(MemoryTurnRecord(world.record), nothing, FixedAccess(()))
    about = AboutAnswers(stores, nothing, nothing, nothing, Staff())
    try:
        await about.turn(turn_id, who)
    except InputError:
        return False
    return True


async def test_an_answer_in_a_channel_is_for_whoever_reads_it_and_for_its_asker_in_the_whole_workspace() -> None:
    async with open_desk(Building(Cast())) as world:
        turn = await world.desk.ask(said("How long?"))
        assert await sees(world, turn.id, visitor("u2"))
        assert await sees(world, turn.id, visitor("u1", channel="c2"))
        assert not await sees(world, turn.id, visitor("u2", channel="c2"))
        assert not await sees(world, turn.id, visitor("u1", "dm", "d1"))


@pytest.mark.parametrize("place", [("w", "c1"), ("w", "c2"), ("dm", "d1")])
async def test_a_private_answer_is_its_asker_s_wherever_they_are(place: tuple[str, str]) -> None:
    async with open_desk(Building(Cast())) as world:
        turn = await world.desk.ask(private(said("How long?")))
        assert await sees(world, turn.id, visitor("u1", *place))
        assert not await sees(world, turn.id, visitor("u2", *place))
        assert not await sees(world, turn.id, visitor("u1", *place, platform="other"))
