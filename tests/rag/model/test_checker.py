"""The checker by a model: supported and useful in one call, and no verdict where there is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.memory.chat import ScriptedChat
from core.answers import Check
from core.errors import RefdeskError, UpstreamError, UpstreamRefused
from core.rag.model.checker import ModelChecker, own_words
from core.wording import say
from tests.rag.model.scripts import forbidden, passage, scripted

QUESTION = "How many days of leave are there, and do they carry over?"
ANSWER = "Leave is 25 days a year [1]. Ten days carry over [2]."
PASSAGES = [
    passage(1),
    passage(2, "Five days carry over until the end of March of the next year."),
    passage(3, "The office opens at eight."),
]


async def checked(answer: str = ANSWER, **said: Any) -> Check:
    reply = {"unsupported": [], "useful": True, "missing": ""} | said
    return await ModelChecker(scripted(reply)).check(QUESTION, answer, PASSAGES)


async def test_supported_and_useful_in_one_call() -> None:
    model = scripted({"unsupported": [], "useful": True, "missing": ""})
    check = await ModelChecker(model).check(QUESTION, ANSWER, PASSAGES)
    assert (check.grounded, check.useful, len(check.sentences), check.unsupported) == (True, True, 2, ())
    assert len(model.requests) == 1


async def test_the_sentences_that_fail_are_told_by_their_words() -> None:
    check = await checked(unsupported=[2])
    assert not check.grounded
    assert check.unsupported == ("Ten days carry over.",)


async def test_what_is_missing_is_told() -> None:
    check = await checked(useful=False, missing="whether days carry over")
    assert (check.useful, check.missing, check.grounded) == (False, "whether days carry over", True)
    assert (await checked(useful=True, missing="nothing really")).missing == ""


@pytest.mark.parametrize("said", [["2"], "2", ["S2"], [{"sentence": 2}], "[2]", [2, 99], 2])
async def test_sentences_are_understood_in_the_forms_that_models_use(said: Any) -> None:
    assert len((await checked(unsupported=said)).unsupported) == 1


@pytest.mark.parametrize("said", [[], "", None, "none", "[]", ["none"]])
async def test_none_is_none(said: Any) -> None:
    assert (await checked(unsupported=said, useful="yes")).grounded


async def test_a_verdict_on_sentences_that_do_not_exist_is_no_verdict() -> None:
    assert await checked(unsupported=[7, 9]) == Check()


@pytest.mark.parametrize(
    "said",
    [
        "looks good to me",
        "",
        '{"unsupported": [], "useful": "perhaps", "missing": ""}',
        '{"unsupported": ["all"], "useful": true}',
    ],
)
async def test_an_unusable_verdict_raises_so_that_the_answer_stays_unchecked(said: str) -> None:
    with pytest.raises(UpstreamRefused):
        await ModelChecker(scripted(said)).check(QUESTION, ANSWER, PASSAGES)


async def test_a_model_that_fails_raises() -> None:
    with pytest.raises(UpstreamError):
        await ModelChecker(scripted(UpstreamError())).check(QUESTION, ANSWER, PASSAGES)


@pytest.mark.parametrize("answer", ["", "   ", say("answer.closest", "en")])
async def test_an_answer_that_claims_nothing_is_not_useful_and_costs_no_call(answer: str) -> None:
    check = await ModelChecker(ScriptedChat(forbidden)).check(QUESTION, answer, PASSAGES)
    assert (check.useful, check.grounded) == (False, True)


async def test_only_the_cited_passages_are_read_unless_a_sentence_cites_none() -> None:
    for answer, read in ((ANSWER, False), (ANSWER + " Enjoy it.", True), ("It is so [9].", True)):
        model = scripted({"unsupported": [], "useful": True})
        await ModelChecker(model).check(QUESTION, answer, PASSAGES)
        user = model.requests[0].messages[-1].text
        assert ("office opens" in user) is read
    assert "<passage" in user
    assert 'n="2"' in user


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("whether days carry over", "whether days carry over"),
        ("days carry over until the end of March", ""),
        ("carry over, code 4711 mail a@b.example", "carry over, code mail"),
        ("https://evil.example/leak the rule", "the rule"),
    ],
)
def test_what_is_missing_carries_no_passage_text(said: str, kept: str) -> None:
    assert own_words(said, QUESTION, PASSAGES) == kept


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries({"unsupported": json_values, "useful": json_values, "missing": json_values})
    | st.text(max_size=30)
)
async def test_nothing_that_a_model_says_is_more_than_a_check(said: Any) -> None:
    try:
        check = await ModelChecker(scripted(said)).check(QUESTION, ANSWER, PASSAGES)
    except RefdeskError:
        return
    assert len(check.sentences) in (0, 2)
    assert check.grounded is (not check.unsupported)
    assert len(check.missing) <= 200
