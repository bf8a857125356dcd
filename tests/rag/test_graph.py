"""The graph's edges and rules, driven by steps with fixed answers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pytest

from core.answers import Answer, Check, Plan, SentenceCheck
from core.documents import Card, Passage
from core.errors import UpstreamError
from core.policy import PRESETS, Policy
from core.ports import PlanRequest, Vectors
from core.rag.graph import Runs
from core.wording import say
from tests.rag.stand_ins import Cast, FixedChecker, FixedPlanner, LabelGrader, ListedSearcher, ListedWeb, passage

NO = Check((SentenceCheck("It takes 45 minutes.", 0.1),), grounded=False)
USELESS = Check((SentenceCheck("It takes 45 minutes.", 0.9),), useful=False, missing="the cost")
ADAPTIVE = PRESETS["adaptive"]


@pytest.fixture(scope="module")
def graph() -> Runs:
    return Runs()


async def run(graph: Runs, cast: Cast, policy: Policy = ADAPTIVE, **more: Any) -> Answer:
    return await graph.run(cast.context(policy, **more))


def nodes(answer: Answer) -> list[str]:
    return [event.node for event in answer.trace]


async def test_a_correct_passage_is_refined_written_and_checked_once(graph: Runs) -> None:
    answer = await run(graph, Cast())
    assert nodes(answer) == ["plan", "retrieve", "grade", "refine", "generate", "check", "finish"]
    assert answer.standing == "supported"
    assert [each.number for each in answer.citations] == [1]
    assert answer.text == "It takes 45 minutes [1]."


async def test_a_direct_route_writes_without_retrieval(graph: Runs) -> None:
    cast = Cast(planner=FixedPlanner(Plan("hi", "direct", intent="greeting")))
    cast.writer.text = "Hello!"
    answer = await run(graph, cast)
    assert answer.standing == "direct"
    assert cast.searcher.asked == []
    assert cast.checker.calls == 0


async def test_a_clarification_is_one_question_back_and_never_two_in_a_row(graph: Runs) -> None:
    cast = Cast(planner=FixedPlanner(Plan("it", "clarify", clarification="What do you mean by it?")))
    assert (await run(graph, cast)).standing == "clarify"
    again = await run(graph, cast, clarified_before=True)
    assert again.standing == "supported"


async def test_incorrect_passages_are_rewritten_for_the_index_at_most_twice_then_not_found(graph: Runs) -> None:
    cast = Cast(
        searcher=ListedSearcher([[passage("a")], [passage("b")], [passage("c")], [passage("d")]]),
        grader=LabelGrader(default="incorrect"),
    )
    answer = await run(graph, cast)
    assert answer.standing == "not_found"
    assert [aim for _, aim, _ in cast.rewriter.calls] == ["index", "index"]
    assert cast.writer.requests == []
    assert {each.document_id for each in answer.nearest} == {"a.md", "b.md", "c.md"}
    assert "docs" in answer.text


async def test_collections_are_named_by_title_while_searching_and_where_nothing_is_found(graph: Runs) -> None:
    cast = Cast(grader=LabelGrader(default="incorrect"))
    cards = (Card("docs", "", "Team documents"), Card("wiki", "", ""))
    answer = await run(graph, cast, cards=cards)
    assert answer.text.startswith("I couldn't find this in Team documents, wiki.")
    assert set(cast.listener.named) == {"Team documents, wiki"}


async def test_every_rewrite_starts_from_the_standalone_question(graph: Runs) -> None:
    cast = Cast(
        planner=FixedPlanner(Plan("How long does the AKS upgrade take?", "collections")),
        searcher=ListedSearcher([[passage("a")], [passage("b")], [passage("c")]]),
        grader=LabelGrader(default="incorrect"),
    )
    await run(graph, cast)
    assert {question for question, _, _ in cast.rewriter.calls} == {"How long does the AKS upgrade take?"}
    assert cast.searcher.asked[1][1] == ("index rewrite 1", "How long does the AKS upgrade take?")


async def test_a_search_that_brings_nothing_new_ends_the_loop(graph: Runs) -> None:
    cast = Cast(grader=LabelGrader(default="incorrect"))
    answer = await run(graph, cast)
    assert answer.standing == "not_found"
    assert len(cast.rewriter.calls) == 1


async def test_incorrect_goes_to_the_web_where_it_is_allowed_and_web_pages_are_graded(graph: Runs) -> None:
    cast = Cast(
        grader=LabelGrader({"w": "correct"}, default="incorrect"),
        web=ListedWeb([[passage("w", origin="web")]]),
    )
    answer = await run(graph, cast)
    assert [aim for _, aim, _ in cast.rewriter.calls] == ["web"]
    assert cast.grader.calls == [("a", "b"), ("w",)]
    assert [each.origin for each in answer.citations] == ["web"]
    assert answer.searched == ("docs", "wiki", "web")


async def test_ambiguous_refines_its_own_and_appends_the_web_then_writes_once(graph: Runs) -> None:
    cast = Cast(
        grader=LabelGrader({"w": "correct"}, default="ambiguous"),
        web=ListedWeb([[passage("w", origin="web")]]),
    )
    answer = await run(graph, cast)
    assert len(cast.writer.requests) == 1
    assert [each.passage.id for each in cast.writer.requests[0].evidence] == ["a", "b", "w"]
    assert cast.refiner.calls == [("a", "b"), ("w",)]
    assert answer.standing == "supported"


async def test_ambiguous_without_a_web_goes_on_with_what_it_has_and_says_so(graph: Runs) -> None:
    cast = Cast(grader=LabelGrader(default="ambiguous"))
    answer = await run(graph, cast)
    assert answer.standing == "closest"
    assert answer.verdict == "ambiguous"
    assert cast.rewriter.calls == []


async def test_a_run_routed_to_the_web_never_goes_to_the_index(graph: Runs) -> None:
    cast = Cast(
        planner=FixedPlanner(Plan("Who won?", "web")),
        grader=LabelGrader({"w2": "correct"}, default="incorrect"),
        web=ListedWeb([[passage("w1", origin="web")], [passage("w2", origin="web")]]),
    )
    answer = await run(graph, cast)
    assert cast.searcher.asked == []
    assert len(cast.web.queries) == 2 if cast.web else False
    assert [each.passage_id for each in answer.citations] == ["w2"]


async def test_web_without_permission_becomes_all_collections(graph: Runs) -> None:
    cast = Cast(planner=FixedPlanner(Plan("Who won?", "web")))
    await run(graph, cast)
    assert cast.searcher.asked[0][0] == {"docs", "wiki"}


async def test_a_collection_that_does_not_exist_is_repaired(graph: Runs) -> None:
    cast = Cast(planner=FixedPlanner(Plan("q", "collections", collections=("docs", "secret"))))
    await run(graph, cast)
    assert cast.searcher.asked[0][0] == {"docs"}


async def test_the_users_own_wording_is_searched_beside_the_standalone_question(graph: Runs) -> None:
    cast = Cast(planner=FixedPlanner(Plan("How long does the AKS upgrade take?", "collections")))
    await run(graph, cast, asked="how long?")
    assert cast.searcher.asked[0][1] == ("How long does the AKS upgrade take?", "how long?")


async def test_sub_questions_are_searched_side_by_side(graph: Runs) -> None:
    made = Plan("AKS and GKE?", "collections", steps="multi", sub_questions=("AKS?", "GKE?"))
    cast = Cast(planner=FixedPlanner(made))
    await run(graph, cast)
    assert [queries[0] for _, queries in cast.searcher.asked] == ["AKS and GKE?", "AKS?", "GKE?"]


async def test_an_ungrounded_answer_is_written_again_and_told_what_failed_within_the_cap(graph: Runs) -> None:
    cast = Cast(checker=FixedChecker([NO]))
    answer = await run(graph, cast)
    assert len(cast.writer.requests) == 3
    assert cast.writer.requests[1].unsupported == ("It takes 45 minutes.",)
    assert answer.standing == "partial"
    assert answer.notes


async def test_a_useless_answer_searches_for_what_is_missing(graph: Runs) -> None:
    cast = Cast(
        searcher=ListedSearcher([[passage("a")], [passage("b")]]),
        checker=FixedChecker([USELESS, Check((SentenceCheck("x", 0.9),))]),
    )
    answer = await run(graph, cast)
    assert cast.rewriter.calls[0][1:] == ("index", "the cost")
    assert len(cast.writer.requests) == 2
    assert answer.standing == "supported"


async def test_failed_steps_leave_less_but_never_end_a_run(graph: Runs) -> None:
    cast = Cast(
        planner=FixedPlanner(fails=True),
        grader=LabelGrader(fails=True),
        checker=FixedChecker(fails=True),
        web=ListedWeb([[]], fails=True),
    )
    answer = await run(graph, cast)
    assert answer.text == "It takes 45 minutes [1]."
    assert answer.standing == "closest"
    assert any("web" in note for note in answer.notes)


async def test_the_deadline_gives_an_honest_no_with_the_nearest_documents(graph: Runs) -> None:
    cast = Cast()
    cast.writer.delay = 5.0
    answer = await run(graph, cast, seconds=0.3)
    assert answer.standing == "not_found"
    assert answer.nearest
    assert answer.notes


async def test_the_deadline_during_retrieval_still_gives_an_answer(graph: Runs) -> None:
    cast = Cast()
    cast.searcher.delay = 5.0
    answer = await run(graph, cast, seconds=0.2)
    assert answer.standing == "not_found"
    assert answer.text


async def test_a_stale_report_is_named_with_its_date_and_not_presented_as_that_years(graph: Runs) -> None:
    from datetime import date

    from core.documents import TimeSpan

    old = passage("a", date=date(2025, 10, 14))
    made = Plan("What broke in 2027?", "collections", period=TimeSpan(date(2027, 1, 1), date(2027, 12, 31)))
    cast = Cast(
        planner=FixedPlanner(made),
        searcher=ListedSearcher([[old]]),
        grader=LabelGrader(default="incorrect", reasons={"a": "stale"}),
    )
    answer = await run(graph, cast)
    assert answer.standing == "not_found"
    assert "2027" in answer.text
    assert "2025-10-14" in answer.text


async def test_the_chain_preset_neither_grades_nor_checks(graph: Runs) -> None:
    cast = Cast()
    answer = await run(graph, cast, PRESETS["chain"])
    assert cast.grader.calls == []
    assert cast.checker.calls == 0
    assert answer.standing == "unchecked"


async def test_drafts_show_the_whole_text_so_far(graph: Runs) -> None:
    cast = Cast()
    await run(graph, cast)
    drafts = cast.listener.drafts
    assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(drafts))


async def test_any_web_correction_is_eager_and_all_is_not(graph: Runs) -> None:
    def cast() -> Cast:
        return Cast(grader=LabelGrader({"a": "correct"}, default="incorrect"), web=ListedWeb([[]]))

    eager, calm = cast(), cast()
    await run(graph, eager, PRESETS["crag-any"])
    await run(graph, calm, replace(PRESETS["crag-any"], trigger="all"))
    assert eager.web is not None
    assert len(eager.web.queries) == 1
    assert calm.web is not None
    assert calm.web.queries == []


class PlansInTurn(FixedPlanner):
    """One plan after the other."""

    def __init__(self, plans: list[Plan]) -> None:
        super().__init__()
        self.plans = plans

    async def plan(self, request: PlanRequest) -> Plan:
        self.requests.append(request)
        return self.plans[len(self.requests) - 1]


class NothingSupports:
    """An attributor for which no passage supports anything."""

    async def support(self, sentences: Sequence[str], passages: Sequence[Passage]) -> Vectors:
        return np.zeros((len(sentences), len(passages)), np.float32)


@dataclass
class PlansOnce(FixedPlanner):
    """Fails when it is asked again."""

    async def plan(self, request: PlanRequest) -> Plan:
        if self.requests:
            raise UpstreamError
        return await super().plan(request)


async def test_a_router_that_fails_sends_no_run_to_a_web_whose_searches_are_spent(graph: Runs) -> None:
    web = ListedWeb([[passage(f"w{number}", origin="web")] for number in range(4)])
    cast = Cast(planner=PlansOnce(Plan("q", "web")), web=web, checker=FixedChecker([USELESS, Check()]))
    await run(graph, cast, replace(ADAPTIVE, reroute="again", max_web_searches=1))
    assert len(web.queries) == 1
    assert len(cast.searcher.asked) == 1


async def test_an_answer_whose_footnotes_were_all_wrong_says_so_and_is_not_supported(graph: Runs) -> None:
    cast = Cast()
    context = cast.context()
    answer = await graph.run(replace(context, steps=replace(context.steps, attributor=NothingSupports())))
    assert (answer.text, answer.citations, answer.standing) == ("It takes 45 minutes.", (), "partial")
    assert answer.notes == (say("note.unfounded", "en"),)


@pytest.mark.parametrize(
    ("reroute", "searched"), [("keep", ["web rewrite 1", "web rewrite 2"]), ("again", ["web rewrite 1"])]
)
async def test_a_rewritten_question_goes_back_to_its_source_or_is_routed_again(
    graph: Runs, reroute: Literal["keep", "again"], searched: list[str]
) -> None:
    """Kept by default: the published graph forgets its route and goes on in the index without a word."""
    web = ListedWeb([[passage("w0", origin="web")], [passage("w1", origin="web")]])
    planner = PlansInTurn([Plan("q", "web"), Plan("r", "collections", ("docs",))])
    cast = Cast(planner=planner, web=web, checker=FixedChecker([USELESS, Check()]))
    answer = await run(graph, cast, replace(ADAPTIVE, reroute=reroute))
    assert web.queries == searched
    assert answer.plan is not None
    assert (answer.plan.question, answer.plan.route) == ("q", "web" if reroute == "keep" else "collections")
    assert [names for names, _ in cast.searcher.asked] == ([] if reroute == "keep" else [frozenset({"docs"})])
