"""Grading by a reranker or an NLI model: what its scores become, with a small model of words in their place."""

from __future__ import annotations

import importlib.util
import threading
from datetime import date

import numpy as np
import pytest

from adapters.local.cross_encoder import CrossEncoderGrader, Encoder, Pairs
from core.answers import Plan
from core.documents import TimeSpan
from core.errors import ConfigError
from tests.rag.model.scripts import hits, passage

PLAN = Plan("How many days of leave?", "collections")
LEAVE, OFFICE = passage(1), passage(2, "The office opens at eight.", title="Office", heading_path=())
NLI = ("contradiction", "entailment", "neutral")


def shared_words(pair: tuple[str, str]) -> float:
    one, other = (set(text.lower().replace(".", "").replace("?", "").split()) for text in pair)
    return 3.0 * len(one & other) - 4.0


def reranker(_: str) -> Encoder:
    return Encoder(lambda pairs: np.array([shared_words(pair) for pair in pairs]))


async def test_a_rerankers_scores_become_probabilities_in_order() -> None:
    grades = await CrossEncoderGrader("any/reranker", load=reranker).grade(PLAN.question, PLAN, hits(LEAVE, OFFICE))
    assert [grade.label for grade in grades] == ["correct", "incorrect"]
    assert all(grade.p is not None and 0 < grade.p < 1 for grade in grades)


async def test_an_nli_model_reads_the_passage_first_and_counts_by_entailment() -> None:
    seen: list[tuple[str, str]] = []

    def logits(pairs: Pairs) -> np.ndarray:
        seen.extend(pairs)
        return np.array([[0.0, shared_words(pair), 0.0] for pair in pairs])

    grader = CrossEncoderGrader("any/nli", load=lambda _: Encoder(logits, NLI))
    grades = await grader.grade(PLAN.question, PLAN, hits(LEAVE, OFFICE))
    assert [grade.label for grade in grades] == ["correct", "incorrect"]
    assert seen[0][1] == PLAN.question


async def test_slope_and_offset_are_the_models_own() -> None:
    doubtful = CrossEncoderGrader("any", slope=0.1, load=reranker)
    assert (await doubtful.grade(PLAN.question, PLAN, hits(LEAVE)))[0].label == "ambiguous"


async def test_a_passage_of_the_wrong_time_is_stale() -> None:
    of_2026 = Plan(PLAN.question, "collections", period=TimeSpan(date(2026, 1, 1), date(2026, 12, 31)))
    old = passage(1, date=date(2024, 3, 1))
    grade = (await CrossEncoderGrader("any", load=reranker).grade(PLAN.question, of_2026, hits(old)))[0]
    assert (grade.label, grade.reason) == ("incorrect", "stale")


async def test_the_model_is_loaded_once_when_it_is_first_used_and_beside_the_loop() -> None:
    loaded: list[str] = []

    def load(name: str) -> Encoder:
        loaded.append(name)
        assert threading.current_thread() is not threading.main_thread()
        return reranker(name)

    grader = CrossEncoderGrader("any/reranker", load=load)
    assert await grader.grade(PLAN.question, PLAN, []) == ()
    assert loaded == []
    await grader.grade(PLAN.question, PLAN, hits(LEAVE))
    await grader.grade(PLAN.question, PLAN, hits(OFFICE))
    assert loaded == ["any/reranker"]


@pytest.mark.skipif(importlib.util.find_spec("sentence_transformers") is not None, reason="the extra is installed")
async def test_without_the_extra_the_remedy_is_told() -> None:
    with pytest.raises(ConfigError) as raised:
        await CrossEncoderGrader("any/reranker").grade(PLAN.question, PLAN, hits(LEAVE))
    assert "refdesk[rerankers]" in raised.value.user_message("en")
