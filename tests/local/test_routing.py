"""What the local planner knows of a message: chances among few and many Cards, kinds of messages, shared Cards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.hashing import HashingEmbedder
from adapters.local.kinds import Kinds, Met
from adapters.local.planner import LocalPlanner
from adapters.local.routing import Router, known
from adapters.local.smalltalk import Phrases, load
from adapters.local.use import USEEmbedder
from core.catalog.cards import Cards
from core.documents import Card, Digest, DocumentRecord
from core.ports import PlanRequest

SUBJECTS = ("harbour", "orchard", "glacier", "violin", "turbine", "falcon", "saddle", "lantern", "quarry", "compass")


async def cards(embedder: HashingEmbedder, count: int = 60) -> list[Card]:
    """Collections on ten subjects, each with a word of its own."""
    records, digests = {}, []
    for number in range(count):
        subject, own = SUBJECTS[number % len(SUBJECTS)], f"unit{number:02d}x"
        name = f"team-{number:02d}"
        headings = (f"{subject} rules", f"{subject} {own} handling", f"who looks after the {subject}")
        records[name] = [DocumentRecord("a.md", "", "", f"{subject} guide", "en", 3, headings=headings)]
        digests.append(Digest(name, 1, {subject: 1, own: 1, "rules": 1}))
    return await Cards(embedder).make(records, digests, {}, {})


async def router(embedder: HashingEmbedder, given: Sequence[Card]) -> Router:
    phrases = await load(embedder)
    ready = [known(card, await embedder.embed(card.examples, "query")) for card in given]
    return Router(ready, phrases, Kinds(phrases))


async def test_among_sixty_collections_the_ones_on_the_subject_come_first() -> None:
    embedder = HashingEmbedder()
    judge = await router(embedder, await cards(embedder))
    text = "violin unit23x"
    scored = judge.score(text, (await embedder.embed([text], "query"))[0])
    assert scored.collections[0] == "team-23"
    assert {int(name[-2:]) % 10 for name in scored.collections[:6]} == {3}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 12), st.sampled_from(["violin rules", "", "unit03x", "바이올린 규칙", "something else"]))
async def test_chances_are_shares_in_falling_order(count: int, text: str) -> None:
    embedder = HashingEmbedder(32)
    judge = await router(embedder, await cards(embedder, count))
    scored = judge.score(text, (await embedder.embed([text], "query"))[0])
    assert len(scored.collections) == len(scored.chances) == len(scored.margins) == count
    assert not count or abs(sum(scored.chances) - 1) < 1e-5
    assert list(scored.chances) == sorted(scored.chances, reverse=True)
    assert list(scored.margins) == sorted(scored.margins)
    assert 0 <= scored.talk <= 1
    assert 0 <= scored.world <= 1


async def test_collections_with_the_same_documents_are_both_searched() -> None:
    embedder = HashingEmbedder()
    (one,) = await cards(embedder, 1)
    records = {"a": [DocumentRecord("a.md", "", "", "harbour guide", "en", 3, headings=("harbour rules",))]}
    twins = await Cards(embedder).make({**records, "b": records["a"]}, [], {}, {})
    plan = await LocalPlanner(embedder).plan(
        PlanRequest("harbour rules", "en", date(2026, 1, 1), (*twins, *await cards(embedder, 30)))
    )
    assert {"a", "b"} <= set(plan.collections)
    assert one.collection in plan.collections


async def test_where_nothing_is_near_all_collections_are_searched() -> None:
    embedder = HashingEmbedder()
    given = tuple(await cards(embedder))
    plan = await LocalPlanner(embedder).plan(
        PlanRequest("what about the zxqv blorb frobnication", "en", date(2026, 1, 1), given)
    )
    assert set(plan.collections) == {card.collection for card in given}


async def test_readers_of_different_collections_share_the_prepared_cards() -> None:
    class Counting(HashingEmbedder):
        texts = 0

        async def embed(self, texts, kind):  # type: ignore[no-untyped-def]
            self.texts += len(texts)
            return await super().embed(texts, kind)

    foreign = tuple(await cards(HashingEmbedder(32), 20))  # their vectors have to be made anew
    embedder = Counting(64)
    planner = LocalPlanner(embedder)
    await planner.plan(PlanRequest("violin rules", "en", date(2026, 1, 1), foreign))
    embedder.texts = 0
    for readable in (foreign[:10], foreign[5:], foreign[3:12]):
        await planner.plan(PlanRequest("violin rules", "en", date(2026, 1, 1), readable))
    assert embedder.texts == 3


async def test_the_learned_direction_is_used_for_its_embedder_alone() -> None:
    assert (await load(HashingEmbedder())).to_talk is None
    taught = (await load(USEEmbedder())).to_talk
    assert taught is not None
    assert taught[0].shape == (512,)


def test_what_the_cards_are_near_to_is_less_likely_small_talk() -> None:
    rows = np.eye(4, dtype=np.float32)
    phrases = Phrases(("hi", "who won", "my badge", "bye"), ("greeting", "world", "work", "goodbye"), rows)
    kinds = Kinds(phrases)
    vector = np.array([0.5, 0.5, 0.5, 0.5], np.float32)
    chances = [kinds.chances(vector, Met(near, 0.0, 3.0)) for near in (0.0, 0.5, 0.7, 1.0)]
    assert chances == sorted(chances, reverse=True)
