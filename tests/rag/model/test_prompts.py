"""What each prompt says to whom, in which message, and how large it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.answers import Grade, Plan, Strip
from core.catalog.prompt import router_prompt
from core.chat import Request
from core.claims import Claim
from core.documents import TimeSpan
from core.ports import Evidence
from core.rag.prompts.checking import CHECK, check_request
from core.rag.prompts.grading import GRADE, grade_request
from core.rag.prompts.planning import PLAN, follows_up
from core.rag.prompts.planning import plan_request as plan_prompt
from core.rag.prompts.rewriting import REWRITE, rewrite_request
from core.rag.prompts.template import Prompt
from core.rag.prompts.writing import DIRECT, WRITE, direct_request
from core.rag.prompts.writing import write_request as write_prompt
from tests.rag.model.scripts import CARDS, HISTORY, OTHERS, passage, plan_request, write_request

PROMPTS = (PLAN, GRADE, REWRITE, WRITE, DIRECT, CHECK)


def text_of(prompt: Request, role: str) -> str:
    return "\n".join(said.text for said in prompt.messages if said.role == role)


def test_each_prompt_has_a_version_that_changes_with_its_words() -> None:
    assert len({prompt.version for prompt in PROMPTS}) == len(PROMPTS)
    assert all(prompt.tag == f"{prompt.name}@{prompt.version}" for prompt in PROMPTS)
    assert Prompt("plan", ("a", "b")).version != Prompt("plan", ("a", "c")).version
    assert Prompt("plan", ("ab", "c")).version != Prompt("plan", ("a", "bc")).version


def test_each_request_names_its_prompt_and_is_cold() -> None:
    for prompt, request in (
        (PLAN, plan_prompt(plan_request())),
        (GRADE, grade_request(["q"], [passage(1)], "three")),
        (REWRITE, rewrite_request("q", "web", "", None)),
        (WRITE, write_prompt(write_request([passage(1)]), 10)),
        (DIRECT, direct_request(write_request(), 10)),
        (CHECK, check_request("q", [Claim("c", ())], [(1, passage(1))])),
    ):
        assert request.tags[0] == prompt.tag
        assert request.temperature == 0


def test_the_router_section_is_rendered_from_the_cards_and_nothing_else() -> None:
    system = text_of(plan_prompt(plan_request()), "system")
    assert system.startswith(router_prompt(CARDS))
    fewer = text_of(plan_prompt(plan_request(cards=CARDS[:1])), "system")
    assert "runbooks" not in fewer
    assert "- web:" not in system
    assert "- web:" in text_of(plan_prompt(plan_request(web_allowed=True)), "system")


def test_the_planner_sees_the_conversation_quoted_in_one_message() -> None:
    prompt = plan_prompt(plan_request("And Pro?", history=HISTORY, context=OTHERS))
    assert [said.role for said in prompt.messages] == ["system", "user"]
    user = text_of(prompt, "user")
    assert 'Asked: "How do I roll back' in user
    assert 'Mina said: "I think' in user
    assert "helm rollback" not in text_of(prompt, "system")


def test_without_a_conversation_no_rewriting_is_asked_for() -> None:
    assert not follows_up(plan_request())
    assert '"question":' not in text_of(plan_prompt(plan_request()), "system")
    assert '"question":' in text_of(plan_prompt(plan_request(history=HISTORY)), "system")


def test_a_second_question_back_is_ruled_out_in_words_too() -> None:
    assert "do not choose clarify" in text_of(plan_prompt(plan_request(clarified_before=True)), "system")
    assert "do not choose clarify" not in text_of(plan_prompt(plan_request()), "system")


def test_the_writer_sees_history_between_system_and_question() -> None:
    prompt = write_prompt(write_request([passage(1)], history=HISTORY), 100)
    assert [said.role for said in prompt.messages] == ["system", "user", "assistant", "user"]
    assert prompt.messages[1].text == HISTORY[0].question
    assert prompt.messages[2].text == HISTORY[0].answer


def test_an_exchange_without_an_answer_leaves_no_half_pair() -> None:
    prompt = write_prompt(write_request([passage(1)], history=(replace(HISTORY[0], answer=""),)), 100)
    assert [said.role for said in prompt.messages] == ["system", "user"]


def test_no_passage_stands_in_a_system_message() -> None:
    secret = passage(1, "the zebra code")
    for prompt in (
        write_prompt(write_request([secret]), 100),
        grade_request(["q"], [secret], "three"),
        check_request("q", [Claim("c", ())], [(1, secret)]),
    ):
        assert "zebra" not in text_of(prompt, "system")
        assert "Title 1" not in text_of(prompt, "system")
        assert "zebra" in prompt.messages[-1].text


def test_passages_are_numbered_titled_and_dated() -> None:
    web = passage(2, origin="web", date=date(2026, 2, 1))
    user = write_prompt(write_request([passage(1), web]), 100).messages[-1].text
    assert 'n="1" title="Title 1 › Leave">' in user
    assert 'n="2" title="Title 2 › Leave" date="2026-02-01" from="web">' in user


def test_the_writer_gets_the_strips_of_a_refined_passage() -> None:
    refined = Evidence(
        passage(1, "Long. Leave is 25 days. More."), (Strip("p1", "Leave is 25 days.", 0.9),), Grade(0.9, "correct")
    )
    user = write_prompt(write_request([], evidence=(refined,)), 100).messages[-1].text
    assert "Leave is 25 days." in user
    assert "Long." not in user


def test_the_writer_is_told_what_failed_and_what_is_missing() -> None:
    request = write_request([passage(1)], unsupported=("Leave is 40 days.",), missing="the carry-over")
    user = write_prompt(request, 100).messages[-1].text
    assert "- Leave is 40 days." in user
    assert "the carry-over" in user
    plain = write_prompt(write_request([passage(1)]), 100).messages[-1].text
    assert "earlier draft" not in plain


def test_the_writer_is_told_the_language_the_doubt_and_the_time() -> None:
    korean = write_prompt(write_request([passage(1)], language="ko"), 100).messages[-1].text
    assert korean.endswith("Answer in Korean.")
    doubtful = write_prompt(write_request([passage(1)], verdict="ambiguous"), 100).messages[-1].text
    assert "not certain" in doubtful
    assert "not certain" not in korean
    of_2026 = Plan("q", "collections", period=TimeSpan(date(2026, 1, 1), date(2026, 12, 31)))
    dated = write_prompt(write_request([passage(1)], plan=of_2026), 100).messages[-1].text
    assert "2026-01-01 to 2026-12-31" in dated
    assert "name its date" in dated


def test_the_two_aims_of_a_rewrite_have_prompts_of_their_own() -> None:
    index, web = (text_of(rewrite_request("q", aim, "", None), "system") for aim in ("index", "web"))  # type: ignore[arg-type]
    assert "full sentence" in index
    assert "full sentence" not in web
    assert "keywords" in web
    assert "keywords" not in index


def test_yes_and_no_by_policy() -> None:
    assert "partly" in text_of(grade_request(["q"], [passage(1)], "three"), "system")
    assert "partly" not in text_of(grade_request(["q"], [passage(1)], "binary"), "system")


@pytest.mark.parametrize(
    ("prompt", "tokens"),
    [
        (plan_prompt(plan_request(cards=())), 300),
        (plan_prompt(plan_request(cards=(), history=HISTORY)), 420),
        (grade_request(["q"], [], "three"), 220),
        (rewrite_request("q", "index", "the price", None), 190),
        (write_prompt(write_request([]), 100), 390),
        (direct_request(write_request(), 100), 110),
        (check_request("q", [Claim("c", ())], []), 280),
    ],
)
def test_the_fixed_part_of_a_prompt_stays_small(prompt: Request, tokens: int) -> None:
    assert sum(len(said.text) for said in prompt.messages) / 4 <= tokens
