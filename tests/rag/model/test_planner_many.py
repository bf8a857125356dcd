"""The planner by a model with more collections than its prompt describes: none is lost, and the record is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from adapters.local.hashing import HashingEmbedder
from adapters.memory.chat import ScriptedChat
from core.answers import Plan
from core.catalog.first_cut import Asked
from core.catalog.prompt import prompt_hash, rendered, router_prompt
from core.catalog.tokens import tokens
from core.documents import Card
from core.messages import Exchange
from core.rag.model.planner import ModelPlanner
from tests.rag.model.scripts import plan_request, scripted

TOKENS = 1500
QUESTION = "Who repairs the zeppelin?"


async def cards(embedder: HashingEmbedder, count: int = 80) -> tuple[Card, ...]:
    made = []
    for number in range(count):
        phrases = (f"Guide {number}", f"Rules of department {number}")
        rows = (await embedder.embed(phrases, "query")).astype(np.float16)
        texts: dict[str, Any] = {"headings": phrases * 4, "examples": phrases, "vectors": rows.tobytes()}
        made.append(Card(f"team-{number:02d}", "v", f"Team {number}", ("shared",), embedding=embedder.name, **texts))
    made[41] = Card("airships", "v", "Airships", ("shared", "zeppelin"), embedding=embedder.name)
    return tuple(made)


async def planned(question: str = QUESTION, *, model: ScriptedChat | None = None, **more: Any) -> tuple[Plan, str]:
    """The plan, and the system message that the model was given."""
    embedder = HashingEmbedder()
    model = model or scripted({"route": ["airships"], "sure": 0.9})
    request = plan_request(question, cards=more.pop("cards", None) or await cards(embedder), **more)
    plan = await ModelPlanner(model, embedder, tokens=TOKENS).plan(request)
    return plan, model.requests[0].messages[0].text


async def test_the_cards_that_fit_the_question_are_described_within_the_budget() -> None:
    plan, system = await planned()
    assert "### airships: Airships" in system
    assert tokens(system[: system.index("\n\nWhat stands between tags")]) <= TOKENS
    assert plan.collections == ("airships",)


async def test_the_plan_names_the_prompt_that_was_read() -> None:
    embedder = HashingEmbedder()
    many = await cards(embedder)
    plan, system = await planned(cards=many)
    asked = Asked((QUESTION,), await embedder.embed([QUESTION], "query"), embedder.name)
    prompt = router_prompt(many, budget=TOKENS, asked=asked)
    assert system.startswith(prompt)
    assert plan.prompt_hash == prompt_hash(prompt)
    other, _ = await planned("What are the rules of department 7?", cards=many)
    assert other.prompt_hash != plan.prompt_hash


async def test_with_few_cards_every_question_is_routed_by_the_same_prompt() -> None:
    few = (await cards(HashingEmbedder()))[:5]
    one, _ = await planned(cards=few)
    other, system = await planned("And department 3?", cards=few)
    assert one.prompt_hash == other.prompt_hash == prompt_hash(router_prompt(few, budget=TOKENS))
    assert "not described" not in system


async def test_a_collection_that_was_only_named_may_be_chosen() -> None:
    plan, system = await planned(model=scripted({"route": ["team-77"], "sure": 0.9}))
    assert "### team-77" not in system
    assert plan.collections == ("team-77",)


async def test_unsure_means_all_collections_those_that_were_not_described_too() -> None:
    everything = tuple(card.collection for card in await cards(HashingEmbedder()))
    for said in ({"route": ["airships"], "sure": 0.2}, {"route": ["no-such-thing-at-all"], "sure": 0.9}):
        plan, _ = await planned(model=scripted(said))
        assert plan.collections == everything


async def test_a_model_that_names_all_it_was_shown_is_taken_for_unsure() -> None:
    embedder = HashingEmbedder()
    many = await cards(embedder)
    asked = Asked((QUESTION,), await embedder.embed([QUESTION], "query"), embedder.name)
    shown = rendered(many, budget=TOKENS, asked=asked).described
    plan, _ = await planned(cards=many, model=scripted({"route": sorted(shown), "sure": 0.9}))
    assert plan.collections == tuple(card.collection for card in many)
    assert len(shown) < len(many)


async def test_a_follow_up_is_cut_by_what_it_follows_up_on() -> None:
    history = (Exchange(QUESTION, QUESTION, "The hangar crew does."),)
    model = scripted({"question": "How long does a zeppelin repair take?", "route": ["airships"], "sure": 0.9})
    _, system = await planned("And how long does that take?", model=model, history=history)
    assert "### airships" in system


async def test_what_may_not_be_read_is_in_no_prompt_and_no_plan() -> None:
    readable = tuple(card for card in await cards(HashingEmbedder()) if card.collection != "airships")
    plan, system = await planned(cards=readable)
    assert "airships" not in system.casefold()
    assert "airships" not in plan.collections
