"""A question about two things becomes one question for each, and a question about one stays whole."""

from __future__ import annotations

import pytest

from adapters.local.comparing import sub_questions


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("R2D2랑 C3PO 점검 각각 얼마나 걸려?", ("R2D2 점검 얼마나 걸려?", "C3PO 점검 얼마나 걸려?")),
        ("2021년이랑 2022년 매출 비교해줘", ("2021년 매출", "2022년 매출")),
        ("does it print A4 and A5?", ("does it print A4?", "does it print A5?")),
        ("badge for visitors: who prints it and when must they return it?",
         ("badge for visitors: who prints it", "badge for visitors: when must they return it?")),
        ("노트북은 몇 대 주고, 고장나면 어디에 알려?", ("노트북은 몇 대 주고", "노트북은 고장나면 어디에 알려?")),
    ],
)  # fmt: skip
def test_two_things_become_two_questions(question: str, parts: tuple[str, ...]) -> None:
    assert sub_questions(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "How do I lock and unlock a door?",
        "terms and conditions of the lease?",
        "휴가와 병가는 누구에게 신청해?",
        "What is R&D?",
        "",
    ],
)
def test_a_question_about_one_thing_stays_whole(question: str) -> None:
    assert sub_questions(question) == ()
