"""Cards: generated from records and digests, deterministic, and with no word of another collection."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from datetime import date
from typing import Literal

import numpy as np

from adapters.local.hashing import HashingEmbedder
from core.catalog.cards import EXAMPLES, Cards, describe
from core.documents import Card, Digest, DocumentRecord, TimeSpan
from core.ports import Vectors


class CountingEmbedder(HashingEmbedder):
    """The hashing embedder, remembering how many texts it was given."""

    texts = 0

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        self.texts += len(texts)
        return await super().embed(texts, kind)


def record(id: str, title: str, *headings: str, language: str = "en", day: date | None = None) -> DocumentRecord:
    return DocumentRecord(id, "hash", "print", title, language, 3, date=day, headings=headings)


RECORDS = {
    "runbooks": [
        record("aks.md", "Cluster upgrade", "What went wrong?", "Timeline", day=date(2025, 3, 1)),
        record("failover.md", "장애 조치", "어떻게 되돌리나요?", "절차", language="ko", day=date(2024, 1, 5)),
    ],
    "policies": [record("faq.md", "FAQ", "Can I work from home?"), record("leave.md", "Leave", "How much leave")],
}
DIGESTS = [
    Digest("runbooks", 2, {"cluster": 2, "node": 1, "page": 2}),
    Digest("policies", 2, {"leave": 2, "home": 1, "page": 2}),
]


async def make(embedder: HashingEmbedder | None = None, **changed: object) -> dict[str, Card]:
    given = {"records": RECORDS, "digests": DIGESTS, "hints": {"policies": "people first"}, "titles": {}} | changed
    cards = await Cards(embedder or HashingEmbedder()).make(**given)  # type: ignore[arg-type]
    return {card.collection: card for card in cards}


async def test_a_card_says_what_the_collection_is_about() -> None:
    card = (await make())["runbooks"]
    assert card.terms[:2] == ("cluster", "node")
    assert set(card.titles) == {"Cluster upgrade", "장애 조치"}
    assert card.languages == {"en": 1, "ko": 1}
    assert (card.documents, card.passages) == (2, 6)
    assert card.dates == TimeSpan(date(2024, 1, 5), date(2025, 3, 1))
    assert card.questions[:2] == ("What went wrong?", "어떻게 되돌리나요?")


async def test_questions_of_a_faq_page_come_first() -> None:
    assert (await make())["policies"].questions[0] == "Can I work from home?"


async def test_only_the_hint_and_the_title_come_from_people() -> None:
    card = (await make(titles={"policies": "People handbook"}))["policies"]
    assert (card.title, card.hint) == ("People handbook", "people first")
    assert (await make())["runbooks"].title == "runbooks"


async def test_no_word_of_another_collection_gets_into_a_card() -> None:
    card = (await make())["policies"]
    shown = " ".join([*card.terms, *card.titles, *card.headings, *card.questions, *card.examples]).lower()
    assert not any(word in shown for word in ("cluster", "node", "timeline", "장애"))


async def test_the_order_of_documents_changes_nothing() -> None:
    shuffled = {name: random.Random(5).sample(rows, len(rows)) for name, rows in RECORDS.items()}
    assert await make() == await make(records=shuffled, digests=DIGESTS[::-1])


async def test_the_version_changes_with_the_content_and_only_then() -> None:
    before = await make()
    assert {name: card.version for name, card in before.items()} == {
        name: card.version for name, card in (await make()).items()
    }
    more = {**RECORDS, "policies": [*RECORDS["policies"], record("new.md", "Expenses")]}
    after = await make(records=more)
    assert after["policies"].version != before["policies"].version


async def test_vectors_are_the_examples_rows_in_half_precision() -> None:
    embedder = HashingEmbedder()
    card = (await make(embedder))["runbooks"]
    rows = np.frombuffer(card.vectors, np.float16).reshape(len(card.examples), embedder.dimension)
    assert np.allclose(rows, await embedder.embed(card.examples, "query"), atol=1e-3)
    assert card.embedding == embedder.name


async def test_known_phrases_are_not_embedded_again() -> None:
    embedder = CountingEmbedder()
    cards = await make(embedder)
    embedder.texts = 0
    again = await make(embedder, previous=list(cards.values()))
    assert embedder.texts == 0
    assert again == cards


async def test_cards_of_another_embedder_lend_nothing() -> None:
    cards = await make(HashingEmbedder(32))
    assert (await make(HashingEmbedder(64), previous=list(cards.values()))) == await make(HashingEmbedder(64))


async def test_an_empty_collection_has_a_card() -> None:
    card = (await make(records={"empty": []}, digests=[]))["empty"]
    assert (card.documents, card.examples, card.vectors, card.dates) == (0, (), b"", None)


def test_a_cut_leaves_no_document_without_an_example() -> None:
    records = [record(f"{n:04d}.md", f"Title {n}", *(f"Heading {n} {h}" for h in range(9))) for n in range(400)]
    card = describe("big", records, ())
    assert len(card.examples) == EXAMPLES
    assert {f"Title {n}" for n in range(400)} <= {*card.examples, *card.held}
    assert {f"Heading {n} 0" for n in range(400)} <= {*card.examples, *card.held}


def test_markup_in_headings_is_dropped() -> None:
    card = describe("docs", [record("a.md", "A", "Use [`helm`](https://helm.example/x) **now** {#anchor}")], ())
    assert card.headings == ("Use helm now",)


async def test_questions_are_answered_while_the_cards_of_a_large_collection_are_made() -> None:
    large = [record(f"{n}.md", f"Page {n}", *(f"Heading {n} about topic {m}" for m in range(8))) for n in range(1500)]
    making = asyncio.ensure_future(Cards(HashingEmbedder(64)).make({"docs": large}, [Digest("docs", 1500)], {}, {}))
    turns = 0
    while not making.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert (await making)[0].documents == 1500
    assert turns > 10


async def test_what_people_say_of_a_collection_is_compared_with_too() -> None:
    hinted = {"policies": "Leave and pay, travel; 경조사"}
    card = (await make(hints=hinted, titles={"policies": "People handbook"}))["policies"]
    assert {"People handbook", "Leave and pay", "travel", "경조사"} <= set(card.examples)
    assert len(card.examples) == len(set(card.examples))
