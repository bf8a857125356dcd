"""What changed of a Card, as `refdesk router --diff` tells it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from core.catalog.changes import ListChange, change
from core.catalog.telling import told_change
from core.documents import Card, TimeSpan

BEFORE = Card(
    "helm",
    "v1",
    "Helm",
    terms=("chart", "tiller"),
    titles=("Charts",),
    headings=("Install", "Tiller"),
    languages={"en": 2},
    documents=2,
    passages=9,
)


def test_what_came_and_went_is_told_and_nothing_else() -> None:
    now = replace(
        BEFORE, version="v2", terms=("chart", "oci"), headings=("Install", "Registries"), documents=3, hint="releases"
    )
    found = change(BEFORE, now)
    assert found.lists == {
        "terms": ListChange(("oci",), ("tiller",)),
        "headings": ListChange(("Registries",), ("Tiller",)),
    }
    assert found.facts == {"hint": ("", "releases"), "documents": ("2", "3")}
    lines = list(told_change(found, "en"))
    assert lines[0] == "helm: version v1 → v2"
    assert "  + headings: Registries" in lines
    assert "  - key terms: tiller" in lines
    assert "  documents: 2 → 3" in lines


def test_a_new_card_is_new() -> None:
    found = change(None, BEFORE)
    assert (found.is_new, found.is_none) == (True, False)
    assert list(told_change(found, "ko")) == ["helm: 새 카드, 버전 v1"]


def test_terms_that_swap_places_are_no_change() -> None:
    found = change(BEFORE, replace(BEFORE, version="v2", terms=("tiller", "chart")))
    assert found.is_none
    assert "nothing" in next(iter(told_change(found, "en")))


def test_dates_and_languages_are_told_in_words() -> None:
    now = replace(BEFORE, languages={"en": 2, "ko": 1}, dates=TimeSpan(date(2024, 1, 2), date(2025, 3, 4)))
    assert change(BEFORE, now).facts == {"languages": ("en 2", "en 2, ko 1"), "dates": ("", "2024-01-02 – 2025-03-04")}


def test_long_lists_are_cut_and_counted() -> None:
    now = replace(BEFORE, headings=tuple(f"Heading {n}" for n in range(50)))
    line = next(line for line in told_change(change(BEFORE, now), "en") if line.startswith("  + headings"))
    assert line.endswith("(+38)")
