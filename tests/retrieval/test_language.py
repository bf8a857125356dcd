"""Languages of questions and documents."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.language import language_of, question_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("연차는 며칠인가요?", "ko"),
        ("helm upgrade --install 실패", "ko"),
        ("AKS 업그레이드 때 뭐가 문제였지?", "ko"),
        ("What does 연차 mean?", "en"),
        ("How long is the leave?", "en"),
        ("LF-4012", "en"),
        ("", "en"),
        (unicodedata.normalize("NFD", "연차"), "ko"),
    ],
)
def test_a_questions_language(question: str, language: str) -> None:
    assert question_language(question) == language


def test_code_does_not_make_a_korean_page_english() -> None:
    assert language_of("설치 방법은 다음과 같습니다.\n```\n" + "helm install release chart\n" * 50 + "```") == "ko"


def test_a_korean_name_does_not_make_an_english_page_korean() -> None:
    assert language_of("The Seoul office (서울) is open on weekdays from nine to six, by badge only.") == "en"


@given(st.text(max_size=100))
def test_any_text_has_a_language(text: str) -> None:
    assert language_of(text) in {"ko", "en", "ja", "zh", "ru"}
