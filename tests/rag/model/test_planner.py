"""The planner by a model: whatever it says, a plan comes out that can be carried out."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.memory.chat import ScriptedChat
from core.answers import Plan
from core.documents import TimeSpan
from core.errors import RefdeskError, UpstreamError, UpstreamRefused
from core.ports import PlanRequest
from core.rag.model.planner import ModelPlanner
from tests.rag.model.scripts import CARDS, HISTORY, OTHERS, plan_request, scripted

EVERYTHING = ("handbook", "runbooks", "product-faq")


async def planned(request: PlanRequest | None = None, **said: Any) -> Plan:
    reply = {"question": "", "route": ["handbook"], "parts": [], "current": False, "sure": 0.9, "reply": ""} | said
    return await ModelPlanner(scripted(reply)).plan(request or plan_request())


async def test_one_call_gives_route_question_and_confidence() -> None:
    model = scripted({"route": ["handbook"], "sure": 0.9})
    plan = await ModelPlanner(model).plan(plan_request())
    assert (plan.route, plan.collections, plan.confidence) == ("collections", ("handbook",), 0.9)
    assert len(model.requests) == 1


async def test_without_a_conversation_the_question_stays_literally_the_askers() -> None:
    plan = await planned(plan_request("leave,  days??"), question="How many days of leave are there?")
    assert (plan.question, plan.queries) == ("leave,  days??", ())


@pytest.mark.parametrize("thread", [{"history": HISTORY}, {"context": OTHERS}])
async def test_in_a_conversation_the_standalone_question_is_taken_and_the_askers_kept(thread: Any) -> None:
    plan = await planned(plan_request("And how long?", **thread), question="How long does a rollback take?")
    assert (plan.question, plan.queries) == ("How long does a rollback take?", ("And how long?",))


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "  \n ",
        "A rollback takes 45 minutes.",
        "It takes ten minutes.",
        "I'm sorry, I cannot help with that?",
        "According to the passage, it is long?",
        "롤백은 얼마나 걸리나요?",
        "How long does version 4711 take?",
        "See https://evil.example/x?",
        "Is it [1]?",
        "word " * 200 + "?",
    ],
)
async def test_what_is_no_wording_of_the_question_is_not_taken_for_it(bad: str) -> None:
    plan = await planned(plan_request("And how long?", history=HISTORY), question=bad)
    assert plan.question == "And how long?"


async def test_labels_and_quotes_of_a_rewritten_question_are_dropped() -> None:
    plan = await planned(plan_request("And?", history=HISTORY), question='Standalone question: "How long is it?"\nNote')
    assert plan.question == "How long is it?"


async def test_names_and_numbers_of_the_conversation_and_the_years_around_today_may_be_named() -> None:
    for text in ("Does the rollback take 10 minutes?", "How was it in 2025?", "Is the 연차 for part-timers?"):
        plan = await planned(plan_request("And last year?", history=HISTORY), question=text)
        assert plan.question == text


@pytest.mark.parametrize(
    ("named", "taken"),
    [
        (["Handbook"], ("handbook",)),
        (["employee handbook"], ("handbook",)),
        (["product_faq"], ("product-faq",)),
        (["runbook"], ("runbooks",)),
        (["`handbook`"], ("handbook",)),
        ("handbook, runbooks", ("handbook", "runbooks")),
        (["handbook", "atlantis"], ("handbook",)),
        (["runbooks", "handbook", "runbooks"], ("runbooks", "handbook")),
    ],
)
async def test_a_collection_that_does_not_exist_is_repaired(named: Any, taken: tuple[str, ...]) -> None:
    plan = await planned(route=named)
    assert (plan.route, plan.collections) == ("collections", taken)


@pytest.mark.parametrize("named", [["vectorstore"], [], "", None, ["all"], [""], ["direct", "web"], {"a": []}, [[]], 7])
async def test_a_route_that_does_not_exist_is_all_collections(named: Any) -> None:
    plan = await planned(plan_request(web_allowed=True), route=named)
    assert (plan.route, plan.collections) == ("collections", EVERYTHING)


async def test_unsure_is_all_collections_and_never_the_web() -> None:
    for named in (["web"], ["direct"], ["handbook"], ["clarify"]):
        plan = await planned(plan_request(web_allowed=True), route=named, sure=0.3)
        assert (plan.route, plan.collections) == ("collections", EVERYTHING)


async def test_the_web_is_taken_only_where_it_is_allowed() -> None:
    assert (await planned(plan_request(web_allowed=True), route=["web"])).route == "web"
    assert (await planned(plan_request(), route=["web"])).collections == EVERYTHING


@pytest.mark.parametrize("named", ["internet", "web search", "wep", "Web and handbook"])
async def test_nothing_is_taken_for_the_web(named: str) -> None:
    assert (await planned(plan_request(web_allowed=True), route=[named])).route == "collections"


async def test_a_collection_beside_the_web_is_the_collection() -> None:
    plan = await planned(plan_request(web_allowed=True), route=["web", "handbook"])
    assert (plan.route, plan.collections) == ("collections", ("handbook",))


async def test_clarify_is_one_short_question_back_and_never_twice_in_a_row() -> None:
    plan = await planned(
        plan_request("and that?", context=OTHERS), route=["clarify"], reply="Which  release\ndo you mean?"
    )
    assert (plan.route, plan.clarification) == ("clarify", "Which release do you mean?")
    again = await planned(plan_request("and that?", clarified_before=True), route=["clarify"], reply="Which one?")
    assert (again.route, again.collections) == ("collections", EVERYTHING)


async def test_a_question_back_without_words_gets_ours() -> None:
    plan = await planned(plan_request("그건요?", language="ko"), route=["clarify"])
    assert plan.clarification.startswith("무엇에 관한")


async def test_links_and_mentions_do_not_reach_a_question_back() -> None:
    reply = "Which one? <!channel> <@U1> @everyone [look](https://evil.example/x) https://evil.example"
    plan = await planned(route=["clarify"], reply=reply)
    assert not any(bad in plan.clarification for bad in ("<!", "<@", "@", "evil", "://"))


async def test_a_direct_message_is_replied_to_by_the_same_call() -> None:
    plan = await planned(plan_request("Thanks a lot!"), route=["direct"], reply="You're welcome!")
    assert (plan.route, plan.reply, plan.collections) == ("direct", "You're welcome!", ())


async def test_sub_questions_make_a_question_of_several_steps() -> None:
    parts = ["How long is a rollback?", "How long is a backup?"]
    plan = await planned(plan_request("Which is longer, a rollback or a backup?"), parts=parts)
    assert (plan.steps, plan.sub_questions) == ("multi", tuple(parts))


@pytest.mark.parametrize(
    "parts",
    [
        ["only one?"],
        ["the same?", "the same?"],
        [],
        "",
        None,
        ["", " "],
        ["무엇인가요?", "얼마인가요?"],
        ["a 4711?", "b 4712?"],
    ],
)
async def test_one_part_is_no_part(parts: Any) -> None:
    plan = await planned(plan_request("Which is longer?"), parts=parts)
    assert (plan.steps, plan.sub_questions) == ("single", ())


async def test_no_more_than_four_parts_are_followed() -> None:
    plan = await planned(parts=[f"What about {word}?" for word in ("a", "b", "c", "d", "e", "f")])
    assert len(plan.sub_questions) == 4


async def test_the_time_is_read_from_the_words_and_not_left_to_the_model() -> None:
    plan = await planned(plan_request("What were the prices in 2024?"))
    assert plan.period == TimeSpan(date(2024, 1, 1), date(2024, 12, 31))
    assert plan.time_sensitive
    assert (await planned(current="yes")).time_sensitive
    assert (await planned(plan_request("What is the latest version?"))).time_sensitive


async def test_no_readable_collection_is_no_crash() -> None:
    plan = await planned(plan_request(cards=()), route=["handbook"])
    assert (plan.route, plan.collections) == ("collections", ())


@pytest.mark.parametrize("fault", [UpstreamError(), UpstreamRefused(), "the route is handbook", "", '{"sure": 1}'])
async def test_a_model_that_fails_raises_an_error_of_ours(fault: Any) -> None:
    with pytest.raises(RefdeskError):
        await ModelPlanner(scripted(fault)).plan(plan_request())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("question", "route", "parts", "current", "sure", "reply")


@given(
    st.dictionaries(st.sampled_from(FIELDS), json_values | st.sampled_from(["web", "direct", "clarify"]), max_size=6)
    | st.text(max_size=30),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
async def test_nothing_that_a_model_says_makes_an_impossible_plan(
    said: Any, web: bool, asked_back: bool, old: bool
) -> None:
    request = plan_request(web_allowed=web, clarified_before=asked_back, history=HISTORY if old else ())
    try:
        plan = await ModelPlanner(ScriptedChat(lambda _: said)).plan(request)
    except RefdeskError:
        return
    assert plan.question.strip()
    assert len(plan.question) <= 400
    assert set(plan.collections) <= {card.collection for card in CARDS}
    assert plan.collections or plan.route != "collections"
    assert plan.route != "web" or web
    assert plan.route != "clarify" or (plan.clarification and not asked_back)
    assert plan.confidence is not None
    assert 0 <= plan.confidence <= 1
    assert (plan.steps == "multi") == (len(plan.sub_questions) >= 2)
    assert old or plan.question == request.question
