"""Access that changes: at once, in the middle of a run, before an answer is posted, and for a run that is taken up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from adapters.checkpoints import sqlite_checkpoints
from adapters.sql.settings import SqlSettings
from core.answers import Answer, Plan, Retrieved
from core.channels import HIDDEN, SHOWN, Setting
from core.documents import Scope
from core.errors import AccessDenied, UpstreamError
from core.messages import Audience, Turn
from core.ports import Planner, PlanRequest, Writer, WriteRequest
from core.rag.context import Searcher, Steps
from core.rag.graph import Runs
from tests.access.house import NOW, House, Plot, built, page, question
from tests.access.readers import AUDIENCES, COLLECTIONS, EVERYONE, HERE, NOBODY

OPEN = next(word for word, (kind, _) in COLLECTIONS.items() if kind == EVERYONE)
OTHER = next(word for word, (kind, outside) in COLLECTIONS.items() if kind == EVERYONE and outside)
CLOSED = next(word for word, (kind, _) in COLLECTIONS.items() if kind == NOBODY)
WORDS = (OPEN, OTHER, CLOSED)
IN_CHANNEL: Audience = AUDIENCES["public channel"][0]


Work = Callable[[], Awaitable[None]]


class Undecided:
    """A router that is sure of nothing."""

    async def plan(self, request: PlanRequest) -> Plan:
        return Plan(request.question, "collections")


@dataclass
class Meanwhile:
    """What happens in the middle of a run, when its passages are found and before a word is written."""

    work: Work | None = None
    planner: Planner | None = None
    scopes: list[Scope] = field(default_factory=list)

    def between(self, steps: Steps) -> Steps:
        """The steps, watched and interrupted."""
        return replace(
            steps,
            planner=self.planner or steps.planner,
            searcher=Watched(steps.searcher, self.scopes),
            writer=Interrupted(steps.writer, self),
        )

    async def happen(self) -> None:
        """Once."""
        work, self.work = self.work, None
        if work is not None:
            await work()


@dataclass
class Watched:
    """A searcher that keeps where it was asked to look."""

    inner: Searcher
    scopes: list[Scope]

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> Sequence[Retrieved]:
        self.scopes.append(scope)
        return await self.inner.retrieve(scope, queries, k)


@dataclass
class Interrupted:
    """A writer that begins when what happens meanwhile has happened."""

    inner: Writer
    meanwhile: Meanwhile

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        await self.meanwhile.happen()
        async for chunk in self.inner.write(request):
            yield chunk


@asynccontextmanager
async def home(folder: Path, runs: Runs | None = None) -> AsyncIterator[tuple[House, Meanwhile]]:
    """A small house in which something may happen in mid-run."""
    meanwhile = Meanwhile()
    async with built(folder, Plot(WORDS, meanwhile.between, runs=runs)) as house:
        yield house, meanwhile


def refused(house: House, turn: Turn) -> AccessDenied:
    """The one end of the reply: a sentence that names nothing."""
    (outcome,) = house.replies.by_turn[turn.id].outcomes
    assert isinstance(outcome, AccessDenied)
    assert (turn.status, turn.answer, turn.error_id) == ("failed", None, outcome.id)
    assert not any(word in outcome.user_message(language) for word in WORDS for language in ("en", "ko"))
    return outcome


async def test_what_an_admin_says_holds_for_the_next_question_in_every_process(tmp_path: Path) -> None:
    async with home(tmp_path) as (house, _):
        elsewhere = SqlSettings(house.database)
        for value, seen in ((SHOWN, True), (HIDDEN, False), (SHOWN, True), ("", False)):
            said = (value,) if value else ()
            await elsewhere.put(Setting(HERE, "visibility", said, "slack/T1/U0", NOW, f"{CLOSED}-files"))
            turn = await house.ask(question(CLOSED), IN_CHANNEL, value)
            assert turn.answer is not None
            assert (CLOSED in turn.answer.text) == seen
            assert (CLOSED in house.told(turn)) == seen


async def test_what_is_hidden_in_mid_run_is_not_posted_and_the_reader_is_told_so(tmp_path: Path) -> None:
    async with home(tmp_path) as (house, meanwhile):
        meanwhile.work = lambda: house.say(OPEN, HIDDEN)
        turn = await house.ask(question(OPEN), IN_CHANNEL)
        assert "ask again" in refused(house, turn).user_message("en")
        again = await house.ask(question(OPEN), IN_CHANNEL)
        assert again.status == "answered"
        assert OPEN not in house.told(again)


async def test_a_document_that_is_removed_in_mid_run_is_not_cited_any_more(tmp_path: Path) -> None:
    async with home(tmp_path) as (house, meanwhile):

        async def removed() -> None:
            target = house.targets[OPEN]
            target.source.files.pop(f"{OPEN}.md")  # type: ignore[attr-defined]
            target.source.write("new.md", "New\nSomething else.")  # type: ignore[attr-defined]
            await house.syncer.sync(target)

        meanwhile.work = removed
        refused(house, await house.ask(question(OPEN), IN_CHANNEL))


async def test_a_document_that_is_changed_in_mid_run_is_cited_as_it_was(tmp_path: Path) -> None:
    async with home(tmp_path) as (house, meanwhile):

        async def changed() -> None:
            target = house.targets[OPEN]
            target.source.write(f"{OPEN}.md", page(OPEN) + " Twice.")  # type: ignore[attr-defined]
            await house.syncer.sync(target)

        meanwhile.work = changed
        turn = await house.ask(question(OPEN), IN_CHANNEL)
        assert turn.answer is not None
        assert OPEN in turn.answer.text


async def test_a_run_that_is_taken_up_begins_anew_without_what_was_hidden_since(tmp_path: Path) -> None:
    async with sqlite_checkpoints(tmp_path / "runs.db") as saver, home(tmp_path, Runs(saver)) as (house, meanwhile):
        begun = asyncio.Event()

        async def stuck() -> None:
            begun.set()
            await asyncio.Event().wait()

        meanwhile.work = stuck
        asking = asyncio.ensure_future(house.ask(question(OPEN), IN_CHANNEL))
        await asyncio.wait_for(begun.wait(), 20)
        assert any(f"{OPEN}-files" in scope.collections for scope in meanwhile.scopes)
        await house.desk.__aexit__(None, None, None)  # the process ends in the middle, and gives the turn back
        meanwhile.scopes.clear()
        await house.say(OPEN, HIDDEN)
        await house.desk.__aenter__()
        turn = await asyncio.wait_for(asking, 20)
        assert isinstance(turn.answer, Answer)
        assert OPEN not in repr(turn)
        assert set(turn.answer.card_versions) == {f"{OTHER}-files"}
        assert not any(f"{OPEN}-files" in scope.collections for scope in meanwhile.scopes)


async def test_the_channels_own_collections_are_searched_first_and_the_others_when_they_do_not_answer(
    tmp_path: Path,
) -> None:
    async with home(tmp_path) as (house, meanwhile):
        chosen = Setting(HERE, "defaults", (f"{OTHER}-files", f"{CLOSED}-files"), "slack/T1/U0", NOW)
        await house.settings.put(chosen)
        meanwhile.planner = Undecided()
        turn = await house.ask(question(OPEN), IN_CHANNEL)
        assert turn.answer is not None
        first, *later = [set(scope.collections) for scope in meanwhile.scopes]
        assert first == {f"{OTHER}-files"}  # the other one is not readable here
        assert {f"{OPEN}-files", f"{OTHER}-files"} in later
        assert OPEN in turn.answer.text
        assert CLOSED not in house.told(turn)
        meanwhile.scopes.clear()
        await house.ask(question(OPEN), AUDIENCES["private channel"][0])
        assert f"{OPEN}-files" in meanwhile.scopes[0].collections


async def test_a_hint_from_chat_wins_at_the_next_sync_and_taken_back_the_configuration_holds(tmp_path: Path) -> None:
    async with home(tmp_path) as (house, _):

        async def hint() -> str:
            await house.syncer.sync(house.targets[OPEN])
            cards = await house.catalog.cards(await house.access.readable(IN_CHANNEL))
            return next(card.hint for card in cards if card.collection == f"{OPEN}-files")

        configured = await hint()
        assert OPEN in configured
        said = Setting(HERE, "hint", ("Rules for parking.",), "slack/T1/U0", NOW, f"{OPEN}-files")
        await house.settings.put(said)
        assert await hint() == "Rules for parking."
        await house.settings.put(Setting(HERE, "hint", (), "slack/T1/U0", NOW, f"{OPEN}-files"))
        assert await hint() == configured


@pytest.mark.parametrize("error", [UpstreamError(detail=f"{CLOSED}-files is down"), ValueError(f"{CLOSED}-files")])
async def test_an_error_names_nothing_of_what_failed(tmp_path: Path, error: Exception) -> None:
    async with home(tmp_path) as (house, meanwhile):

        async def broken() -> None:
            raise error

        meanwhile.work = broken
        turn = await house.ask(question(OPEN), IN_CHANNEL)
        assert turn.status == "failed"
        assert CLOSED not in house.told(turn)
