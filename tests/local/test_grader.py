"""The local grader judges by meaning, words and dates; its probabilities keep their promises on any input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.evaluator import shipped
from adapters.local.grader import LocalGrader, label_of, measure
from adapters.local.hashing import HashingEmbedder
from adapters.local.looking import Reading
from core.answers import Plan, Retrieved, Scores
from core.documents import TimeSpan
from core.ports import Vectors
from core.rag.timing import covers
from core.retrieval.analysis import BigramAnalyzer
from tests.retrieval.memory import passage

ANALYZER = BigramAnalyzer()
LEAVE = passage(
    "Everybody has 25 days of annual leave a year. Leave is approved by the manager.", document="leave", title="Leave"
)
CHARTS = passage("A chart is a set of files. Helm installs it into a cluster.", document="charts", title="Charts")
PLAN = Plan("q", "collections")
Y2026 = TimeSpan(date(2026, 1, 1), date(2026, 12, 31))


def found(*passages: object, scores: Scores | None = None) -> list[Retrieved]:
    return [Retrieved(one, scores or Scores()) for one in passages]  # type: ignore[arg-type]


def grader() -> LocalGrader:
    return LocalGrader(HashingEmbedder(64), ANALYZER)


class Counting:
    """An embedder that keeps the size of every call."""

    name, dimension = "counting", 64

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []
        self._inner = HashingEmbedder(64)

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self.calls.append((kind, len(texts)))
        return await self._inner.embed(texts, kind)


async def test_the_passage_that_speaks_of_the_question_gets_the_higher_chance() -> None:
    about, other = await grader().grade("How many days of annual leave?", PLAN, found(LEAVE, CHARTS))
    assert about.p is not None
    assert other.p is not None
    assert about.p > other.p
    assert other.label == "incorrect"
    assert other.reason == "off_topic"


async def test_grades_keep_the_order_of_the_passages() -> None:
    question = "How many days of annual leave?"
    forward = await grader().grade(question, PLAN, found(LEAVE, CHARTS))
    backward = await grader().grade(question, PLAN, found(CHARTS, LEAVE))
    assert [round(g.p or 0, 9) for g in forward] == [round(g.p or 0, 9) for g in reversed(backward)]


async def test_nothing_retrieved_means_no_grades_and_no_embedding() -> None:
    embedder = Counting()
    assert await LocalGrader(embedder, ANALYZER).grade("anything?", PLAN, []) == ()
    assert embedder.calls == []


async def test_all_passages_are_embedded_at_one_go() -> None:
    embedder = Counting()
    await LocalGrader(embedder, ANALYZER).grade("annual leave?", PLAN, found(LEAVE, CHARTS))
    assert [kind for kind, _ in embedder.calls] == ["query", "passage", "passage"]  # sentences, then words


async def test_scores_of_the_index_are_used_when_they_are_there() -> None:
    near = Scores(dense=0.7, z_dense=6.0, z_lexical=12.0, coverage=1.0, rank=1, weights={"annual": 6.0, "leav": 5.0})
    far = replace(near, dense=0.1, z_dense=1.0, z_lexical=None)
    [strong] = await grader().grade("annual leave", PLAN, found(LEAVE, scores=near))
    [weak] = await grader().grade("annual leave", PLAN, found(LEAVE, scores=far))
    assert (strong.p or 0) > (weak.p or 0)


async def test_a_page_from_the_web_is_graded_without_scores() -> None:
    [grade] = await grader().grade("annual leave", PLAN, found(replace(LEAVE, origin="web")))
    assert grade.p is not None
    assert 0 < grade.p < 1


@pytest.mark.parametrize(
    ("written", "period", "text", "covered"),
    [
        (None, None, "", True),
        (date(2024, 5, 1), None, "", False),
        (date(2026, 3, 1), None, "", True),
        (date(2027, 2, 1), None, "", False),
        (date(2027, 2, 1), None, "In 2026 it was 4 %.", True),
        (date(2025, 12, 1), None, "The next review is in 2026.", False),
        (None, TimeSpan(date(2025, 7, 1), date(2026, 6, 30)), "", True),
        (date(2026, 1, 5), TimeSpan(date(2025, 1, 1), date(2025, 12, 31)), "", False),
    ],
)
def test_a_passage_covers_the_time_that_its_dates_allow(
    written: date | None, period: TimeSpan | None, text: str, covered: bool
) -> None:
    assert covers(replace(LEAVE, date=written, period=period, text=text or LEAVE.text), Y2026) is covered


def test_a_title_may_name_a_year_to_come() -> None:
    assert covers(replace(LEAVE, title="Prices 2026", date=date(2025, 11, 3)), Y2026)


async def test_a_passage_of_another_time_is_stale_however_well_it_fits() -> None:
    old = replace(LEAVE, date=date(2024, 3, 1))
    [grade] = await grader().grade("How many days of annual leave?", replace(PLAN, period=Y2026), found(old))
    assert (grade.label, grade.reason) == ("incorrect", "stale")
    assert grade.p is not None
    assert grade.p < 0.3


async def test_an_old_document_is_fine_when_no_time_is_asked_about() -> None:
    [grade] = await grader().grade("How many days of annual leave?", PLAN, found(replace(LEAVE, date=date(2019, 1, 1))))
    assert grade.reason != "stale"


@given(st.floats(0, 1))
def test_the_label_is_what_the_probability_means(p: float) -> None:
    assert label_of(p) == ("correct" if p > 0.7 else "incorrect" if p < 0.3 else "ambiguous")


@given(st.text(max_size=300), st.lists(st.text(max_size=400), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
async def test_any_text_gets_a_probability(question: str, texts: list[str]) -> None:
    grades = await grader().grade(question, PLAN, found(*(passage(t, document=str(i)) for i, t in enumerate(texts))))
    assert len(grades) == len(texts)
    assert all(g.p is not None and 0.0 <= g.p <= 1.0 for g in grades)


async def test_every_weight_has_its_feature() -> None:
    columns = await measure("annual leave?", found(LEAVE), Reading(HashingEmbedder(64), ANALYZER))
    for name in ("indexed", "bare"):
        assert set(shipped()[name].names) <= set(columns)
    assert all(np.isfinite(column).all() for column in columns.values())
