"""Steps that fail, break or come too late: the run keeps what it has, and says how far it got."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.answers import Answer, Check, Grade, Plan, Refined, Retrieved, Scores, SentenceCheck
from core.documents import Passage, Scope
from core.errors import UpstreamError
from core.policy import PRESETS, Policy
from core.ports import WriteRequest
from core.rag import nodes
from core.rag.deadline import Deadline
from core.rag.drafting import LONGEST
from core.rag.graph import Runs
from core.rag.state import RunState
from core.wording import say
from tests.rag.stand_ins import (
    Cast,
    FixedChecker,
    FixedPlanner,
    FixedWriter,
    LabelGrader,
    ListedSearcher,
    ListedWeb,
    NumberedRewriter,
    WholeRefiner,
    passage,
)

USELESS = Check((SentenceCheck("It takes 45 minutes.", 0.9),), useful=False, missing="the cost")
ADAPTIVE = PRESETS["adaptive"]


@pytest.fixture(scope="module")
def graph() -> Runs:
    return Runs()


async def run(graph: Runs, cast: Cast, policy: Policy = ADAPTIVE, **more: Any) -> Answer:
    return await graph.run(cast.context(policy, **more))


@dataclass
class SlowingWriter(FixedWriter):
    """Writes its chunks at once, and the last one of its `slow`th text never."""

    slow: int = 1

    async def write(self, request: WriteRequest) -> AsyncIterator[str]:
        self.requests.append(request)
        if len(self.requests) < self.slow:
            yield self.text
            return
        yield "It takes 45 minutes [1]. Then"
        yield " comes the next step [2"
        await asyncio.sleep(30)


async def test_the_words_written_before_the_deadline_are_the_answer_marked_as_partial(graph: Runs) -> None:
    answer = await run(graph, Cast(writer=SlowingWriter()), seconds=0.5)
    assert answer.text == "It takes 45 minutes [1]. Then comes the next step …"
    assert answer.standing == "partial"
    assert answer.notes
    assert [each.passage_id for each in answer.citations] == ["a"]


async def test_a_run_that_is_stopped_keeps_what_is_written_with_its_footnotes_and_says_why(graph: Runs) -> None:
    deadline = Deadline(asyncio.get_running_loop().time() + 30)
    asyncio.get_running_loop().call_later(0.3, deadline.stop)
    began = asyncio.get_running_loop().time()
    answer = await run(graph, Cast(writer=SlowingWriter()), deadline=deadline)
    assert asyncio.get_running_loop().time() - began < 5
    assert answer.text == "It takes 45 minutes [1]. Then comes the next step …"
    assert answer.standing == "partial"
    assert answer.notes == (say("note.stopped_by_you", "en"),)
    assert [each.passage_id for each in answer.citations] == ["a"]


async def test_a_run_that_is_stopped_before_anything_was_found_ends_honestly(graph: Runs) -> None:
    deadline = Deadline(asyncio.get_running_loop().time() + 30)
    asyncio.get_running_loop().call_later(0.1, deadline.stop)
    answer = await run(graph, Cast(searcher=ListedSearcher([[passage("a")]], delay=20)), deadline=deadline)
    assert answer.standing == "not_found"
    assert say("note.stopped_by_you", "en") in answer.notes


async def test_a_run_that_was_stopped_begins_no_further_step(graph: Runs) -> None:
    deadline, cast = Deadline(asyncio.get_running_loop().time() + 30), Cast(writer=SlowingWriter())
    deadline.stop()
    deadline.stop()  # twice is once
    answer = await run(graph, cast, deadline=deadline)
    assert answer.standing == "not_found"
    assert cast.writer.requests == []


async def test_a_whole_answer_is_not_given_up_for_one_that_the_deadline_cut(graph: Runs) -> None:
    cast = Cast(
        searcher=ListedSearcher([[passage("a")], [passage("b")]]),
        writer=SlowingWriter(slow=2),
        checker=FixedChecker([USELESS]),
    )
    answer = await run(graph, cast, seconds=0.5)
    assert answer.text == "It takes 45 minutes [1]."
    assert answer.standing == "partial"


class _Bug:
    """Any step, broken."""

    async def plan(self, *_: object) -> Runs:
        raise ValueError

    grade = refine = rewrite = check = search = plan


@pytest.mark.parametrize("step", ["planner", "grader", "refiner", "rewriter", "checker", "web"])
async def test_a_bug_in_one_judging_step_does_not_cost_the_answer(graph: Runs, step: str) -> None:
    cast = Cast(
        grader=LabelGrader({"w": "correct"}, default="ambiguous"), web=ListedWeb([[passage("w", origin="web")]])
    )
    broken: Any = _Bug()
    setattr(cast, step, broken)
    answer = await run(graph, cast)
    assert answer.text == "It takes 45 minutes [1]."
    assert any(event.detail.get("error_id") for event in answer.trace)


async def test_a_time_limit_of_a_step_itself_is_a_failure_and_not_the_end_of_the_run(graph: Runs) -> None:
    class Late(LabelGrader):
        async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
            raise TimeoutError

    answer = await run(graph, Cast(grader=Late()))
    assert answer.standing == "closest"


async def test_branches_that_are_late_at_the_same_time_still_end_in_an_answer(graph: Runs) -> None:
    class LateRefiner(WholeRefiner):
        async def refine(self, question: str, plan: Plan, passages: Sequence[Passage]) -> Refined:
            await asyncio.sleep(30)
            raise AssertionError

    class LateRewriter(NumberedRewriter):
        async def rewrite(self, question: str, plan: Plan, aim: str, missing: str) -> str:
            await asyncio.sleep(30)
            raise AssertionError

    cast = Cast(
        grader=LabelGrader(default="ambiguous"), refiner=LateRefiner(), rewriter=LateRewriter(), web=ListedWeb([[]])
    )
    answer = await run(graph, cast, seconds=0.3)
    assert answer.text
    assert answer.notes


class PartlyFailing(ListedSearcher):
    """Fails for one wording."""

    async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> list[Retrieved]:
        if tuple(queries) == ("b?",):
            raise UpstreamError
        return await super().retrieve(scope, queries, k)


async def test_one_search_of_several_that_fails_leaves_what_the_others_found(graph: Runs) -> None:
    searcher = PartlyFailing([[passage("a")]], delay=0.01)
    plan = Plan("q", "collections", steps="multi", sub_questions=("a?", "b?"))
    answer = await run(graph, Cast(planner=FixedPlanner(plan), searcher=searcher))
    assert [citation.document_id for citation in answer.citations] == ["a.md"]
    assert next(event for event in answer.trace if event.node == "retrieve").detail["searches_failed"] == 1


async def test_a_run_whose_every_search_fails_ends_in_that_error(graph: Runs) -> None:
    class Down(ListedSearcher):
        async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> list[Retrieved]:
            raise UpstreamError

    with pytest.raises(UpstreamError):
        await run(graph, Cast(searcher=Down([[]])))


async def test_a_second_search_that_fails_leaves_the_first_answer(graph: Runs) -> None:
    class Once(ListedSearcher):
        async def retrieve(self, scope: Scope, queries: Sequence[str], k: int) -> list[Retrieved]:
            if self.asked:
                raise UpstreamError
            return await super().retrieve(scope, queries, k)

    answer = await run(graph, Cast(searcher=Once([[passage("a")]]), checker=FixedChecker([USELESS])))
    assert answer.text == "It takes 45 minutes [1]."
    assert answer.standing == "partial"


async def test_markers_count_what_the_draft_was_written_from_whatever_was_found_since() -> None:
    ctx = Cast().context(replace(ADAPTIVE, k=1))
    await ctx.steps.passages.put(ctx.run, [Retrieved(passage(id), Scores()) for id in "abcd"])
    state: RunState = {
        "plan": Plan("q", "collections"),
        "found": ("a", "b", "c", "d"),
        "grades": {id: Grade(p, "correct") for id, p in zip("abcd", (0.71, 0.75, 0.9, 0.95), strict=True)},
        "evidence": ("b", "a"),
        "draft": "It takes 45 minutes [2].",
    }
    answer = (await nodes.finish(state, ctx)).update["answer"]
    assert [each.passage_id for each in answer.citations] == ["a"]


async def test_two_weak_parts_do_not_make_a_supported_answer(graph: Runs) -> None:
    cast = Cast(
        grader=LabelGrader({"w": "correct"}, default="ambiguous"),
        refiner=WholeRefiner(weak=True),
        web=ListedWeb([[passage("w", origin="web")]]),
    )
    assert (await run(graph, cast)).standing == "closest"


async def test_a_draft_of_nothing_but_an_unknown_link_is_an_honest_no(graph: Runs) -> None:
    answer = await run(graph, Cast(writer=FixedWriter("https://evil.example/x")))
    assert answer.standing == "not_found"
    assert answer.text


async def test_a_judge_that_hangs_takes_a_share_of_the_time_and_no_answer(graph: Runs) -> None:
    """Grading once took the whole deadline, and a passage that was there ended as "not found"."""

    class Hanging(LabelGrader):
        async def grade(self, question: str, plan: Plan, retrieved: Sequence[Retrieved]) -> Sequence[Grade]:
            await asyncio.Event().wait()
            raise AssertionError

    policy = replace(ADAPTIVE, deadline=1.0)
    cast = Cast(grader=Hanging())
    answer = await run(graph, cast, policy, deadline=Deadline(asyncio.get_running_loop().time() + 1.0))
    assert (answer.text, answer.standing) == ("It takes 45 minutes [1].", "closest")
    assert next(event for event in answer.trace if event.node == "grade").detail["failed"] == "error.timeout"


async def test_a_writer_that_never_ends_is_ended_and_its_words_are_kept(graph: Runs) -> None:
    cast = Cast(writer=FixedWriter("It takes 45 minutes [1]. " * 2000))
    answer = await run(graph, cast)
    assert answer.standing == "partial"
    assert 0 < len(answer.text) <= LONGEST
    assert [citation.number for citation in answer.citations] == [1]


async def test_what_moves_a_cursor_or_turns_the_writing_never_leaves_a_model(graph: Runs) -> None:
    cast = Cast(writer=FixedWriter("It takes \x1b[31m45\x07 minutes\u202e [1]."))
    answer = await run(graph, cast)
    shown = "".join([answer.text, *cast.listener.drafts])
    assert not any(sign in shown for sign in "\x1b\x07\u202e")
    assert answer.text == "It takes [31m45 minutes [1]."
