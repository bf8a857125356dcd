"""The sixteen rules of the graph, each by a test of its name that fails where the published behaviour would pass."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace

import pytest

from bots.web_settings import WebSettings
from core.answers import Answer
from core.catalog.prompt import router_prompt
from core.messages import ThreadMessage
from core.policy import PRESETS, Policy, Trigger
from core.presenting import trust_line
from core.wording import SENTENCES, say
from tests.openai_server.replies import Pace, Say, Value
from tests.openai_server.server import Call
from tests.scenarios import library
from tests.scenarios.asking import QUESTION, Setting, nodes, opened, past
from tests.scenarios.scripts import (
    CHECKED,
    GRADED,
    PLANNED,
    REWRITTEN,
    UNDERSTOOD,
    WRITTEN,
    Cue,
    Script,
    checked,
    echo,
    grading,
    none,
    only,
    passages_in,
    routed,
    step_of,
    understood,
    user,
)
from tests.tavily_server.server import TavilyServer, found, result

ADAPTIVE = PRESETS["adaptive"]
ROLLBACK = "Rolling back"
HELM = result("https://docs.example/helm", "A helm rollback takes two minutes.", title="Helm rollback")
OTHER = result("https://docs.example/other", "Rollbacks of clusters take an hour.", title="Cluster rollback")


def titles(call: Call) -> list[str]:
    return [text.split("\n")[0] for text in passages_in(call).values()]


def system(call: Call) -> str:
    return str(call.messages[0]["content"])


def graded(answer: Answer) -> list[dict[str, object]]:
    return [dict(event.detail) for event in answer.trace if event.node == "grade"]


async def test_rule_01_the_plan_travels_and_a_run_routed_to_the_web_goes_back_to_the_web(
    setting: Setting, web: TavilyServer
) -> None:
    """The published route is decided on an edge and lost: the rewritten question goes to the index."""
    web.will_say(found([OTHER]), found([HELM]))
    script = Script(
        plan=routed("web"),
        grade=[none(), grading()],
        rewrite=[echo("rollback"), echo("helm rollback")],
        write=Say("A helm rollback takes two minutes [1]."),
    )
    async with opened(script, replace(setting, web=web)) as room:
        answer = await room.ask()
    assert room.queries == ["rollback", "helm rollback"]
    assert "retrieve" not in nodes(answer)
    assert answer.plan is not None
    assert (answer.plan.route, answer.searched, answer.standing) == ("web", ("web",), "supported")


async def test_rule_02_how_many_were_rejected_and_why_is_stored(setting: Setting) -> None:
    """The published state keeps only what survived, and one flag."""
    script = Script(grade=only(ROLLBACK))
    async with opened(script, setting) as room:
        answer = await room.ask("How long did rolling back a release take in 2025? And the cluster upgrade?")
    detail = graded(answer)[0]
    assert {name: detail[name] for name in ("correct", "ambiguous", "incorrect")} == {
        "correct": 1,
        "ambiguous": 0,
        "incorrect": 5,
    }
    assert detail["reasons"] == {"off_topic": 4, "stale": 1}


TRIGGERS = [
    ("any", grading({"Travel": "no"}), True),
    ("any", grading(), False),
    ("all", only(ROLLBACK), False),
    ("all", none(), True),
    ("ratio", only(ROLLBACK, "Travel", "Request"), False),
    ("ratio", only(ROLLBACK, "Travel"), True),
    ("fewer_than_2", only(ROLLBACK, "Travel"), False),
    ("fewer_than_2", only(ROLLBACK), True),
    ("verdict", only(ROLLBACK), False),
    ("verdict", grading({ROLLBACK: "partly"}, "no"), True),
]


@pytest.mark.parametrize(("trigger", "grades", "corrected"), TRIGGERS)
async def test_rule_03_the_trigger_for_correction_is_a_setting(
    setting: Setting, web: TavilyServer, trigger: Trigger, grades: Cue, corrected: bool
) -> None:
    """The published one is `any`, everywhere."""
    web.will_find(HELM)
    policy = replace(ADAPTIVE, trigger=trigger)
    async with opened(Script(grade=[grades, grading()]), replace(setting, policy=policy, web=web)) as room:
        await room.ask()
    assert len(room.queries) == corrected


def test_rule_03_only_the_tutorials_own_preset_corrects_whenever_one_is_rejected() -> None:
    assert [name for name, policy in PRESETS.items() if policy.trigger == "any"] == ["crag-any"]
    assert Policy().k == 6


async def test_rule_04_correcting_appends_and_only_what_is_new_is_graded(setting: Setting, web: TavilyServer) -> None:
    """The published correction joins the pages into one text, ungraded and without their sources."""
    web.will_find(HELM, HELM, OTHER)
    script = Script(
        grade=[grading({ROLLBACK: "partly"}, "no"), only("Helm rollback")],
        write=Say("It takes ten minutes [1]. A helm rollback takes two minutes [2]."),
    )
    async with opened(script, replace(setting, web=web)) as room:
        answer = await room.ask()
        first, second = (call for call in room.server.chats if step_of(call) == "grade")
        writer = next(call for call in room.server.chats if step_of(call) == "write")
    assert len(titles(first)) == 6
    assert titles(second) == ["Helm rollback", "Cluster rollback"]
    assert titles(writer) == ["Rolling back a release", "Helm rollback"]
    assert [each.link for each in answer.citations] == [
        "https://wiki.example/runbooks/rolling-back-a-release.md",
        "https://docs.example/helm",
    ]


async def test_rule_04_routing_to_the_web_replaces(setting: Setting, web: TavilyServer) -> None:
    web.will_find(HELM)
    async with opened(Script(plan=routed("web")), replace(setting, web=web)) as room:
        answer = await room.ask()
        writer = next(call for call in room.server.chats if step_of(call) == "write")
    assert titles(writer) == ["Helm rollback"]
    assert answer.searched == ("web",)


async def test_rule_05_where_a_rewrite_is_going_decides_its_prompt(setting: Setting, web: TavilyServer) -> None:
    """The published rewriter has one prompt, and its whole output is the query."""
    said = 'Sure, here is a better query:\n\n**Query:** "helm rollback duration"\nThis query is shorter.'
    web.will_find(HELM)
    async with opened(Script(grade=[none(), grading()], rewrite=Say(said)), replace(setting, web=web)) as room:
        await room.ask()
        for_web = next(call for call in room.server.chats if step_of(call) == "rewrite")
    assert room.queries == ["helm rollback duration"]
    async with opened(Script(grade=none()), setting) as room:
        await room.ask()
        for_index = next(call for call in room.server.chats if step_of(call) == "rewrite")
    assert system(for_web) != system(for_index)
    assert "web search engine" in system(for_web)
    assert "documentation" in system(for_index)
    assert user(for_web) == user(for_index)


async def test_rule_05_a_rewrite_that_is_an_answer_searches_for_the_question(
    setting: Setting, web: TavilyServer
) -> None:
    web.will_find(HELM)
    script = Script(grade=[none(), grading()], rewrite=Say("Rolling back takes 25 minutes, according to the docs."))
    async with opened(script, replace(setting, web=web)) as room:
        await room.ask()
    assert room.queries == [QUESTION]


async def test_rule_06_a_question_that_is_complete_is_not_rewritten(setting: Setting) -> None:
    """The published chain rewrites every question; here the model isn't even asked for a wording."""
    script = Script(plan=routed(question="How long does a helm rollback last?"), grade=only(ROLLBACK))
    async with opened(script, setting) as room:
        answer = await room.ask()
        planner = room.server.chats[0]
    assert "question" not in planner.body["response_format"]["json_schema"]["schema"]["properties"]
    assert answer.plan is not None
    assert (answer.plan.question, answer.plan.queries) == (QUESTION, ())


async def test_rule_06_a_bad_rewrite_cannot_lose_what_the_users_own_words_would_have_found(setting: Setting) -> None:
    script = Script(plan=understood("What is the weather on the coast?"), grade=only(ROLLBACK))
    async with opened(script, setting) as room:
        answer = await room.ask(QUESTION, history=(past("Tell me about the coast", "It is windy."),))
        offered = titles(room.server.chats[1])
    assert "Rolling back a release" in offered
    assert answer.standing == "supported"


async def test_rule_07_a_rewrite_changes_only_the_search_query(setting: Setting) -> None:
    """The published rewrite replaces the question: the answer drifts away from what was asked."""
    script = Script(
        grade=[none(), none(), only("Annual")],
        rewrite=[echo("parental leave and how long it takes"), echo("annual leave of everybody")],
    )
    async with opened(script, replace(setting, policy=replace(ADAPTIVE, k=2))) as room:
        answer = await room.ask()
        calls = {step: [c for c in room.server.chats if step_of(c) == step] for step in ("grade", "write", "check")}
        rewrites = [call for call in room.server.chats if step_of(call) == "rewrite"]
    assert len(rewrites) == 2
    assert user(rewrites[0]) == user(rewrites[1])
    for call in [*calls["grade"], *calls["write"], *calls["check"]]:
        assert QUESTION in user(call)
        assert "how long it takes" not in user(call)
    assert answer.plan is not None
    assert answer.plan.question == QUESTION


@pytest.mark.parametrize("preset", sorted(PRESETS))
async def test_rule_08_every_loop_has_a_cap_and_nothing_is_written_from_nothing(
    setting: Setting, web: TavilyServer, preset: str
) -> None:
    """The published loops end at the recursion limit, with an exception."""
    pages = [result(f"https://docs.example/{n}", f"Rollback number {n}.", title=f"Rollback {n}") for n in range(9)]
    web.will_say(*(found([page]) for page in pages))
    script = Script(
        rewrite=[echo(f"rolling back a release {word}") for word in ("now", "soon", "today", "again")],
        check=[checked(1), checked(missing="the rest"), checked(1), checked(missing="more")],
    )
    policy = replace(PRESETS[preset], k=2)
    async with opened(script, replace(setting, policy=policy, web=web)) as room:
        answer = await room.ask()
    assert answer.text
    assert room.ledger.calls <= policy.max_model_calls
    assert room.calls.count(WRITTEN) <= 1 + policy.max_loops
    assert len(room.queries) <= policy.max_web_searches
    assert answer.standing in ("unchecked", "closest", "partial", "supported")


async def test_rule_08_the_writer_is_never_called_with_no_passages(setting: Setting) -> None:
    async with opened(Script(grade=none()), setting) as room:
        answer = await room.ask()
    assert WRITTEN not in room.calls
    assert answer.standing == "not_found"
    titles = [card.title for card in library.CARDS]
    assert all(name in answer.text for name in (*titles, "Rolling back a release"))
    assert answer.nearest[0].title == "Rolling back a release"


async def test_rule_08_a_spent_budget_stops_at_the_best_so_far(setting: Setting) -> None:
    policy = replace(ADAPTIVE, max_model_calls=5)
    script = Script(grade=only(ROLLBACK), check=checked(1))
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask()
    assert room.calls == [PLANNED, GRADED, WRITTEN, CHECKED, WRITTEN]
    assert (answer.standing, answer.text) == ("partial", "It takes ten minutes [1].")
    assert say("note.stopped", "en") in answer.notes


@pytest.mark.parametrize(
    ("said", "searched"),
    [
        (routed("runbooks"), {"runbooks"}),
        (routed("wiki-that-does-not-exist"), {"faq", "handbook", "runbooks"}),
        (routed("runbooks", sure=0.1), {"faq", "handbook", "runbooks"}),
        (routed("web", sure=0.1), {"faq", "handbook", "runbooks"}),
        (routed("web", "direct"), {"faq", "handbook", "runbooks"}),
    ],
)
async def test_rule_09_unsure_or_invalid_means_all_collections_and_never_the_web(
    setting: Setting, web: TavilyServer, said: Value, searched: set[str]
) -> None:
    """The published router says: otherwise, use the web."""
    async with opened(Script(plan=said, grade=only(ROLLBACK)), replace(setting, web=web)) as room:
        answer = await room.ask()
    assert set(answer.searched) == searched
    assert room.queries == []


async def test_rule_09_the_router_decides_even_for_one_collection(setting: Setting) -> None:
    one = tuple(page for page in library.PAGES if page.collection == "runbooks")
    script = Script(plan=routed("direct", reply="You're welcome!"))
    async with opened(script, replace(setting, pages=one)) as room:
        answer = await room.ask("Thanks, that helped!", cards=library.CARDS[2:])
        prompt = system(room.server.chats[0])
    assert room.calls == [PLANNED]
    assert answer.standing == "direct"
    assert "- web:" not in prompt


async def test_rule_09_nobody_is_asked_back_twice_in_a_row(setting: Setting) -> None:
    script = Script(plan=routed("clarify", reply="Which one?"), grade=only(ROLLBACK))
    async with opened(script, setting) as room:
        first = await room.ask("How long does it take?")
        second = await room.ask(QUESTION, clarified_before=True)
    assert (first.standing, second.standing) == ("clarify", "supported")


async def test_rule_10_judging_is_small_and_cold_and_writing_is_large(setting: Setting, web: TavilyServer) -> None:
    web.will_find(HELM)
    async with opened(Script(grade=[none(), grading()]), replace(setting, web=web)) as room:
        await room.ask(history=(past("Hello?", "Hello."),))
        calls = {step_of(call): call for call in room.server.chats}
    assert room.calls == [UNDERSTOOD, GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert {step: call.model for step, call in calls.items()} == {
        "plan": "small",
        "grade": "small",
        "rewrite": "small",
        "write": "large",
        "check": "small",
    }
    assert {call.body["temperature"] for step, call in calls.items() if step != "write"} == {0.0}


async def test_rule_10_a_missing_or_extra_grade_never_shifts_the_others(setting: Setting) -> None:
    """The published grader is asked passage by passage, and a batch by position loses its count."""
    script = Script(grade=Value({"grades": "9:yes 3:no 1:yes 2:no"}))
    async with opened(script, setting) as room:
        answer = await room.ask()
        offered, writer = titles(room.server.chats[1]), titles(room.server.chats[2])
    assert room.calls.count(GRADED) == 1
    assert set(writer) == set(offered) - {offered[1], offered[2]}
    assert {name: graded(answer)[0][name] for name in ("correct", "ambiguous", "incorrect")} == {
        "correct": 1,
        "ambiguous": 3,
        "incorrect": 2,
    }


async def test_rule_10_the_checker_may_be_another_model(setting: Setting) -> None:
    async with opened(Script(), replace(setting, models={"checker": "critic"})) as room:
        await room.ask()
    assert room.calls == [PLANNED, GRADED, WRITTEN, "critic Checked"]


async def test_rule_11_the_router_prompt_is_rendered_from_the_cards(setting: Setting) -> None:
    """The published one is a sentence that somebody wrote once, about documents of then."""
    async with opened(Script(), setting) as room:
        await room.ask()
        added = replace(library.CARDS[0], title="Prices of 2027", version="v2")
        await room.ask(cards=(added, *library.CARDS[1:]))
        before, after = (system(call) for call in room.server.chats if step_of(call) == "plan")
    assert router_prompt(library.CARDS) in before
    assert "Prices of 2027" in after
    assert "Prices of 2027" not in before


UPGRADE_2026 = "How long did the cluster upgrade take in 2026?"


async def test_rule_12_a_question_about_2026_is_not_answered_by_a_page_of_2024(setting: Setting) -> None:
    """The published grader sees no date: a page of 2024 on the subject is relevant."""
    async with opened(Script(grade=none()), setting) as room:
        answer = await room.ask(UPGRADE_2026)
        offered = [title for call in room.server.chats for title in titles(call)]
    assert "Cluster upgrade 2024" not in offered
    assert answer.standing == "not_found"
    assert "2026" in answer.text
    assert "2024-05-12" in answer.text


async def test_rule_12_the_run_corrects_from_the_web_with_a_freshness_limit_where_it_may(
    setting: Setting, web: TavilyServer
) -> None:
    page = result(
        "https://docs.example/u", "The upgrade took three hours.", title="Upgrade", published_date="2026-06-01"
    )
    web.will_find(page)
    script = Script(grade=only("Upgrade\n"), write=Say("Three hours [1]."))
    async with opened(script, replace(setting, web=web)) as room:
        answer = await room.ask(UPGRADE_2026)
        asked = web.asked[0].body
    assert "2026-01-01" in str(asked)
    assert [each.origin for each in answer.citations] == ["web"]
    assert any("2026-06-01" in note for note in answer.notes)


async def test_rule_13_retrieved_text_is_data_in_the_last_user_message(setting: Setting, web: TavilyServer) -> None:
    """The published prompts paste documents into the system message."""
    web.will_find(HELM)
    script = Script(plan=understood(QUESTION), grade=[none(), grading()])
    async with opened(script, replace(setting, web=web)) as room:
        await room.ask(
            history=(past("Is backup daily?", "Every six hours."),), thread=(ThreadMessage("Mina", "hm", "1"),)
        )
        calls = room.server.chats
    texts = [page.text for page in library.PAGES] + ["two minutes"]
    for call in calls:
        before = "\n".join(str(each["content"]) for each in call.messages[:-1])
        assert not any(text in before for text in texts)
    by_step = {step_of(call): [each["role"] for each in call.messages] for call in calls}
    assert by_step["plan"] == by_step["rewrite"] == by_step["grade"] == ["system", "user"]
    assert by_step["write"] == ["system", "user", "assistant", "user"]
    assert "Every six hours." in user(calls[0])


async def test_rule_14_words_that_ran_ahead_are_held_until_the_verdict(setting: Setting) -> None:
    slow = Value({"grades": "1:yes 2:no 3:no 4:no 5:no 6:no"}, pace=Pace(first=0.4))
    policy = replace(ADAPTIVE, speculate=True)
    seen: list[int] = []

    def watching(call: Call) -> Value:
        asyncio.get_running_loop().call_later(0.3, lambda: seen.append(len(room.heard.drafts)))
        return slow

    async with opened(Script(grade=watching), replace(setting, policy=policy)) as room:
        answer = await room.ask()
    assert seen == [0]
    assert answer.text.startswith(room.heard.drafts[-1])
    assert sorted(room.calls) == sorted([PLANNED, GRADED, WRITTEN, CHECKED])
    assert abs(room.server.chats[1].seconds - room.server.chats[2].seconds) < 0.3


async def test_rule_14_words_that_ran_ahead_of_an_incorrect_verdict_are_never_shown(setting: Setting) -> None:
    slow = Value({"grades": "1:no 2:no 3:no 4:no 5:no 6:no"}, pace=Pace(first=0.2))
    policy = replace(ADAPTIVE, speculate=True, max_rewrites=0)
    script = Script(grade=slow, write=Say("It takes an hour [1].", pace=Pace(0.0, 0.2)))
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask()
        (writer,) = (call for call in room.server.chats if step_of(call) == "write")
        await asyncio.wait_for(writer.gone.wait(), 2)
    assert room.heard.drafts == []
    assert answer.standing == "not_found"
    assert "hour" not in answer.text


@pytest.mark.parametrize(
    ("written", "on"),
    [
        ({"provider": "tavily"}, False),
        ({"provider": "tavily", "allow_domains": ["docs.example"]}, True),
        ({"provider": "tavily", "allow_any": True}, True),
        ({"allow_any": True}, False),
    ],
)
def test_rule_15_the_web_is_off_until_domains_are_named(written: dict[str, object], on: bool) -> None:
    assert WebSettings.model_validate(written).on is on


async def test_rule_15_what_is_not_on_the_list_is_dropped_by_us_too(setting: Setting, web: TavilyServer) -> None:
    evil = result("https://docs.example.evil.test/x", "A rollback takes a second.", title="Elsewhere")
    web.will_find(evil, HELM)
    async with opened(Script(grade=[none(), grading()]), replace(setting, web=web)) as room:
        await room.ask()
        regraded = room.server.chats[3]
    assert titles(regraded) == ["Helm rollback"]


async def test_rule_15_a_web_query_carries_no_passage_text(setting: Setting, web: TavilyServer) -> None:
    """What the checker says is missing may be copied from a passage, and from there into a query."""
    web.will_say(found([HELM]), found([OTHER]))
    script = Script(
        plan=routed("web"),
        rewrite=lambda call: Say(user(call).rsplit("<missing", maxsplit=1)[-1].split("\n")[1]),
        check=[checked(missing="Why a helm rollback takes two minutes, and code tulip-77"), checked()],
    )
    async with opened(script, replace(setting, web=web)) as room:
        await room.ask()
    assert len(room.queries) == 2
    assert not any(re.search("tulip|two minutes", query) for query in room.queries)


async def test_rule_16_supported_by_its_sources_and_never_verified(setting: Setting) -> None:
    async with opened(Script(grade=only(ROLLBACK)), setting) as room:
        answer = await room.ask()
    assert trust_line(answer, "en").startswith("Supported by")
    told = " ".join(text for sentence in SENTENCES.values() for text in sentence.values())
    assert not re.search(r"\bverified|\bproven|\bguaranteed|검증된|사실임", told, re.IGNORECASE)
