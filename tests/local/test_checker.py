"""What the local support check believes, and what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapters.local.checker import LocalChecker
from adapters.local.hashing import HashingEmbedder
from adapters.local.quantities import numbers
from core.documents import Passage
from core.retrieval.analysis import BigramAnalyzer
from core.wording import say

CHECKER = LocalChecker(HashingEmbedder(256), BigramAnalyzer())
RULES = "Every crew of the Borea rests for 11 hours after a voyage.\n\n| Ship | Crew |\n| --- | --- |\n| Aurora | 12 |"
FEES = "The harbour fee is 40 euros a night. Fees are paid in the harbour office."
KOREAN = "보레아의 선원은 항해 뒤에 11시간을 쉽니다. 갑판에서는 담배를 피울 수 없습니다."


def passages(*texts: str) -> list[Passage]:
    def language(text: str) -> str:
        return "ko" if "가" <= text[0] <= "힣" else "en"

    return [
        Passage(f"d:{n}", "d", f"{n}.md", "h", "Rules", (), text, n, language(text)) for n, text in enumerate(texts)
    ]


async def support(answer: str, *texts: str) -> list[float]:
    result = await CHECKER.check("How long does the crew rest?", answer, passages(*texts))
    return [each.p for each in result.sentences]


@pytest.mark.parametrize(
    "answer",
    [
        "Every crew of the Borea rests for 11 hours after a voyage. [1]",
        "- Ship: Aurora; Crew: 12 [1]",
        "… the Borea rests for 11 hours after a voyage… [1]",
        "Every crew of the **Borea** rests for 11 hours after a voyage [1].",
    ],
)
async def test_words_that_stand_in_the_passage_are_supported(answer: str) -> None:
    assert min(await support(answer, RULES)) > 0.95


@pytest.mark.parametrize(
    "answer",
    [
        "Every crew of the Borea rests for 9 hours after a voyage. [1]",
        "Every crew of the Borea rests for 110 hours after a voyage. [1]",
        "Every crew of the Borea never rests for 11 hours after a voyage. [1]",
        "The captain dances with a polar bear in Vienna. [1]",
    ],
)
async def test_another_number_a_negation_or_something_else_is_not(answer: str) -> None:
    assert max(await support(answer, RULES)) < 0.5


async def test_the_same_in_other_words_is_supported() -> None:
    assert min(await support("After a voyage every crew of the Borea has 11 hours to rest. [1]", RULES)) > 0.5


async def test_numbers_written_as_words_are_the_same_numbers() -> None:
    assert min(await support("Every crew of the Borea rests for eleven hours after a voyage [1].", RULES)) > 0.5


async def test_korean_is_checked_the_same_way() -> None:
    good, number, negation = await support(
        "보레아의 선원은 항해 뒤에 11시간을 쉽니다. [1] 보레아의 선원은 항해 뒤에 9시간을 쉽니다. [1]"
        " 갑판에서는 담배를 피울 수 있습니다. [1]",
        KOREAN,
    )
    assert good > 0.95
    assert number < 0.5
    assert negation < 0.5


async def test_a_sentence_is_checked_against_what_it_cites_and_nothing_else() -> None:
    right, wrong = await support(
        "The harbour fee is 40 euros a night. [2] The harbour fee is 40 euros a night [1].", RULES, FEES
    )
    assert right > 0.95
    assert wrong < 0.5


async def test_a_marker_that_names_no_passage_supports_nothing() -> None:
    assert max(await support("The harbour fee is 40 euros a night. [7]", RULES, FEES)) < 0.5


async def test_our_own_sentences_claim_nothing() -> None:
    frame = say("answer.no_document_of", "en", period="2028", title="Rules", date="2025-10-14")
    assert len(await support(f"{frame}\n\nThe harbour fee is 40 euros a night. [1]", FEES)) == 1


async def test_one_unsupported_sentence_makes_the_answer_ungrounded() -> None:
    answer = "The harbour fee is 40 euros a night. [1] The fee doubles to 90 euros in May. [1]"
    result = await CHECKER.check("How much is the harbour fee?", answer, passages(FEES))
    assert not result.grounded
    assert result.unsupported == ("The fee doubles to 90 euros in May.",)


async def test_an_answer_that_holds_what_was_asked_for_is_useful() -> None:
    result = await CHECKER.check(
        "How much is the harbour fee?", "The harbour fee is 40 euros a night. [1]", passages(FEES)
    )
    assert result.useful
    assert result.missing == ""


async def test_an_answer_about_something_else_is_not_useful_and_says_what_is_missing() -> None:
    answer = "Fees are paid in the harbour office. [1]"
    result = await CHECKER.check("How long is the anchor chain of the Aurora?", answer, passages(FEES))
    assert not result.useful
    assert {"anchor", "chain", "Aurora"} <= set(result.missing.split())


async def test_an_empty_answer_is_not_useful() -> None:
    result = await CHECKER.check("How much is the fee?", "", passages(FEES))
    assert not result.useful
    assert result.sentences == ()


async def test_support_is_told_for_each_sentence_and_each_passage() -> None:
    table = await CHECKER.support(
        ["The harbour fee is 40 euros a night.", "Every crew of the Borea rests for 11 hours after a voyage."],
        passages(RULES, FEES),
    )
    assert table.shape == (2, 2)
    assert table[0, 1] > 0.95
    assert table[0, 0] < 0.5
    assert table[1, 0] > 0.95
    assert table[1, 1] < 0.5


@pytest.mark.parametrize(("sentences", "texts"), [([], [FEES]), (["A fee."], []), (["A fee."], [""]), (["…"], [FEES])])
async def test_support_of_nothing_or_by_nothing_is_no_error(sentences: list[str], texts: list[str]) -> None:
    held = [replace(passages(FEES)[0], text=text) for text in texts]
    table = await CHECKER.support(sentences, held)
    assert table.shape == (len(sentences), len(texts))
    assert ((table >= 0) & (table <= 1)).all()


async def test_check_and_support_agree_on_a_sentence_with_one_footnote() -> None:
    sentence = "A night in the harbour costs 40 euros."
    result = await CHECKER.check("How much is it?", f"{sentence} [1]", passages(FEES))
    table = await CHECKER.support([sentence], passages(FEES))
    assert result.sentences[0].p == pytest.approx(float(table[0, 0]))


async def test_a_sentence_may_take_its_facts_from_two_passages() -> None:
    sentence = "Every crew of the Borea rests for 11 hours, and the harbour fee is 40 euros a night."
    both = await support(f"{sentence} [1][2]", RULES, FEES)
    alone = await support(f"{sentence} [1]", RULES, FEES)
    assert both[0] > alone[0]


async def test_more_passages_than_are_remembered_are_weighed_all_the_same() -> None:
    many = [f"Ship number {n} carries {n} boats." for n in range(1, 90)]
    table = await LocalChecker(HashingEmbedder(64), BigramAnalyzer()).support([many[70]], passages(*many))
    assert table.shape == (1, 89)
    assert int(table[0].argmax()) == 70


@pytest.mark.parametrize(
    "gap",
    [
        "The documents don't say how the fee is paid.",
        "Which harbour do you mean?",
        "**Fees**",
        "Here is what I found:",
        "Hello!",
        "문서에는 결제 방법이 나와 있지 않습니다.",
    ],
)
async def test_what_claims_nothing_is_not_unsupported(gap: str) -> None:
    result = await CHECKER.check(
        "How much is the fee?", f"{gap}\n\nThe harbour fee is 40 euros a night. [1]", passages(FEES)
    )
    assert result.grounded
    assert len(result.sentences) == 1


async def test_an_answer_that_only_says_what_is_missing_is_grounded_and_not_useful() -> None:
    result = await CHECKER.check("How much is the fee?", "The documents don't mention a fee. [1]", passages(FEES))
    assert result.grounded
    assert not result.useful


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("The deposit is 20,000 won.", "A deposit of 2만 원 is due: the deposit is 2만 won."),
        ("The trip is on October 14.", "The trip is on 14 October."),
        ("It costs 3 million dollars.", "It costs 3,000,000 dollars."),
    ],
)
async def test_one_number_in_two_forms_is_one_number(said: str, stands: str) -> None:
    assert set(numbers(said)) <= set(numbers(stands))


async def test_an_opposite_is_no_support() -> None:
    held = "The harbour fee will increase in May for every ship that stays at night."
    same, turned = await support(
        "The harbour fee will rise in May for every ship that stays at night. [1]"
        " The harbour fee will decrease in May for every ship that stays at night. [1]",
        held,
    )
    assert turned < same
