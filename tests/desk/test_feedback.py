"""Thumbs, comments and corrections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from adapters.clock import SystemClock
from adapters.memory.feedback import MemoryCorrections, MemoryFeedback
from adapters.memory.turns import MemoryTurnRecord
from core.access import Visible
from core.access_commands import Named, Person, Staff
from core.desk.feedback import Instead, Receiving, ReceivingStores
from core.errors import AccessDenied, InputError
from core.feedback import COMMENT_LIMIT, Correction, Tally
from core.messages import Turn
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, ListedSearcher, passage

ANN, BOB = Person("chat", "w", "u1"), Person("chat", "w", "u2")
STAFF = Staff(owners={"docs": Named(frozenset({"u2"}))})
HIDDEN = (Visible("docs"), Visible("wiki", everyone=False, users=frozenset({"u1"})))


@dataclass
class Ground:
    """A desk with one answered question, and the use cases over its record."""

    world: World
    turn: Turn
    receiving: Receiving
    feedback: MemoryFeedback
    corrections: MemoryCorrections
    saved: list[Correction] = field(default_factory=list)


@asynccontextmanager
async def answered(*, collects: bool = True) -> AsyncIterator[Ground]:
    building = Building(Cast(searcher=ListedSearcher([[passage("a")]])))
    async with open_desk(building) as world:
        turn = await world.desk.ask(said("How long does it take?"))
        feedback, corrections, saved = MemoryFeedback(world.record), MemoryCorrections(), list[Correction]()

        async def keep(correction: Correction) -> None:
            saved.append(correction)

        stores = ReceivingStores(feedback, corrections, MemoryTurnRecord(world.record))
        receiving = Receiving(stores, STAFF, SystemClock(), keep if collects else None)
        yield Ground(world, turn, receiving, feedback, corrections, saved)


async def test_the_last_thumb_of_a_person_counts_and_a_comment_is_kept_with_it() -> None:
    async with answered() as ground:
        await ground.receiving.rate(ground.turn.id, ANN, "up")
        await ground.receiving.rate(ground.turn.id, BOB, "up")
        await ground.receiving.comment(ground.turn.id, ANN, " It is\u0000 outdated ")
        (bob, ann) = await ground.feedback.of(ground.turn.id)
        assert (bob.thumb, ann.thumb, ann.comment) == ("up", "down", "It is  outdated")
        assert await ground.feedback.tally(ground.turn.created_at) == Tally(1, 1)


async def test_only_owners_of_the_sources_and_admins_are_asked_what_is_right() -> None:
    async with answered() as ground:
        assert not (await ground.receiving.rate(ground.turn.id, ANN, "down")).may_correct
        assert (await ground.receiving.rate(ground.turn.id, BOB, "down")).may_correct
        with pytest.raises(AccessDenied):
            await ground.receiving.correct(ground.turn.id, ANN, Instead("q", "no"))
        assert ground.saved == []
        assert await ground.receiving.owners(ground.turn.id) == STAFF.owners["docs"]


async def test_a_correction_becomes_a_document_and_said_again_replaces_itself() -> None:
    async with answered() as ground:
        first = await ground.receiving.correct(ground.turn.id, BOB, Instead("How long?", "An hour.", "https://x/1"))
        second = await ground.receiving.correct(ground.turn.id, BOB, Instead("How long?", "Two hours."))
        assert first.id == second.id
        assert [each.text for each in await ground.corrections.all()] == ["Two hours."]
        assert second.about == ("docs",)
        assert ground.saved == [first, second]


async def test_without_a_collection_for_them_nobody_may_correct() -> None:
    async with answered(collects=False) as ground:
        assert not (await ground.receiving.rate(ground.turn.id, BOB, "down")).may_correct
        with pytest.raises(AccessDenied):
            await ground.receiving.correct(ground.turn.id, BOB, Instead("q", "a"))


@pytest.mark.parametrize("text", ["", " \n\u0007", "x" * (COMMENT_LIMIT + 1)])
async def test_a_comment_that_cannot_be_used_gets_one_clear_sentence(text: str) -> None:
    async with answered() as ground:
        with pytest.raises(InputError) as caught:
            await ground.receiving.comment(ground.turn.id, ANN, text)
        assert caught.value.user_message("ko")
        with pytest.raises(InputError):
            await ground.receiving.rate("gone", ANN, "up")
