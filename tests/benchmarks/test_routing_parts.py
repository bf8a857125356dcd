"""How the routing benchmarks cut, spoil and count."""

from __future__ import annotations

from collections import Counter

import pytest

from core.documents import Card
from tests.benchmarks.damages import Foreign, damages
from tests.benchmarks.routing_data import Section, thirty
from tests.benchmarks.selftest import spearman


def section(document: str, corpus: str = "manual") -> Section:
    return Section(corpus, "en", f"{document}#1", document, "T", "H", 2, "text")


def test_the_smallest_folders_are_merged_into_the_nearest_above_them() -> None:
    sections = [section("a/b/c/x.md"), *[section("a/y.md")] * 3, *[section("z/w.md")] * 5, *[section("top.md")] * 4]
    assert {thirty(sections, 4)("manual", s.document) for s in sections} == {
        "manual",
        "manual-a",
        "manual-a-b-c",
        "manual-z",
    }
    place = thirty(sections, 3)
    assert place("manual", "a/b/c/x.md") == place("manual", "a/y.md") == "manual-a"


def test_a_folder_with_nothing_above_it_joins_the_smallest_other_of_its_corpus() -> None:
    sections = [
        section("a/x.md"),
        *[section("b/y.md")] * 2,
        *[section("c/z.md")] * 3,
        section("d/w.md", "other"),
        section("e/v.md", "other"),
    ]
    place = thirty(sections, 3)
    assert place("manual", "a/x.md") == "manual-b"
    assert Counter(place(s.corpus, s.document).split("-")[0] for s in sections) == {"manual": 6, "other": 2}


def test_ranks_correlate_whatever_the_values() -> None:
    assert spearman([1, 2, 3, 4], [10, 100, 1000, 10000]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    assert spearman([1, 1, 2, 2], [5, 5, 7, 7]) == pytest.approx(1)
    assert spearman([1, 1, 1], [1, 2, 3]) == 0
    assert spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(0.9487, abs=1e-4)


def test_every_damage_leaves_cards_for_all_collections_and_the_first_is_none() -> None:
    words = tuple(f"word {n}" for n in range(40))
    cards = [Card(name, "v", name, words, words, words, words, examples=words) for name in ("a", "b", "c")]
    made = {name: damage(cards) for name, damage in damages(Foreign(("foreign phrase",) * 50, ("foreign",) * 50))}
    assert made["none"] == cards
    assert len(made) >= 11
    assert all([card.collection for card in spoilt] == ["a", "b", "c"] for spoilt in made.values())
    assert made["emptied: 1"][0].examples == ()
    assert made["emptied: 1"][1] == cards[1]
