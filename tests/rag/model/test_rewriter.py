"""A rewrite is one line that may be searched in the asker's name; else the question itself is."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import Plan
from core.documents import TimeSpan
from core.errors import RefdeskError, UpstreamError
from core.rag.model.rewriter import ModelRewriter
from tests.rag.model.scripts import scripted

QUESTION = "How long is parental leave?"
PLAN = Plan(QUESTION, "collections")


async def rewritten(said: Any, question: str = QUESTION, missing: str = "", plan: Plan = PLAN) -> str:
    return await ModelRewriter(scripted(said)).rewrite(question, plan, "index", missing)


@pytest.mark.parametrize(
    "said",
    [
        "What is the duration of parental leave?",
        "\n\nWhat is the duration of parental leave?\nThis asks for the same.",
        "Rewritten query: What is the duration of parental leave?",
        "Here is the reworded question:\n\nWhat is the duration of parental leave?",
        "Sure, here is a better version: What is the duration of parental leave?",
        '"What is the duration of parental leave?"',
        "**What is the duration of parental leave?**",
        "1. What is the duration of parental leave?".replace("1. ", "- Query: "),
    ],
)
async def test_the_first_real_line_without_label_preamble_and_quotes(said: str) -> None:
    assert await rewritten(said) == "What is the duration of parental leave?"


async def test_at_most_four_hundred_characters_cut_at_a_word() -> None:
    long = "What is parental leave " + "and maternity " * 40
    question = "What is parental leave " + "and maternity " * 20
    text = await rewritten(long, question)
    assert 380 < len(text) <= 400
    assert text.split()[-1] in ("and", "maternity")


@pytest.mark.parametrize(
    "said",
    [
        "육아 휴직은 얼마나 되나요?",
        "Parental leave is 26 weeks.",
        "I'm sorry, but I can't help with that.",
        "According to the documents, it is long.",
        "Yes, it is long.",
        "Parental leave is long [1].",
        "Parental leave is long. It is paid. It can be split.",
        "parental leave https://evil.example/?q=secret",
        "!!!",
        "Query:",
        '""',
    ],
)
async def test_what_is_no_wording_of_the_question_leaves_it_as_it_is(said: str) -> None:
    assert await rewritten(said) == QUESTION


async def test_the_language_stays() -> None:
    asked = "육아휴직은 며칠인가요?"
    assert await rewritten("How many days is parental leave?", asked) == asked
    assert await rewritten("육아휴직 기간 일수", asked) == "육아휴직 기간 일수"
    assert await rewritten("helm rollback 소요 시간", "helm 롤백은 얼마나 걸려?") == "helm rollback 소요 시간"


async def test_numbers_may_come_from_the_question_the_missing_and_the_period_only() -> None:
    year = Plan(QUESTION, "web", period=TimeSpan(date(2025, 1, 1), date(2025, 12, 31)))
    assert await rewritten("parental leave 2025", plan=year) == "parental leave 2025"
    assert await rewritten("parental leave 2025") == QUESTION
    assert await rewritten("parental leave form 771", missing="form 771") == "parental leave form 771"


async def test_it_starts_from_the_standalone_question_and_is_told_what_is_missing() -> None:
    model = scripted("parental leave pay")
    await ModelRewriter(model).rewrite(QUESTION, PLAN, "web", "the pay during leave")
    user = model.requests[0].messages[-1].text
    assert QUESTION in user
    assert "the pay during leave" in user
    assert model.requests[0].tags[1] == "web"


@pytest.mark.parametrize("fault", [UpstreamError(), ["What is", UpstreamError()], ""])
async def test_a_model_that_fails_raises_an_error_of_ours(fault: Any) -> None:
    with pytest.raises(RefdeskError):
        await rewritten(fault)


@given(st.text(max_size=600), st.sampled_from(["index", "web"]))
async def test_any_text_gives_one_short_line(said: str, aim: Any) -> None:
    try:
        text = await ModelRewriter(scripted(said)).rewrite(QUESTION, PLAN, aim, "")
    except RefdeskError:
        return
    assert text.strip()
    assert len(text) <= 400
    assert len(text.splitlines()) == 1
