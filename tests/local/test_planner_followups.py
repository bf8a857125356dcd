"""Follow-ups by rule: what leans on the thread, and the standalone question made from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.local import cues
from adapters.local.comparing import sub_questions
from adapters.local.followups import Thread, leaning, listed, noun_phrase, thread_of, understand
from adapters.local.slots import in_its_slot
from core.messages import Exchange


def unknown(word: str) -> bool:
    return False


def known(word: str) -> bool:
    return True


def told(message: str, before: str, answer: str = "") -> str:
    thread = Thread(before, answer)
    return understand(message, thread, leaning(message, thread, 0.5, unknown)).question


DOME = "What caused the dome fault in May 2025?"
PLANS = "How many requests per minute do the Basic, Silver and Gold plans allow?"


@pytest.mark.parametrize(
    "message",
    [
        "What is the limit per night for a hotel in Paris?",
        "How is it possible to renew a loan of three rare books online?",
        "Does the manual say that visitors may enter the control room?",
        "남은 휴일은 며칠까지 다음 해로 넘길 수 있어?",
        "연구실 컴퓨터는 몇 년마다 교체해 줘?",
    ],
)
def test_a_complete_question_is_not_rewritten(message: str) -> None:
    thread = Thread(DOME)
    understood = understand(message, thread, leaning(message, thread, 0.5, unknown))
    assert (understood.question, understood.reason, understood.dependent) == (message, "complete", False)


def test_without_a_thread_nothing_is_rewritten() -> None:
    understood = understand("late fees", Thread(), leaning("late fees", Thread(), 0.0, unknown))
    assert (understood.question, understood.wordings) == ("late fees", ())


@pytest.mark.parametrize(
    ("message", "before", "expected"),
    [
        ("How long did it last?", DOME, "How long did the dome fault in May 2025 last?"),
        ("What about Bronze and Iron?", PLANS, "How many requests per minute do the Bronze and Iron plans allow?"),
        ("Which one is cheapest?", PLANS, "Which one of Basic, Silver and Gold is cheapest?"),
        ("Which of them is newest?", PLANS, "Which of Basic, Silver and Gold is newest?"),
        ("그럼 GKE는 어땠어?", "AKS 업그레이드에서 뭐가 문제였어?", "GKE 업그레이드에서 뭐가 문제였어?"),
        ("GKE는?", "AKS 업그레이드에서 뭐가 문제였어?", "GKE 업그레이드에서 뭐가 문제였어?"),
    ],
)
def test_referents_are_written_out(message: str, before: str, expected: str) -> None:
    assert told(message, before) == expected


@pytest.mark.parametrize(
    ("message", "before", "expected"),
    [
        ("그럼 병가는?", "연차 휴가는 며칠인가요?", "병가는 며칠인가요?"),
        ("병가는요?", "2024년 연차는 며칠이에요?", "2024년 병가는 며칠이에요?"),
        ("2025년은?", "2024년 연차는 며칠이에요?", "2025년 연차는 며칠이에요?"),
        (
            "그러면 당직은 어떻게 되나요?",
            "회사에서 쓸 수 있는 휴가는 며칠인가요?",
            "회사에서 쓸 수 있는 당직은 며칠인가요?",
        ),
        ("3.12는?", "Python 3.11은 언제까지 지원되나요?", "Python 3.12은 언제까지 지원되나요?"),
        ("and sick leave?", "How many days of annual leave are there?", "How many days of sick leave are there?"),
        ("What about the office expenses?", "When are travel expenses due?", "When are office expenses due?"),
    ],
)
def test_what_is_parallel_takes_the_place_of_what_was_asked_about(message: str, before: str, expected: str) -> None:
    assert told(message, before) == expected


@pytest.mark.parametrize("message", ["기한은?", "그럼 예외는?", "담당자는요?"])
def test_what_is_asked_of_the_thing_itself_does_not_take_its_place(message: str) -> None:
    question = told(message, "출장비는 어떻게 청구하나요?")
    assert "출장비" in question
    assert message in question


@given(st.text("병가휴연차그럼 는은?요", max_size=12), st.text("연차휴가는 며칠인요?있", max_size=20))
def test_a_slot_is_filled_by_words_of_both_alone(message: str, before: str) -> None:
    filled = in_its_slot(message, before)
    assert set(filled) <= set(message + before + "은는와 ")


@pytest.mark.parametrize(
    ("message", "carries"),
    [
        ("그건 얼마나 걸렸어?", "AKS 업그레이드"),
        ("얼마나 걸렸어?", "AKS 업그레이드"),
        ("왜?", "AKS 업그레이드"),
        ("담당자는 누구야?", "AKS 업그레이드"),
    ],
)
def test_korean_follow_ups_carry_the_topic(message: str, carries: str) -> None:
    question = told(message, "AKS 업그레이드에서 뭐가 문제였어?")
    assert carries in question
    assert message in question


def test_a_new_predicate_keeps_its_own_question() -> None:
    question = told("그럼 GKE는 얼마나 걸렸어?", "AKS 업그레이드에서 뭐가 문제였어?")
    assert "얼마나 걸렸어" in question
    assert "업그레이드" in question
    assert "AKS" not in question


def test_which_one_chooses_among_the_things_the_answer_listed() -> None:
    thread = Thread("Which regions are there?", "There are:\n- **Seoul**: near\n- **Paris**: far\n- **Oslo**: cold")
    assert listed(thread) == ["Seoul", "Paris", "Oslo"]
    assert understand("Which one is the coldest?", thread, "choice").question.startswith(
        "Which one of Seoul, Paris and Oslo"
    )


def test_the_users_own_wording_is_always_searched_too() -> None:
    thread = Thread(DOME)
    for message in ("How long did it last?", "why?", "and in 2024?", "Which one?"):
        understood = understand(message, thread, leaning(message, thread, 0.5, unknown))
        assert message in understood.wordings


def test_a_short_question_on_a_named_other_subject_opens_a_new_one() -> None:
    assert leaning("late fees", Thread(DOME), 0.02, known) == ""
    assert leaning("late fees", Thread(DOME), 0.02, unknown) == "short"
    assert leaning("late fees", Thread(DOME), 0.15, known) == ""
    assert leaning("fees?", Thread(DOME), 0.15, known) == "short"
    assert leaning("late fees", Thread(DOME), 0.4, known) == "short"


def test_courtesies_in_between_are_not_the_topic() -> None:
    history = [Exchange(DOME, DOME, "…"), Exchange("thanks!", "thanks!", "You're welcome.", "direct")]
    assert thread_of(history, ()).question == DOME


def test_the_standalone_question_is_leant_on_not_the_elliptical_one() -> None:
    history = [Exchange("and in June?", "What caused the dome fault in June?", "…")]
    assert thread_of(history, ()).question == "What caused the dome fault in June?"


def test_a_pronoun_with_nothing_to_point_at_is_open() -> None:
    for message in ("How long does it take?", "그건 얼마나 걸려?", "Which one?"):
        assert understand(message, Thread(), leaning(message, Thread(), 0.0, unknown)).open
    assert not understand("How do I share it with a partner?", Thread(), "pronoun").open


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        (DOME, "the dome fault in May 2025"),
        ("How do I renew a loan?", "a loan"),
        ("what is the opening time of the reading room", "the opening time of the reading room"),
    ],
)
def test_the_noun_phrase_of_a_question(question: str, phrase: str) -> None:
    assert noun_phrase(question) == phrase


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("How does it work?", True),
        ("Is that allowed?", True),
        ("Is it possible to renew a loan?", False),
        ("How long does it take to clean the mirror?", False),
        ("I heard that visitors pay", False),
        ("What are these for?", True),
        ("그거 어디서 신청해?", True),
        ("그래프는 어디서 봐?", False),
        ("이월은 며칠까지야?", False),
    ],
)
def test_pronouns_are_told_from_words_that_only_look_like_them(text: str, leans: bool) -> None:
    assert cues.points_back(text) is leans


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What is the difference between Basic and Gold?", ("Basic", "Gold")),
        ("AKS와 GKE 업그레이드 비교해 줘", ("AKS 업그레이드", "GKE 업그레이드")),
        ("기본 요금제와 고급 요금제의 차이가 뭐야?", ("기본 요금제", "고급 요금제")),
        ("AKS vs GKE", ("AKS", "GKE")),
        ("Compare the 2024 report with the 2025 report", ("2024 report", "2025 report")),
        ("Does the price differ?", ()),
        ("비교 견적은 누가 받아?", ()),
    ],
)
def test_a_comparison_becomes_one_question_for_each_side(question: str, parts: tuple[str, ...]) -> None:
    assert sub_questions(question) == parts


@given(st.text(max_size=120), st.text(max_size=120), st.text(max_size=120))
def test_nothing_is_invented(message: str, before: str, answer: str) -> None:
    thread = Thread(before, answer)
    understood = understand(message, thread, leaning(message, thread, 0.3, unknown))
    given_words = set(cues.content_words(f"{message}\n{before}\n{answer}".lower()))
    said = f"{message} {before} {answer}".lower()
    for word in cues.content_words(understood.question.lower()):
        assert word in given_words or word in said
