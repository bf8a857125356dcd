"""Languages of questions and documents."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.language import question_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("연차는 며칠인가요?", "ko"),
        ("helm upgrade --install 실패", "ko"),
        ("AKS 업그레이드 때 뭐가 문제였지?", "ko"),
        ("What does 연차 mean?", "en"),
        ("How long is the leave?", "en"),
        ("LF-4012", "en"),
        ("504", "und"),
        ("", "und"),
        (unicodedata.normalize("NFD", "연차"), "ko"),
    ],
)
def test_a_questions_language(question: str, language: str) -> None:
    assert question_language(question) == language


@given(st.text(max_size=100))
def test_any_question_has_a_language_that_documents_may_have(text: str) -> None:
    assert question_language(text) in {"ko", "en", "und"}
