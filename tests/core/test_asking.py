"""What counts as a question to us when nobody said it was one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import asks, calls_somebody, hushes

QUESTIONS = [
    "how long does that take?",
    "and for GKE",
    "what about weekends",
    "ok, so where is the runbook",
    "Thanks! Does it need approval",
    "tell me more about the second step",
    "any idea when it ended",
    "그건 얼마나 걸렸어?",
    "그럼 GKE는 어때요",
    "누가 승인하나요",
    "두 번째 단계 좀 자세히 알려줘",
    "반차도 되나요~",
    "왜 실패했는지 궁금해요",
    "담당자가 누구",
    "언제까지 해야 합니까",
    "자료 보여주세요.",
]
STATEMENTS = [
    "thanks, that helped a lot",
    "I'll try it tomorrow.",
    "It took us two hours last time.",
    "done",
    "lol",
    "좋네요 감사합니다",
    "제가 해볼게요",
    "어제 배포했어요.",
    "그러니까요 ㅋㅋ",
    "확인했습니다",
    "회의 때 얘기하면 되겠죠",
]


@pytest.mark.parametrize("text", QUESTIONS)
def test_questions_and_requests_ask_something(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_and_thanks_do_not(text: str) -> None:
    assert not asks(text)


@pytest.mark.parametrize("text", ["Thanks, how long does it take?", "So, can we skip it?", "그 사람 이름이 뭐예요?"])
def test_a_word_before_a_comma_is_not_always_a_name(text: str) -> None:
    assert not calls_somebody(text)


@given(st.text(max_size=300))
def test_no_text_breaks_the_rules(text: str) -> None:
    for rule in (asks, calls_somebody, hushes):
        assert rule(text) in (True, False)
