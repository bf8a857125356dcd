"""The first cut among many Cards: the same for any order, named ones always, never over budget, none hidden."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.hashing import HashingEmbedder
from core.catalog.cards import Cards
from core.catalog.first_cut import Asked, ranked
from core.catalog.prompt import BUDGET, rendered, router_prompt
from core.catalog.tokens import tokens
from core.documents import Card, Digest, DocumentRecord

TOPICS = (
    "billing invoices refunds",
    "onboarding laptops badges",
    "kubernetes clusters nodes",
    "vacation leave holidays",
    "contracts clauses signatures",
    "marketing campaigns slogans",
    "payroll salaries bonuses",
    "networking routers firewalls",
    "recruiting interviews candidates",
    "warehouse pallets forklifts",
    "translation glossary subtitles",
    "safety drills alarms",
)
WORDS = st.sampled_from(["billing", "server", "휴가", "정책", "cluster-7", "?", "team docs", "the", "C4", "release"])
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


def plain(number: int, terms: tuple[str, ...] = ("shared",), title: str = "") -> Card:
    return Card(f"c{number:03d}", "v", title or f"Title {number}", terms=terms, headings=("Overview",) * 20)


@st.composite
def card_sets(draw: st.DrawFn) -> list[Card]:
    count = draw(st.integers(0, 120))
    lists = st.lists(TEXTS.filter(bool), max_size=20).map(tuple)
    variants = [(draw(TEXTS), draw(lists), draw(lists)) for _ in range(min(count, 4))]
    made = []
    for number in range(count):
        title, terms, headings = variants[number % len(variants)]
        made.append(Card(f"c{number:03d}", "v", title, terms=terms, headings=headings, documents=number))
    return made


async def many_cards(embedder: HashingEmbedder, copies: int = 5) -> list[Card]:
    """Sixty collections on twelve subjects; those of one subject differ in a word of their own."""
    records, digests = {}, []
    for number in range(len(TOPICS) * copies):
        words = f"{TOPICS[number % len(TOPICS)]} own{number}"
        headings = tuple(f"{first} and {second}" for first in words.split() for second in words.split())
        name = f"collection-{number:02d}"
        records[name] = [DocumentRecord("a.md", "", "", words, "en", 1, headings=headings)]
        digests.append(Digest(name, 1, dict.fromkeys(words.split(), 1)))
    return await Cards(embedder).make(records, digests, {}, {})


@settings(max_examples=60)
@given(card_sets(), TEXTS, st.integers(500, 4000), st.booleans())
def test_a_prompt_is_never_over_its_budget(cards: list[Card], question: str, budget: int, web: bool) -> None:
    for asked in (None, Asked((question,))):
        prompt = rendered(cards, web=web, budget=budget, asked=asked)
        assert tokens(prompt.text) <= budget
        assert prompt.is_cut == (len(prompt.described) < len(cards))
    assert tokens(router_prompt(cards, question, web=web, budget=budget)) <= budget


@settings(max_examples=60)
@given(card_sets(), TEXTS, st.integers(500, 4000), st.randoms(use_true_random=False))
def test_the_same_cards_and_question_give_the_same_prompt_in_any_order(
    cards: list[Card], question: str, budget: int, chance: random.Random
) -> None:
    shuffled = chance.sample(cards, len(cards))
    assert router_prompt(cards, question, budget=budget) == router_prompt(shuffled, question, budget=budget)
    assert ranked(cards, Asked((question,))) == ranked(shuffled, Asked((question,)))


@settings(max_examples=60)
@given(st.integers(0, 119), st.integers(500, 4000), st.sampled_from(["name", "title", "term"]))
def test_what_the_question_names_is_always_described(place: int, budget: int, by: str) -> None:
    cards = [plain(number) for number in range(120)]
    cards[place] = plain(place, ("shared", "zeppelin"), "Airship manuals")
    question = {
        "name": f"shared? see C{place:03d}!",
        "title": "what do the airship MANUALS say of shared overview",
        "term": "shared zeppelin overview",
    }[by]
    prompt = rendered(cards, budget=budget, asked=Asked((question,)))
    assert f"c{place:03d}" in prompt.described
    assert f"### c{place:03d}: " in prompt.text


@settings(max_examples=60)
@given(card_sets(), TEXTS, st.integers(500, 4000), st.data())
def test_nothing_of_a_card_that_may_not_be_read_is_in_it(
    cards: list[Card], question: str, budget: int, data: st.DataObject
) -> None:
    readable = [card for card in cards if data.draw(st.booleans())]
    prompt = rendered(readable, budget=budget, asked=Asked((question,)))
    assert prompt.described <= {card.collection for card in readable}
    hidden = {card.collection for card in cards} - {card.collection for card in readable}
    assert not any(name in prompt.text for name in hidden)


@settings(max_examples=60)
@given(card_sets(), TEXTS, st.integers(500, 4000))
def test_the_others_are_counted_and_as_many_named_as_fit(cards: list[Card], question: str, budget: int) -> None:
    prompt = rendered(cards, budget=budget, asked=Asked((question,)))
    others = len(cards) - len(prompt.described)
    assert (f"{others} more collections" in prompt.text) == bool(others)
    if others and ", …" not in prompt.text:
        assert all(card.collection in prompt.text for card in cards)


def test_thirty_collections_are_all_described_whatever_is_asked() -> None:
    cards = []
    for n in range(30):
        words = tuple(f"word{n} {m}" for m in range(40))
        cards.append(Card(f"team-{n}", "v", f"Team {n}", words, words, words, words, documents=9))
    prompt = rendered(cards)
    assert not prompt.is_cut
    assert rendered(cards, asked=Asked(("word3 7",))) == prompt


async def test_the_nearest_of_sixty_cards_are_described() -> None:
    embedder = HashingEmbedder()
    cards = await many_cards(embedder)
    for question, term in (("How do I ask for vacation?", "vacation"), ("interviews with candidates", "interviews")):
        asked = Asked((question,), await embedder.embed([question], "query"), embedder.name)
        prompt = rendered(cards, asked=asked)
        right = {card.collection for card in cards if term in card.terms}
        assert prompt.is_cut
        assert len(right) == 5
        assert right <= prompt.described


async def test_meaning_finds_a_card_that_shares_no_term() -> None:
    embedder = HashingEmbedder()
    cards = [
        *(plain(number) for number in range(100)),
        Card(
            "near",
            "v",
            "N",
            examples=("q1", "q2"),
            vectors=np.stack([(await embedder.embed(["unseen words"], "query"))[0]] * 2).astype(np.float16).tobytes(),
            embedding=embedder.name,
        ),
    ]
    asked = Asked(("unseen words",), await embedder.embed(["unseen words"], "query"), embedder.name)
    assert ranked(cards, asked)[0].collection == "near"
    assert ranked(cards, Asked(asked.texts))[0].collection == "c000"


async def test_cards_of_another_embedder_are_judged_by_their_terms() -> None:
    cards = await many_cards(HashingEmbedder(32))
    embedder = HashingEmbedder(64)
    question = "payroll bonuses own6"
    asked = Asked((question,), await embedder.embed([question], "query"), embedder.name)
    assert ranked(cards, asked)[0].collection == "collection-06"
    assert ranked(cards, asked) == ranked(cards, Asked((question,)))


def test_what_a_follow_up_follows_up_on_counts_as_asked() -> None:
    cards = [plain(number) for number in range(60)] + [plain(60, ("shared", "zeppelin"))]
    prompt = rendered(cards, asked=Asked(("And how long?", "Who repairs the zeppelin?")))
    assert "c060" in prompt.described


def test_one_huge_card_hides_no_other() -> None:
    long = tuple("a very long heading about nothing in particular " * 3 + str(n) for n in range(20))
    cards = [Card(f"c{n:02d}", "v", "x" * 160, long, long, long, long, hint="y" * 160) for n in range(40)]
    prompt = rendered(cards, asked=Asked(("anything",)))
    assert tokens(prompt.text) <= BUDGET
    assert prompt.described
    assert all(card.collection in prompt.text for card in cards)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("The quick brown fox jumps over the lazy dog.", 10, 15),  # 10 tokens with today's tokenizers
        ("연차는 며칠까지 이월할 수 있나요?", 10, 25),  # 11 to 19
        ("kubectl rollout undo deployment/web --to-revision=2", 13, 18),
    ],
)
def test_tokens_are_rather_over_than_underestimated(text: str, least: int, most: int) -> None:
    assert least <= tokens(text) <= most


@given(st.text(max_size=80), st.text(max_size=80))
def test_parts_cost_at_least_what_the_whole_does(one: str, other: str) -> None:
    assert tokens(one + other) <= tokens(one) + tokens(other)
    assert tokens(one + other) >= tokens(one)
