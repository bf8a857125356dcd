"""What in an answer is a claim, and what is courtesy, structure or an honest gap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.asserting import asserts


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "Hi there,",
        "Good question!",
        "Happy to help.",
        "I hope this helps!",
        "Let me know if you need anything else.",
        "안녕하세요!",
        "감사합니다.",
        "더 궁금한 점이 있으면 말씀해 주세요.",
    ],
)
def test_courtesies_claim_nothing(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which cluster do you mean?",
        "Do you mean the AKS or the GKE upgrade?",
        "어느 클러스터를 말씀하시나요?",
        "Did you mean “leave”？",
    ],
)
def test_questions_back_claim_nothing(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize(
    "text",
    ["# Travel", "**Deadlines**", "**Next steps:**", "Here is what I found:", "요약:", "Next Steps", "Steps to take:"],
)
def test_headings_and_labels_claim_nothing(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize(
    "text",
    [
        "The documents don't say how long it takes.",
        "The documents do not explicitly mention a deadline.",
        "The provided passages do not contain that number.",
        "None of the passages mentions the price.",
        "The handbook says nothing about pets.",
        "The exact date is not stated in the documents.",
        "The price is not specified.",
        "There is no information about parking in the documents.",
        "I couldn't find anything about that.",
        "I don't know the exact date.",
        "문서에는 정확한 비용이 나와 있지 않습니다.",
        "제공된 자료에서 담당자 정보를 찾을 수 없습니다.",
        "주차에 대한 내용은 없습니다.",
        "정확한 날짜는 알 수 없습니다.",
        "환불 기한은 언급되어 있지 않습니다.",
    ],
)
def test_what_the_documents_do_not_say_is_no_claim(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize(
    "text",
    [
        "The crew rests for 11 hours.",
        "Hotel: up to 120 euros",
        "Seoul",
        "Employees do not have access to the vault.",
        "Dental treatment is not covered.",
        "They do not include weekends.",
        "No documents are needed in Seoul.",
        "The service does not answer requests after 6 pm.",
        "Passwords are never given out by phone.",
        "Hi-fi systems stand on floor 2.",
        "Thanksgiving is a holiday.",
        "이 문서에는 서명이 필요하지 않습니다.",
        "휴가는 이월되지 않습니다.",
        "관리자도 비밀번호를 볼 수 없습니다.",
        "No, it takes three days.",
        "네, 3일 걸립니다.",
        "| Aurora | 12 |",
        "```sh\nkubectl drain\n```",
        "rollback",
        "The documents don't mention hotels, but flights are paid up to 500 euros.",
        "호텔에 대한 내용은 문서에 나와 있지 않지만 항공료는 지급됩니다.",
    ],
)
def test_everything_else_is_a_claim(text: str) -> None:
    assert asserts(text)


@given(st.text(max_size=300))
def test_any_text_is_judged(text: str) -> None:
    assert asserts(text) in (True, False)


def test_a_long_hostile_text_is_judged_at_once() -> None:
    asserts("documents " * 3000 + "do not " * 3000)
    asserts("정보 " * 5000)
    asserts("no information " * 3000)
