"""Routing among thirty collections: the corpora split by folder.

How they are cut: each folder of each corpus is a collection, with its documents in both languages (sixty); then the
smallest is merged into the nearest folder above it that is still one, or else into the smallest other of its corpus,
until thirty are left. No folder is divided, so the largest is as large as the corpus made it. Folders of one manual
are nearer to each other than a team's collections are: this is the hard case. Cards from everything, as a sync makes
them, and Cards from the other half of the sections, without any heading that is asked; the first cut for a model's
prompt is measured on the same questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from adapters.local.use import USEEmbedder
from core.catalog.first_cut import Asked
from core.catalog.prompt import rendered
from core.catalog.tokens import tokens
from core.documents import Card
from core.ports import Embedder
from tests.benchmarks.kept_vectors import KeptVectors
from tests.benchmarks.routed import Routed, accuracy, percent, route, share
from tests.benchmarks.routing_data import Case, half_of, headings, make_cards, read_sections, thirty, typed
from tests.benchmarks.rows import Row

TIGHT = 1500
"""Half of the usual budget: with thirty Cards the usual one still describes them all."""


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "corpora").is_dir():
        return []
    sections = read_sections(data)
    place = thirty(sections)
    asked, written = headings(data, sections, place), typed(place)
    async with USEEmbedder() as inner:
        embedder = KeptVectors(inner)
        cards = await make_cards(embedder, sections, place)
        full = await route(embedder, cards, asked)
        rows = _scores(f"{len(cards)} collections", full, target=True)
        rows += _scores(f"{len(cards)} collections, as typed", await route(embedder, cards, written))
        held: list[Routed] = []
        for half in (0, 1):
            own = [case for case in asked if case.half == half]
            rest = [section for section in sections if half_of(section.id) != half]
            unseen = await make_cards(embedder, rest, place, frozenset(case.text for case in own))
            held += await route(embedder, unseen, own)
        rows += _scores(f"{len(cards)} collections, Cards without the half that is asked", held)
        rows += await _first_cut(embedder, cards, [*asked[::5], *written])
    return rows


def _scores(setting: str, results: Sequence[Routed], *, target: bool = False) -> list[Row]:
    two = accuracy(results, 2)
    searched = sum(len(each.plan.collections) for each in results) / max(1, len(results))
    goal, met = ("≥ 85", two >= 85) if target else ("", None)
    return [
        Row(f"routing, {setting}: right in the first two (n={len(results)})", two, "%", goal, met=met),
        Row(f"routing, {setting}: right one first", accuracy(results), "%"),
        Row(f"routing, {setting}: right collection searched", share(results, lambda r: r.is_searched), "%"),
        Row(f"routing, {setting}: collections searched", round(searched, 1), ""),
    ]


async def _first_cut(embedder: Embedder, cards: Sequence[Card], cases: Sequence[Case]) -> list[Row]:
    vectors = await embedder.embed([case.text for case in cases], "query")
    described, held, largest = 0, 0, 0
    for case, vector in zip(cases, vectors, strict=True):
        prompt = rendered(cards, budget=TIGHT, asked=Asked((case.text,), vector[None], embedder.name))
        described += len(prompt.described)
        held += bool(prompt.described & set(case.right))
        largest = max(largest, tokens(prompt.text))
    name = f"router prompt, {len(cards)} Cards in {TIGHT} tokens"
    return [
        Row(f"{name}: right Card described (n={len(cases)})", percent(held, len(cases)), "%"),
        Row(f"{name}: Cards described", round(described / max(1, len(cases)), 1), ""),
        Row(f"{name}: longest prompt", largest, "tokens", f"≤ {TIGHT}", met=largest <= TIGHT),
    ]
