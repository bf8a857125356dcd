"""A run that was interrupted goes on where it was, pays for nothing twice, and forgets what may not be read."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass, field, is_dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from adapters.checkpoints import sqlite_checkpoints
from adapters.memory.shelf import MemoryShelf
from core.answers import Grade, Plan, TraceEvent
from core.documents import Generation, Scope, TimeSpan
from core.ports import WriteRequest
from core.rag.graph import Runs
from core.rag.state import STORED, RunState
from tests.rag.stand_ins import Cast, FixedPlanner, FixedWriter, passage


@dataclass
class StuckWriter(FixedWriter):
    """Begins to write and never ends."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        self.requests.append(request)
        yield "It takes"
        self.begun.set()
        await asyncio.Event().wait()


@pytest.fixture
async def runs(tmp_path: Path) -> AsyncIterator[Runs]:
    async with sqlite_checkpoints(tmp_path / "runs.sqlite") as saver:
        yield Runs(saver)


def held(cast: Cast, shelf: MemoryShelf, **more: Any) -> Any:
    context = cast.context(**more)
    return replace(context, steps=replace(context.steps, passages=shelf))


async def interrupted(runs: Runs, shelf: MemoryShelf, cast: Cast) -> None:
    writer = StuckWriter()
    cast.writer = writer
    running = asyncio.ensure_future(runs.run(held(cast, shelf)))
    await asyncio.wait_for(writer.begun.wait(), 10)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_run_goes_on_at_the_node_where_it_was(runs: Runs) -> None:
    shelf, first = (
        MemoryShelf(),
        Cast(
            planner=FixedPlanner(
                Plan("How long?", "collections", period=TimeSpan(date(2026, 1, 1), date(2026, 12, 31)))
            )
        ),
    )
    await interrupted(runs, shelf, first)
    second = Cast()
    answer = await runs.run(held(second, shelf))
    assert answer.text == "It takes 45 minutes [1]."
    assert first.planner.made is not None
    assert answer.plan == replace(first.planner.made, collections=("docs", "wiki"))
    assert (len(second.planner.requests), len(second.searcher.asked), len(second.grader.calls)) == (0, 0, 0)
    assert [event.node for event in answer.trace][:4] == ["plan", "retrieve", "grade", "refine"]


async def test_a_run_whose_end_was_not_recorded_is_not_run_again(runs: Runs) -> None:
    shelf, first, second = MemoryShelf(), Cast(), Cast()
    answer = await runs.run(held(first, shelf))
    again = await runs.run(held(second, shelf))
    assert replace(again, trace=answer.trace) == answer
    assert again.trace[: len(answer.trace)] == answer.trace
    assert not second.planner.requests


async def test_a_forgotten_run_begins_anew(runs: Runs) -> None:
    shelf, second = MemoryShelf(), Cast()
    await runs.run(held(Cast(), shelf))
    await runs.forget("t/1")
    await runs.run(held(second, shelf))
    assert len(second.planner.requests) == 1


@pytest.mark.parametrize("why", ["access was taken away", "the document changed", "the shelf is lost"])
async def test_what_may_not_be_used_any_more_is_not_used(runs: Runs, why: str) -> None:
    shelf, second = MemoryShelf(), Cast()
    await interrupted(runs, shelf, Cast())
    now = datetime(2026, 11, 30, tzinfo=UTC)
    other = {
        "access was taken away": Scope((Generation("wiki", 1, "e", {"a.md": "h"}, "c1", now),)),
        "the document changed": Scope((Generation("docs", 2, "e", {"a.md": "new", "b.md": "h"}, "c1", now),)),
        "the shelf is lost": held(second, shelf).scope,
    }[why]
    second.searcher.lists = [[passage("c")]]
    answer = await runs.run(held(second, MemoryShelf() if "lost" in why else shelf, scope=other))
    assert {citation.document_id for citation in answer.citations} == {"c.md"}
    assert len(second.planner.requests) == 1


async def test_a_run_without_a_saver_keeps_nothing(tmp_path: Path) -> None:
    runs = Runs()
    await runs.run(Cast().context())
    assert await runs.spent("t/1") is None
    await runs.forget("t/1")


async def test_a_run_that_another_version_wrote_down_begins_anew(tmp_path: Path) -> None:
    path, second = tmp_path / "runs.sqlite", Cast()
    async with sqlite_checkpoints(path) as saver:
        await interrupted(Runs(saver), MemoryShelf(), Cast())
    with closing(sqlite3.connect(path)) as connection, connection:
        (blob,) = connection.execute("SELECT checkpoint FROM checkpoints").fetchone()
        assert b"sub_questions" in blob  # another field of the same length, which nobody has
        renamed = blob.replace(b"sub_questions", b"sub_things_of")
        connection.execute("UPDATE checkpoints SET checkpoint = ?", (renamed,))
    async with sqlite_checkpoints(path) as saver:
        runs = Runs(saver)
        assert await runs.spent("t/1") is None
        answer = await runs.run(held(second, MemoryShelf()))
    assert (answer.text, len(second.planner.requests)) == ("It takes 45 minutes [1].", 1)


async def test_a_stored_state_is_read_back_as_what_it_was(tmp_path: Path) -> None:
    """The saver's own format makes lists of tuples, and a set of collections can't be made of lists of lists."""
    days = TimeSpan(date(2026, 1, 1), date(2026, 1, 2))
    plan = Plan("어떻게?", "collections", ("docs",), steps="multi", sub_questions=("a", "b"), period=days)
    value = {
        "plan": plan,
        "grades": {"a": Grade(None, "correct")},
        "trace": [TraceEvent("plan", 1.5, {"x": [1, ("y",)]})],
        "models": {"value": {"calls": 1}},
    }
    async with sqlite_checkpoints(tmp_path / "runs.sqlite") as saver:
        assert saver.serde.loads_typed(saver.serde.dumps_typed(value)) == value


def test_every_type_of_our_own_in_a_state_is_named() -> None:
    """A type that is forgotten in STORED would come back as something else, in the rare case of a resumed run."""
    named = set(STORED)
    seen: set[type] = set()
    todo = list(get_type_hints(RunState).values())
    while todo:
        hint = todo.pop()
        todo += get_args(hint)
        if isinstance(hint, type) and is_dataclass(hint) and hint not in seen:
            seen.add(hint)
            todo += get_type_hints(hint).values()
    assert seen == named
