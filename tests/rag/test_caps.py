"""For every combination of verdicts a run ends within its caps, with words that state its standing."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answers import Answer, Check, Label, Plan, Route, SentenceCheck
from core.policy import PRESETS
from core.rag.graph import Runs
from tests.rag.stand_ins import Cast, FixedChecker, FixedPlanner, LabelGrader, ListedSearcher, ListedWeb, passage

LABELS: st.SearchStrategy[Label] = st.sampled_from(["correct", "ambiguous", "incorrect"])
CHECKS = st.builds(
    lambda grounded, useful: Check((SentenceCheck("s", 0.9 if grounded else 0.1),), grounded, useful, "more"),
    st.booleans(),
    st.booleans(),
)
ROUTES: st.SearchStrategy[Route] = st.sampled_from(["collections", "web", "direct", "clarify"])


@pytest.fixture(scope="module")
def graph() -> Runs:
    return Runs()


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_every_combination_of_verdicts_ends_within_the_caps_with_words(graph: Runs, data: st.DataObject) -> None:
    policy = PRESETS[data.draw(st.sampled_from(sorted(PRESETS)))]
    ids = [f"p{n}" for n in range(6)]
    cast = Cast(
        planner=FixedPlanner(Plan("q", data.draw(ROUTES), clarification="which one?"), fails=data.draw(st.booleans())),
        searcher=ListedSearcher([[passage(id) for id in ids[n : n + 2]] for n in range(data.draw(st.integers(1, 6)))]),
        grader=LabelGrader({id: data.draw(LABELS) for id in [*ids, "w0", "w1"]}, fails=data.draw(st.booleans())),
        checker=FixedChecker(data.draw(st.lists(CHECKS, min_size=1, max_size=4)), fails=data.draw(st.booleans())),
        web=data.draw(
            st.sampled_from(
                [None, ListedWeb([[passage("w0", origin="web")], [passage("w1", origin="web")]]), ListedWeb([[]])]
            )
        ),
    )
    cast.refiner.weak = data.draw(st.booleans())
    if cast.web is not None:
        cast.web = ListedWeb(cast.web.lists, fails=data.draw(st.booleans()))

    async def go() -> Answer:
        return await graph.run(cast.context(policy))

    answer = asyncio.run(go())
    assert answer.text.strip()
    assert answer.standing
    assert len(cast.writer.requests) <= 1 + policy.max_loops
    assert len(cast.searcher.asked) <= 1 + policy.max_rewrites
    assert cast.web is None or len(cast.web.queries) <= policy.max_web_searches
    known = {each.passage.id for request in cast.writer.requests for each in request.evidence}
    assert {each.passage_id for each in answer.citations} <= known
