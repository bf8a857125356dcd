"""The refiner keeps sentences that speak to the question, whole and in order, and never a heading."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local.hashing import HashingEmbedder
from adapters.local.refiner import LocalRefiner
from core.answers import Plan
from core.retrieval.analysis import BigramAnalyzer
from tests.retrieval.memory import passage

PLAN = Plan("q", "collections")
TEXT = """## Annual leave

Everybody has 25 days of annual leave. Unused days of annual leave expire in March.

- Sick leave needs a note after three days.
- Parental leave has a page of its own.

| Country | Days |
|---|---|
| Korea | 15 |

```
leave request --days 3
```
The canteen opens at noon.
"""


def refiner(above: float = 0.35) -> LocalRefiner:
    return LocalRefiner(HashingEmbedder(64), BigramAnalyzer(), above=above)


def flat(text: str) -> str:
    return " ".join(text.split())


async def test_the_sentence_asked_about_is_kept() -> None:
    refined = await refiner().refine("How many days of annual leave?", PLAN, [passage(TEXT, document="a")])
    assert any("25 days of annual leave" in strip.text for strip in refined.strips)


async def test_headings_and_titles_are_never_strips() -> None:
    page = passage(TEXT, document="a", title="Annual leave")
    refined = await refiner(above=0.0).refine("annual leave", PLAN, [page])
    assert all(flat(strip.text) != "Annual leave" and "##" not in strip.text for strip in refined.strips)


async def test_strips_stay_within_their_paragraph_item_row_or_fence() -> None:
    refined = await refiner(above=0.0).refine("annual leave", PLAN, [passage(TEXT, document="a")])
    assert [flat(strip.text) for strip in refined.strips] == [
        "Everybody has 25 days of annual leave. Unused days of annual leave expire in March.",
        "Sick leave needs a note after three days.",
        "Parental leave has a page of its own.",
        "| Korea | 15 |",
        "``` leave request --days 3 ```",
        "The canteen opens at noon.",
    ]


async def test_a_strip_has_three_sentences_at_most() -> None:
    text = " ".join(f"Sentence number {n} speaks of leave." for n in range(8))
    refined = await refiner(above=0.0).refine("leave", PLAN, [passage(text, document="a")])
    assert [strip.text.count(".") for strip in refined.strips] == [3, 3, 2]


async def test_the_best_sentence_stays_when_nothing_passes_and_the_result_is_weak() -> None:
    refined = await refiner(above=1.0).refine(
        "annual leave", PLAN, [passage("It rains.", document="b"), passage(TEXT, document="a")]
    )
    assert refined.weak
    assert len(refined.strips) == 1
    assert "annual leave" in refined.strips[0].text


async def test_strips_come_in_the_order_of_the_passages() -> None:
    pages = [passage("Leave is paid.", document="a"), passage("Leave is long.", document="b")]
    refined = await refiner(above=0.0).refine("leave", PLAN, pages)
    assert [strip.passage_id for strip in refined.strips] == [page.id for page in pages]
    assert not refined.weak


async def test_nothing_to_refine_is_weak_and_empty() -> None:
    assert (await refiner().refine("leave", PLAN, [])).strips == ()
    only_headings = await refiner().refine("leave", PLAN, [passage("# Leave\n\n## More", document="a")])
    assert only_headings.weak
    assert only_headings.strips == ()


@given(st.text(max_size=200), st.text(max_size=600))
@settings(max_examples=60, deadline=None)
async def test_strips_are_words_of_their_passage(question: str, text: str) -> None:
    refined = await refiner(above=0.0).refine(question, PLAN, [passage(text, document="a")])
    for strip in refined.strips:
        assert 0.0 <= strip.p <= 1.0
        assert strip.text.strip()
