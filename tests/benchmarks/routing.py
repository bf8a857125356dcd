"""Routing among three real corpora, small talk and world questions by Cards alone, with the local planner.

A question is a heading of a section, or was typed by somebody. It counts as right when the planner's first
collection is the question's corpus; small talk is right when the route is `direct`, a world question when it is
`web`, which is allowed. Everything else is wrong, `clarify` included. Two settings: Cards made from everything, as
a sync makes them (some headings are held back from each; the self-test asks those), and Cards made from the other
half of the sections, without any heading that is asked (both halves take turns).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.catalog import selftest
from core.catalog.probes import probes
from core.documents import Card
from core.ports import Embedder
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.routed import Routed, accuracy, macro_f1, percent, route, share
from tests.benchmarks.routing_data import (
    CORPORA,
    half_of,
    headings,
    make_cards,
    read_sections,
    small_talk,
    typed,
    world,
)
from tests.benchmarks.rows import Row


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "routing").is_dir():
        return []
    sections = read_sections(data)
    asked, talk, outside = headings(data, sections), small_talk(data), world(data)
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        cards = await make_cards(embedder, sections)
        full = await route(embedder, cards, [*asked, *talk, *outside], web=True)
        rows = [*_scores("full Cards", full, target=True), *await _self_test(embedder, cards)]
        held = []
        for half in (0, 1):
            own = [case for case in asked if case.half == half]
            rest = [section for section in sections if half_of(section.id) != half]
            without = frozenset(case.text for case in own)
            unseen = await make_cards(embedder, rest, without=without)
            held += await route(embedder, unseen, [*own, *talk[half::2], *outside[half::2]], web=True)
        written = await route(embedder, cards, typed(), web=True)
        fresh = await route(embedder, cards, world(data, "freshqa"), web=True)
        home = await route(embedder, cards, outside)
    return [
        *rows,
        *_scores("Cards without the half that is asked", held),
        *_for_people("questions as typed", written),
        Row(f"routing, questions of FreshQA sent to the web (n={len(fresh)})", accuracy(fresh), "%"),
        Row(
            "routing, world questions answered as small talk, web off", share(home, lambda r: r.choice == "direct"), "%"
        ),
    ]


def _scores(setting: str, results: Sequence[Routed], *, target: bool = False) -> list[Row]:
    right, f1 = accuracy(results), macro_f1(results)
    goals = ("≥ 92", "≥ 90", right >= 92, f1 >= 90) if target else ("", "", None, None)
    rows = [
        Row(f"routing, {setting}: accuracy (n={len(results)})", right, "%", goals[0], met=goals[2]),
        Row(f"routing, {setting}: macro F1", f1, "%", goals[1], met=goals[3]),
    ]
    for name in (*CORPORA, "direct", "web"):
        own = [each for each in results if each.case.right == (name,)]
        rows.append(Row(f"routing, {setting}: {name} right (n={len(own)})", accuracy(own), "%"))
    return rows + _for_people(setting, [each for each in results if each.case.right[0] in CORPORA], named=False)


def _for_people(setting: str, own: Sequence[Routed], *, named: bool = True) -> list[Row]:
    """What happens to questions for the documents."""
    searched = [len(each.plan.collections) for each in own if each.plan.route == "collections"]
    right = [Row(f"routing, {setting}: right (n={len(own)})", accuracy(own), "%")] if named else []
    return [
        *right,
        Row(f"routing, {setting}: right collection searched", share(own, lambda r: r.is_searched), "%"),
        Row(f"routing, {setting}: collections searched of 3", round(sum(searched) / max(1, len(searched)), 2), ""),
        Row(f"routing, {setting}: questions taken for small talk", share(own, lambda r: r.plan.route == "direct"), "%"),
        Row(f"routing, {setting}: questions sent to the web", share(own, lambda r: r.plan.route == "web"), "%"),
    ]


async def _self_test(embedder: Embedder, cards: Sequence[Card]) -> list[Row]:
    """What the sync that made these Cards would report: headings that they have not seen."""
    found = await selftest.run(LocalPlanner(embedder), cards, probes(cards), selftest.Trial(seconds=600))
    rows = [Row("routing, self-test of these Cards: accuracy", percent(found.overall.hits, found.overall.asked), "%")]
    for name, tally in {**found.collections, "small talk": found.talk, "out of scope": found.outside}.items():
        label = f"routing, self-test of these Cards: {name} right (n={tally.asked})"
        rows.append(Row(label, percent(tally.hits, tally.asked), "%"))
    return rows
