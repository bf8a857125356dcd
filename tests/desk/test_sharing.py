"""Answers shown in a second place: to those who may read them, once, whatever happens on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.memory.copies import MemoryTurnCopies
from adapters.memory.replies import MemoryPosts
from adapters.memory.turns import MemoryTurnEdits, MemoryTurnRecord
from core.access import Visible
from core.answers import Answer
from core.desk.reading import FixedAccess
from core.desk.share import UNDER_WAY, Destination, Sharing, SharingStores
from core.errors import AccessDenied, Busy, InputError, RefdeskError, UpstreamUnsure
from core.messages import Accepted, Audience, ReplyTarget, SessionKey, Turn
from tests.desk.stand_ins import Building, World, open_desk, said
from tests.rag.stand_ins import Cast, ListedSearcher, passage

OPEN = (Visible("docs"), Visible("wiki"))
HIDDEN = (Visible("docs"), Visible("wiki", everyone=False, users=frozenset({"u1"})))


class Posts(MemoryPosts):
    """Posts that take a moment, and fail as they are told to."""

    def __init__(self) -> None:
        super().__init__()
        self.error: RefdeskError | None = None

    async def post(self, target: ReplyTarget, content: Answer | str, turn_id: str = "") -> ReplyTarget:
        await asyncio.sleep(0.02)
        if self.error is not None:
            raise self.error
        return await super().post(target, content, turn_id)


class Clock:
    """One that is moved by hand."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def now(self) -> datetime:
        """Where it stands."""
        return self.at


@dataclass
class Ground:
    """A private answer, and the use case over the desk's record."""

    world: World
    turn: Turn
    use: Sharing
    posts: Posts
    clock: Clock

    async def share(self, user: str = "u1") -> Turn:
        """With the town."""
        return await self.use.share(self.turn.id, user, TOWN)


@asynccontextmanager
async def answered(visible: tuple[Visible, ...] = OPEN) -> AsyncIterator[Ground]:
    """One question answered to its asker alone."""
    async with open_desk(Building(Cast(searcher=ListedSearcher([[passage("a")]])))) as world:
        private = replace(
            said("How long does it take?"),
            key=SessionKey("chat", "w", "c1", "private/u1/1"),
            audience=Audience("chat", "w", "c1", user="u1"),
        )
        turn, posts, clock, kept = await world.desk.ask(private), Posts(), Clock(), world.record
        record, edits, copies = MemoryTurnRecord(kept), MemoryTurnEdits(kept), MemoryTurnCopies(kept)
        stores = SharingStores(world.queue, record, edits, copies, world.catalog)
        yield Ground(world, turn, Sharing(stores, FixedAccess(visible), posts, clock), posts, clock)


TOWN = Destination(ReplyTarget("chat", "w", "town", ""), Audience("chat", "w", "town"))


async def test_a_shared_answer_begins_a_thread_that_knows_what_it_is_about() -> None:
    async with answered() as ground:
        shared = await ground.share()
        again = await ground.share()
        assert again.id == shared.id
        ((target, content, turn_id),) = ground.posts.posted
        assert isinstance(content, Answer)
        assert (target.channel, turn_id) == ("town", shared.id)
        thread, desk = shared.key.thread, ground.world.desk
        follow_up = replace(said("And how far?", channel="town", thread=thread), in_thread=True, mentions_us=False)
        assert isinstance(await desk.hear(follow_up), Accepted)
        assert (await desk.last(shared.key)) is not None


async def test_pressed_twice_at_once_it_is_posted_once() -> None:
    async with answered() as ground:
        first, second = await asyncio.gather(ground.share(), ground.share(), return_exceptions=True)
        outcomes = sorted((first, second), key=lambda each: isinstance(each, Turn))
        assert isinstance(outcomes[0], InputError)
        assert outcomes[0].reason == "error.share_under_way"
        assert isinstance(outcomes[1], Turn)
        assert len(ground.posts.posted) == 1
        assert (await ground.share()).id == outcomes[1].id


async def test_one_that_somebody_took_away_is_posted_anew_and_once() -> None:
    async with answered() as ground:
        first = await ground.share()
        ground.posts.taken_away.add(first.target.message_ids[0])
        outcomes = await asyncio.gather(ground.share(), ground.share(), return_exceptions=True)
        (again,) = [each for each in outcomes if isinstance(each, Turn)]
        assert again.target.message_ids != first.target.message_ids
        assert len(ground.posts.posted) == 2
        assert (await ground.share()).id == again.id


async def test_one_that_could_not_be_posted_can_be_shared_again_at_once() -> None:
    async with answered() as ground:
        ground.posts.error = Busy()
        with pytest.raises(Busy):
            await ground.share()
        ground.posts.error = None
        assert (await ground.share()).status == "answered"
        assert len(ground.posts.posted) == 1


async def test_one_that_may_have_been_posted_is_not_posted_again_at_once() -> None:
    async with answered() as ground:
        ground.posts.error = UpstreamUnsure()
        with pytest.raises(UpstreamUnsure):
            await ground.share()
        ground.posts.error = None
        with pytest.raises(InputError):
            await ground.share()
        ground.clock.at += UNDER_WAY + timedelta(seconds=1)
        assert (await ground.share()).status == "answered"


async def test_while_it_is_being_posted_nobody_takes_it_for_a_question() -> None:
    async with answered() as ground:
        ground.posts.error = UpstreamUnsure()
        with pytest.raises(UpstreamUnsure):
            await ground.share()
        asked = await ground.world.desk.ask(said("How far?"))  # the loop goes past it
        assert asked.status == "answered"
        assert await ground.world.queue.claim("p2", timedelta(hours=1)) is None


async def test_what_the_new_readers_may_not_read_is_not_shared_and_nobody_else_shares_it() -> None:
    async with answered(HIDDEN) as ground:
        for user, refusal in (("u1", "error.share_unreadable"), ("u2", "error.share_not_yours")):
            with pytest.raises(AccessDenied) as caught:
                await ground.share(user)
            assert caught.value.reason == refusal
        assert ground.posts.posted == []
        with pytest.raises(InputError):
            await ground.use.share("gone", "u1", TOWN)
