"""Strips are looked for while a model grades, and only those of passages that survive are used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest

from core.answers import Grade, Plan, Refined, Retrieved
from core.chat import Usage
from core.documents import Passage
from core.ports import WriteRequest
from core.rag.ahead import Ahead
from core.rag.graph import Runs
from core.rag.ledger import Ledger
from tests.rag.stand_ins import Cast, LabelGrader, WholeRefiner


@dataclass
class PaidGrader(LabelGrader):
    """Takes its time, as a model does whose calls are charged."""

    ledger: Ledger = field(default_factory=lambda: Ledger(None))
    paid: bool = True
    done: bool = False

    async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
        if self.paid:
            with self.ledger.call("grade", "small") as attempt:
                attempt.usage = Usage("small")
                await asyncio.sleep(0.08)
        else:
            await asyncio.sleep(0.08)
        self.done = True
        return await super().grade(question, plan, retrieved)


@dataclass
class WatchingRefiner(WholeRefiner):
    """Notes whether the grades were there when it began."""

    grader: PaidGrader = field(default_factory=PaidGrader)
    graded: list[bool] = field(default_factory=list)

    async def refine(self, question: str, plan: Plan, passages: Sequence[Passage]) -> Refined:
        self.graded.append(self.grader.done)
        return await super().refine(question, plan, passages)


async def refined_by(grader: PaidGrader) -> WatchingRefiner:
    """The refiner of a run with this grader."""
    refiner = WatchingRefiner(grader=grader)
    answer = await Runs().run(Cast(grader=grader, refiner=refiner).context(ledger=grader.ledger))
    assert answer.standing == "supported"
    return refiner


async def test_strips_are_looked_for_once_while_a_model_grades() -> None:
    refiner = await refined_by(PaidGrader())
    assert (refiner.graded, refiner.calls) == ([False], [("a", "b")])


async def test_what_the_grades_reject_is_not_in_the_strips() -> None:
    refiner = await refined_by(PaidGrader(labels={"b": "incorrect"}))
    assert (refiner.graded, refiner.calls) == ([False, True], [("a", "b"), ("a",)])


class SlowToLeave:
    """A writer whose connection takes its time to close."""

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        try:
            yield "It takes"
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.1)


async def test_a_run_that_is_cancelled_while_it_drops_its_words_ends() -> None:
    ahead, ended = Ahead(), False
    request = WriteRequest("q", "q", "en", Plan("q", "collections"), (), None, date(2026, 11, 30))

    async def run() -> None:
        nonlocal ended
        ahead.begin_words(SlowToLeave(), request)
        await asyncio.sleep(0.02)
        await ahead.drop_words()
        ended = True

    running = asyncio.create_task(run())
    await asyncio.sleep(0.06)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not ended
    await asyncio.sleep(0.1)


async def test_nothing_is_begun_beside_a_grader_that_works_here() -> None:
    refiner = await refined_by(PaidGrader(paid=False))
    assert (refiner.graded, refiner.calls) == ([True], [("a", "b")])
