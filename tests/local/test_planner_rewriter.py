"""The local rewriter: another wording for another place, nothing added."""

from __future__ import annotations

from datetime import date
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.local.cues import content_words
from adapters.local.rewriter import LIMIT, LocalRewriter
from core.answers import Plan
from core.documents import TimeSpan

AIMS = st.sampled_from(["index", "web"])


async def rewrite(question: str, aim: Literal["index", "web"], missing: str = "", plan: Plan | None = None) -> str:
    return await LocalRewriter().rewrite(question, plan or Plan(question, "collections"), aim, missing)


async def test_for_the_index_the_sentence_stays_without_filler() -> None:
    asked = "Could you please tell me how the dome motor is replaced?"
    assert await rewrite(asked, "index") == "how the dome motor is replaced?"
    assert await rewrite("돔 모터는 어떻게 교체하는지 알려 주세요", "index") == "돔 모터는 어떻게 교체하는지"


async def test_for_the_web_there_are_keywords_names_and_dates() -> None:
    words = (await rewrite("What went wrong with the Helm 3.14 upgrade in March 2024?", "web")).split()
    assert words[:3] == ["went", "wrong", "Helm"] or "Helm" in words
    assert {"3.14", "2024", "March"} <= set(words)
    assert not {"What", "with", "the", "?"} & set(words)


async def test_an_implied_year_is_written_out_for_the_web() -> None:
    plan = Plan("q", "web", period=TimeSpan(date(2025, 1, 1), date(2025, 12, 31)))
    assert "2025" in await rewrite("작년 업그레이드 문제", "web", plan=plan)


async def test_what_was_missing_is_searched_for() -> None:
    assert "duration" in await rewrite("How was the motor replaced?", "index", "the duration of the work")
    assert "duration" in await rewrite("How was the motor replaced?", "web", "the duration of the work")


async def test_a_second_search_is_not_the_first_again() -> None:
    assert await rewrite("How was the dome motor replaced?", "index") != "How was the dome motor replaced?"


@pytest.mark.parametrize("question", ["?", "", "그건?", "what is it"])
async def test_a_question_without_content_stays_itself(question: str) -> None:
    assert await rewrite(question, "web") == " ".join(question.split())


@given(st.text(max_size=2000), AIMS, st.text(max_size=300))
async def test_a_rewrite_is_short_one_line_and_invents_nothing(
    question: str, aim: Literal["index", "web"], missing: str
) -> None:
    made = await rewrite(question, aim, missing)
    assert len(made) <= LIMIT
    assert "\n" not in made
    said = f"{question} {missing}"
    assert all(word in said or word in " ".join(said.split()) for word in content_words(made)[:-1])


async def test_a_long_question_is_cut_at_a_word() -> None:
    made = await rewrite("telescope mirror " * 60, "index")
    assert len(made) <= LIMIT
    assert made.split()[-1] in ("telescope", "mirror")
