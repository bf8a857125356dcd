"""What counts as a question to us when nobody said it was one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asking import asks, calls_somebody, hushes, opens_with_question, pleads

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


@pytest.mark.parametrize("text", ["", " \n", "please help", "Help!", "도와줘", "도와주세요~", "답변 부탁드립니다."])
def test_nothing_and_a_bare_wish_for_help_mean_what_was_said_before(text: str) -> None:
    assert pleads(text)
    assert not pleads(f"{text} with the rollback")


def test_a_thread_asks_something_when_a_line_of_what_it_began_with_does() -> None:
    assert opens_with_question("Backups\nhow often is the database backed up")
    assert opens_with_question("연차는 며칠인가요\n사진을 보세요.")
    assert not opens_with_question("Release\nThe release is out.")
    assert not opens_with_question("")
