"""Every preset and every published variant, over HTTP: which calls in which order, which web queries, which end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.policy import PRESETS
from tests.openai_server.replies import Reply, Say
from tests.openai_server.server import Call
from tests.rag.stand_ins import ListedSearcher
from tests.scenarios import variants
from tests.scenarios.asking import QUESTION, Setting, nodes, opened, past
from tests.scenarios.scripts import (
    CHECKED,
    GRADED,
    PLANNED,
    REWRITTEN,
    STRAIGHT,
    UNDERSTOOD,
    WRITTEN,
    Script,
    checked,
    echo,
    grading,
    none,
    only,
    passages_in,
    routed,
    understood,
    user,
)
from tests.scenarios.variants import Variant
from tests.tavily_server.server import TavilyServer, found, result

ROLLBACK = "Rolling back"
HELM_QUERY = echo("helm rollback duration")
TWO_MINUTES = Say("A helm rollback takes two minutes [1].")
PARENTAL = echo("parental leave and how long it takes")
HELM = result("https://docs.example/helm", "A helm rollback takes two minutes.", title="Helm rollback")
OTHER = result("https://docs.example/other", "Rollbacks of clusters take an hour.", title="Cluster rollback")


def of(setting: Setting, variant: Variant, web: TavilyServer | None = None) -> Setting:
    """The variant's settings, with or without a web."""
    return replace(setting, policy=variant.policy, web=web)


async def test_chain_writes_from_whatever_was_found_and_says_that_nobody_checked(setting: Setting) -> None:
    async with opened(Script(grade=none()), of(setting, variants.CHAIN)) as room:
        answer = await room.ask()
    assert room.calls == [WRITTEN]
    assert answer.standing == "unchecked"
    assert answer.text == "It takes ten minutes [1]."


async def test_chain_writes_nothing_from_nothing(setting: Setting) -> None:
    async with opened(Script(), replace(of(setting, variants.CHAIN), searcher=ListedSearcher([[]]))) as room:
        answer = await room.ask()
    assert room.calls == []
    assert answer.standing == "not_found"


async def test_a_follow_up_is_written_out_and_both_wordings_are_searched(setting: Setting) -> None:
    script = Script(plan=understood("How long are database backups kept?"), write=Say("35 days [1]."))
    async with opened(script, of(setting, variants.CONVERSATION)) as room:
        answer = await room.ask("How long are they kept?", history=(past("Tell me of database backups", "Daily."),))
        writer = room.server.chats[-1]
    assert room.calls == [UNDERSTOOD, WRITTEN]
    assert answer.plan is not None
    assert (answer.plan.question, answer.plan.queries) == (
        "How long are database backups kept?",
        ("How long are they kept?",),
    )
    assert [each["role"] for each in writer.messages] == ["system", "user", "assistant", "user"]
    assert [each.title for each in answer.citations] == ["Database backups"]


async def test_a_rewriter_that_answers_is_not_believed(setting: Setting) -> None:
    script = Script(plan=understood("Backups are kept for 14 days."))
    async with opened(script, of(setting, variants.CONVERSATION)) as room:
        answer = await room.ask("How long are they kept?", history=(past("Tell me of database backups", "Daily."),))
        asked = user(room.server.chats[-1])
    assert room.calls == [UNDERSTOOD, WRITTEN]
    assert answer.plan is not None
    assert answer.plan.question == "How long are they kept?"
    assert "14 days" not in asked


async def test_self_rewrites_for_the_index_when_all_are_rejected(setting: Setting) -> None:
    script = Script(grade=[none(), only("Parental")], rewrite=PARENTAL, write=Say("Parental leave is 26 weeks [1]."))
    async with opened(script, replace(of(setting, variants.SELF), policy=replace(PRESETS["self"], k=2))) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert nodes(answer).count("retrieve") == 2
    assert [each.title for each in answer.citations] == ["Parental leave"]


async def test_self_writes_again_what_was_not_grounded_and_is_told_what(setting: Setting) -> None:
    script = Script(
        grade=only(ROLLBACK),
        write=[Say("It takes an hour [1]."), Say("It takes ten minutes [1].")],
        check=[checked(1), checked()],
    )
    async with opened(script, of(setting, variants.SELF)) as room:
        answer = await room.ask()
        again = user(room.server.chats[3])
    assert room.calls == [GRADED, WRITTEN, CHECKED, WRITTEN, CHECKED]
    assert "It takes an hour" in again
    assert (answer.standing, answer.text) == ("supported", "It takes ten minutes [1].")


async def test_self_ends_at_its_caps_where_the_published_loop_ends_at_the_recursion_limit(setting: Setting) -> None:
    script = Script(grade=none(), rewrite=[echo("annual leave and holidays"), echo("request limits of plans")])
    policy = replace(variants.SELF.policy, k=2)
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, REWRITTEN, GRADED]
    assert answer.standing == "not_found"
    assert answer.nearest


async def test_self_never_writes_the_same_thing_for_ever(setting: Setting) -> None:
    script = Script(grade=only(ROLLBACK), check=checked(1))
    async with opened(script, of(setting, variants.SELF)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, *[WRITTEN, CHECKED] * 3]
    assert answer.standing == "partial"
    assert answer.notes


async def test_crag_tutorial_appends_the_web_when_any_is_rejected_and_grades_it(
    setting: Setting, web: TavilyServer
) -> None:
    web.will_find(HELM, OTHER)
    script = Script(
        grade=[grading({"Travel": "no"}), only("Helm rollback")],
        rewrite=echo("helm rollback duration"),
        write=Say("It takes ten minutes [1]. A helm rollback takes two minutes [6]."),
    )
    async with opened(script, of(setting, variants.CRAG_TUTORIAL, web)) as room:
        answer = await room.ask()
        regraded, writer = passages_in(room.server.chats[2]), room.server.chats[3]
    assert room.calls == [GRADED, REWRITTEN, GRADED, WRITTEN]
    assert room.queries == ["helm rollback duration"]
    assert [text.split("\n")[0] for text in regraded.values()] == ["Helm rollback", "Cluster rollback"]
    assert [text.split("\n")[0] for text in passages_in(writer).values()][-1] == "Helm rollback"
    assert f"{QUESTION}\n" in user(writer)
    assert [each.origin for each in answer.citations] == ["index", "web"]
    assert (answer.standing, answer.verdict) == ("unchecked", "correct")


async def test_crag_refines_what_is_correct_and_leaves_the_web_alone(setting: Setting, web: TavilyServer) -> None:
    script = Script(grade=grading({ROLLBACK: "yes"}, "no"))
    async with opened(script, of(setting, variants.CRAG, web)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, WRITTEN]
    assert room.queries == []
    assert nodes(answer) == ["plan", "retrieve", "grade", "refine", "generate", "check", "finish"]
    assert (answer.standing, answer.verdict) == ("unchecked", "correct")


async def test_crag_refines_and_searches_the_web_at_once_when_ambiguous(setting: Setting, web: TavilyServer) -> None:
    web.will_find(HELM)
    script = Script(
        grade=[grading({ROLLBACK: "partly"}, "no"), grading()],
        rewrite=echo("helm rollback duration"),
        write=Say("It takes ten minutes [1]. A helm rollback takes two minutes [2]."),
    )
    async with opened(script, of(setting, variants.CRAG, web)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, WRITTEN]
    assert room.queries == ["helm rollback duration"]
    way = nodes(answer)
    assert set(way[3:5]) == {"refine", "rewrite_web"}
    assert way.count("generate") == 1
    assert [each.origin for each in answer.citations] == ["index", "web"]


async def test_crag_replaces_what_is_incorrect_by_the_web(setting: Setting, web: TavilyServer) -> None:
    web.will_find(HELM)
    script = Script(
        grade=[none(), grading()],
        rewrite=echo("helm rollback duration"),
        write=Say("A helm rollback takes two minutes [1]."),
    )
    async with opened(script, of(setting, variants.CRAG, web)) as room:
        answer = await room.ask()
        given = passages_in(room.server.chats[-1])
    assert room.calls == [GRADED, REWRITTEN, GRADED, WRITTEN]
    assert room.queries == ["helm rollback duration"]
    assert [text.split("\n")[0] for text in given.values()] == ["Helm rollback"]
    assert [each.origin for each in answer.citations] == ["web"]


async def test_crag_without_a_web_ends_honestly(setting: Setting) -> None:
    async with opened(Script(grade=none()), of(setting, variants.CRAG)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED]
    assert answer.standing == "not_found"


async def test_crag_loop_searches_the_web_again_when_its_pages_are_rejected(
    setting: Setting, web: TavilyServer
) -> None:
    web.will_say(found([OTHER]), found([HELM]))
    script = Script(
        grade=[none(), none(), grading()],
        rewrite=[echo("rollback duration"), echo("helm rollback duration")],
        write=Say("A helm rollback takes two minutes [1]."),
    )
    async with opened(script, of(setting, variants.CRAG_LOOP, web)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert room.queries == ["rollback duration", "helm rollback duration"]
    assert (answer.standing, [each.title for each in answer.citations]) == ("supported", ["Helm rollback"])


async def test_crag_loop_ends_at_its_caps_with_an_honest_no(setting: Setting, web: TavilyServer) -> None:
    web.will_say(found([OTHER]), found([HELM]))
    async with opened(Script(grade=none()), of(setting, variants.CRAG_LOOP, web)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, REWRITTEN, GRADED]
    assert len(room.queries) == 2
    assert answer.standing == "not_found"
    assert answer.searched == ("faq", "handbook", "runbooks", "web")


async def test_crag_loop_without_a_web_searches_the_index_again(setting: Setting) -> None:
    script = Script(grade=[none(), only("Parental")], rewrite=PARENTAL, write=Say("Parental leave is 26 weeks [1]."))
    policy = replace(variants.CRAG_LOOP.policy, k=2)
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask()
    assert room.calls == [GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert answer.standing == "supported"


async def test_adaptive_tutorial_stays_on_the_web_when_it_has_to_search_again(
    setting: Setting, web: TavilyServer
) -> None:
    web.will_say(found([OTHER]), found([HELM]))
    script = Script(
        plan=routed("web"),
        rewrite=[echo("rollback duration"), echo("helm rollback duration")],
        write=[
            Say("Rollbacks of clusters take an hour [1]."),
            Say("Rollbacks of clusters take an hour [1]. A helm rollback takes two minutes [2]."),
        ],
        check=[checked(missing="the time for helm"), checked()],
    )
    async with opened(script, of(setting, variants.ADAPTIVE_TUTORIAL, web)) as room:
        answer = await room.ask()
        again = user(room.server.chats[5])
    assert room.calls == [PLANNED, REWRITTEN, GRADED, WRITTEN, CHECKED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert room.queries == ["rollback duration", "helm rollback duration"]
    assert "the time for helm" in again
    assert "retrieve" not in nodes(answer)
    assert {each.origin for each in answer.citations} == {"web"}
    assert answer.standing == "supported"


async def test_adaptive_tutorial_asks_the_index_first_where_the_router_is_unsure(
    setting: Setting, web: TavilyServer
) -> None:
    script = Script(plan=routed("web", sure=0.2), grade=only(ROLLBACK))
    async with opened(script, of(setting, variants.ADAPTIVE_TUTORIAL, web)) as room:
        answer = await room.ask()
    assert room.calls == STRAIGHT
    assert room.queries == []
    assert answer.searched == ("faq", "handbook", "runbooks")


async def test_adaptive_paper_none_is_one_small_call(setting: Setting) -> None:
    script = Script(plan=routed("direct", reply="You're welcome!"))
    async with opened(script, of(setting, variants.JEONG)) as room:
        answer = await room.ask("Thanks a lot!")
    assert room.calls == [PLANNED]
    assert (answer.text, answer.standing) == ("You're welcome!", "direct")


async def test_adaptive_paper_single_is_one_retrieval(setting: Setting) -> None:
    async with opened(Script(plan=routed("runbooks")), of(setting, variants.JEONG)) as room:
        answer = await room.ask()
    assert room.calls == [PLANNED, WRITTEN, CHECKED]
    assert nodes(answer).count("retrieve") == 1
    assert answer.searched == ("runbooks",)


async def test_adaptive_paper_multi_searches_its_parts_side_by_side_and_then_what_is_missing(
    setting: Setting,
) -> None:
    parts = ["How long does rolling back a release take?", "How much does a hotel night cost?"]
    script = Script(
        plan=routed(parts=parts),
        write=_numbered,
        check=[checked(missing="when backups are made"), checked()],
        rewrite=echo("how often the database is backed up"),
    )
    policy = replace(variants.JEONG.policy, k=1)
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask("How long is a rollback, how much is a hotel night, and when are backups made?")
        first, second = (passages_in(room.server.chats[place]) for place in (1, 4))
        lacking = user(room.server.chats[3])
    assert room.calls == [PLANNED, WRITTEN, CHECKED, REWRITTEN, WRITTEN, CHECKED]
    assert {"Rolling back a release", "Travel expenses"} <= _titles(first)
    assert "when backups are made" in lacking
    assert _titles(second) - _titles(first) == {"Database backups"}
    assert answer.plan is not None
    assert (answer.plan.steps, answer.standing) == ("multi", "supported")


def _numbered(call: Call) -> Reply:
    """Each of three facts with the number of the passage that has it."""
    facts = {
        "Rolling back": "It takes ten minutes",
        "Travel": "A hotel night is refunded up to 140 euros",
        "Database": "The database is backed up every six hours",
    }
    said = [f"{fact} [{n}]." for n, text in passages_in(call).items() for sign, fact in facts.items() if sign in text]
    return Say(" ".join(said))


def _titles(passages: dict[int, str]) -> set[str]:
    return {text.split("\n")[0] for text in passages.values()}


async def test_adaptive_takes_four_calls_when_nothing_goes_wrong(setting: Setting) -> None:
    async with opened(Script(grade=only(ROLLBACK)), of(setting, variants.ADAPTIVE)) as room:
        answer = await room.ask()
    assert room.calls == STRAIGHT
    assert (answer.standing, answer.verdict) == ("supported", "correct")
    assert [each.title for each in answer.citations] == ["Rolling back a release"]
    assert room.ledger.calls == 4


async def test_adaptive_rewrites_for_the_index_where_there_is_no_web(setting: Setting) -> None:
    script = Script(grade=[none(), only("Parental")], rewrite=PARENTAL, write=Say("Parental leave is 26 weeks [1]."))
    policy = replace(variants.ADAPTIVE.policy, k=2)
    async with opened(script, replace(setting, policy=policy)) as room:
        answer = await room.ask()
    assert room.calls == [PLANNED, GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert nodes(answer).count("rewrite_index") == 1
    assert answer.standing == "supported"


async def test_adaptive_searches_the_web_where_it_may(setting: Setting, web: TavilyServer) -> None:
    web.will_find(HELM)
    script = Script(
        grade=[none(), grading()],
        rewrite=echo("helm rollback duration"),
        write=Say("A helm rollback takes two minutes [1]."),
    )
    async with opened(script, of(setting, variants.ADAPTIVE, web)) as room:
        answer = await room.ask()
    assert room.calls == [PLANNED, GRADED, REWRITTEN, GRADED, WRITTEN, CHECKED]
    assert room.queries == ["helm rollback duration"]
    assert (answer.standing, answer.searched) == ("supported", ("faq", "handbook", "runbooks", "web"))


async def test_adaptive_asks_back_once_and_costs_one_call(setting: Setting) -> None:
    script = Script(plan=routed("clarify", reply="Which release do you mean?"))
    async with opened(script, of(setting, variants.ADAPTIVE)) as room:
        answer = await room.ask("How long does it take?")
    assert room.calls == [PLANNED]
    assert (answer.standing, answer.text) == ("clarify", "Which release do you mean?")


@pytest.mark.parametrize("preset", sorted(PRESETS))
async def test_a_greeting_never_costs_more_than_one_small_call_where_there_is_a_router(
    setting: Setting, preset: str
) -> None:
    script = Script(plan=routed("direct", reply="Hello!"), grade=none())
    async with opened(script, replace(setting, policy=PRESETS[preset])) as room:
        answer = await room.ask("Hello!")
    assert answer.text
    assert not PRESETS[preset].router or room.calls == [PLANNED]
