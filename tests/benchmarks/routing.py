"""Routing among three real corpora and small talk by Cards alone, with the local planner.

A question is a heading of a section. It counts as right when the planner's first collection is the
heading's corpus; small talk is right when the route is `direct`. Everything else is wrong, `clarify`
included. Strings that stand in two corpora have no right answer and are left out. Two settings: Cards
made from the other half of the sections, without any heading that is asked (both halves take turns),
and Cards made from everything, as in use.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.answers import Plan
from core.catalog.cards import Cards
from core.catalog.terms import DigestBuilder
from core.documents import Card, DocumentRecord
from core.messages import Language
from core.ports import Embedder, PlanRequest
from core.retrieval.language import question_language
from tests.benchmarks.rows import Row

CORPORA = {"helm": ("en", "ko"), "fastapi": ("en", "ko"), "handbook18f": ("en",)}
SMALL_TALK_TEXT = (
    "greeting thank_you goodbye how_old_are_you what_can_i_ask_you fun_fact where_are_you_from what_is_your_name"
    " tell_joke are_you_a_bot who_made_you meaning_of_life yes no maybe"
)
SMALL_TALK = frozenset(SMALL_TALK_TEXT.split())
TODAY = date(2026, 11, 30)
EVERY = 3
"""Small talk is sampled, every third row, so that it does not outweigh the questions."""


@dataclass(frozen=True, slots=True)
class Case:
    """One message and where it belongs: a corpus, `direct` or `web`."""

    text: str
    right: str
    half: int = 0


async def run(data: Path | None) -> list[Row]:
    """All rows; none without the data."""
    if data is None or not (data / "routing").is_dir():
        return []
    sections = {name: list(read_sections(data, name)) for name in CORPORA}
    cases, talk = questions(data, sections), small_talk(data)
    async with USEEmbedder() as embedder:
        held = []
        for half in (0, 1):
            asked = [case for case in cases if case.half == half]
            cards = await make_cards(embedder, sections, without=frozenset(case.text for case in asked), half=1 - half)
            held += await route(embedder, cards, [*asked, *talk[half::2]])
        cards = await make_cards(embedder, sections)
        full = await route(embedder, cards, [*cases, *talk])
        world = [Case(r["question"], "web") for r in _rows(data / "routing" / "web_en.jsonl")][::EVERY]
        abroad = await route(embedder, cards, [*world, *cases[::EVERY]], web=True)
        home = await route(embedder, cards, world)
    return [
        *_scores("held-out Cards", held, "accuracy ≥ 90 (aim ≥ 92)"),
        *_scores("full Cards", full, "accuracy ≥ 90"),
        _share("world questions sent to the web, web allowed", abroad, lambda c, p: p.route == "web", {"web"}),
        _share("corpus questions sent to the web, web allowed", abroad, lambda c, p: p.route == "web", set(CORPORA)),
        _share("world questions answered as small talk, web off", home, lambda c, p: p.route == "direct", {"web"}),
    ]


def _scores(setting: str, results: Sequence[tuple[Case, Plan]], target: str) -> list[Row]:
    guesses = [(case.right, choice(plan)) for case, plan in results]
    right = 100 * sum(r == g for r, g in guesses) / len(guesses)
    inside = set(CORPORA)
    rows = [
        Row(f"routing, {setting}: accuracy (n={len(guesses)})", round(right, 1), "%", target, met=right >= 90),
        Row(f"routing, {setting}: macro F1", round(100 * macro_f1(guesses), 1), "%", "≥ 90 (aim)"),
    ]
    for name in (*CORPORA, "direct"):
        own = [g for r, g in guesses if r == name]
        rows.append(Row(f"routing, {setting}: {name} right (n={len(own)})", _percent(own.count(name), len(own)), "%"))
    rows.append(
        _share(f"{setting}: questions answered as small talk", results, lambda c, p: p.route == "direct", inside)
    )
    rows.append(_share(f"{setting}: right collection searched", results, lambda c, p: c.right in p.collections, inside))
    searched = [len(p.collections) for c, p in results if c.right in inside and p.route == "collections"]
    rows.append(Row(f"routing, {setting}: collections searched of 3", round(sum(searched) / len(searched), 2), ""))
    return rows


def choice(plan: Plan) -> str:
    """What the plan put first."""
    return plan.collections[0] if plan.route == "collections" and plan.collections else plan.route


def macro_f1(guesses: Sequence[tuple[str, str]]) -> float:
    """Mean over the true classes of 2·tp / (2·tp + fp + fn)."""
    names = sorted({right for right, _ in guesses})
    values = []
    for name in names:
        hit = sum(r == g == name for r, g in guesses)
        off = sum((r == name) != (g == name) for r, g in guesses)
        values.append(2 * hit / (2 * hit + off) if hit or off else 0.0)
    return sum(values) / len(values)


async def route(
    embedder: Embedder, cards: Sequence[Card], cases: Sequence[Case], *, web: bool = False
) -> list[tuple[Case, Plan]]:
    """Plan each message as the first of its thread."""
    planner = LocalPlanner(embedder)
    results = []
    for case in cases:
        language: Language = "ko" if question_language(case.text) == "ko" else "en"
        request = PlanRequest(case.text, language, TODAY, tuple(cards), web_allowed=web)
        results.append((case, await planner.plan(request)))
    return results


async def make_cards(
    embedder: Embedder,
    sections: Mapping[str, Sequence[tuple[str, dict[str, Any]]]],
    without: frozenset[str] = frozenset(),
    half: int | None = None,
) -> list[Card]:
    """Cards from the sections of one half, or of both, with no heading that is in `without`."""
    records, digests = {}, []
    for name, rows in sections.items():
        used = [(language, s) for language, s in rows if half is None or half_of(s["_id"]) == half]
        builder = DigestBuilder(name)
        headings: dict[tuple[str, str], list[str]] = defaultdict(list)
        titles: dict[tuple[str, str], str] = {}
        for key, texts in _by_document(used).items():
            builder.add("/".join(key), "\n".join(texts))
        for language, s in used:
            titles[language, s["doc"]] = s["doc_title"] or s["doc"]
            heading = (s["heading"] or "").strip()
            if heading and heading not in without:
                headings[language, s["doc"]].append(heading)
        records[name] = [
            DocumentRecord("/".join(key), "", "", title, key[0], 1, headings=tuple(headings[key]))
            for key, title in titles.items()
        ]
        digests.append(builder.build())
    return await Cards(embedder).make(records, digests, {}, {})


def _by_document(used: Iterable[tuple[str, dict[str, Any]]]) -> dict[tuple[str, str], list[str]]:
    texts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for language, s in used:
        texts[language, s["doc"]].append(s["text"])
    return texts


def questions(data: Path, sections: Mapping[str, Sequence[tuple[str, dict[str, Any]]]]) -> list[Case]:
    """Headings as questions: each string once, none that stands in two corpora or in both halves."""
    found: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for name in ("helm", "fastapi"):
        for row in _rows(data / "corpora" / name / "heading_queries.jsonl"):
            for text in (row["en"], row["ko"]):
                if text:
                    found[text.strip()].add((name, half_of(row["qid"])))
    for _, s in sections["handbook18f"]:
        if s["heading"] and s["level"] > 1:
            found[s["heading"].strip()].add(("handbook18f", half_of(s["_id"])))
    single = {text: next(iter(places)) for text, places in found.items() if len(places) == 1}
    return [Case(text, corpus, half) for text, (corpus, half) in single.items()]


def small_talk(data: Path) -> list[Case]:
    """Korean chit-chat and the small-talk intents of an English assistant."""
    korean = [row["q"] for row in _rows(data / "routing" / "chitchat_ko.jsonl")]
    clinc = _rows(data / "routing" / "clinc150_small.jsonl")
    english = [row["text"] for row in clinc if row["intent"] in SMALL_TALK]
    return [Case(text, "direct") for text in [*korean[::EVERY], *english[::EVERY]]]


def read_sections(data: Path, corpus: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """(language, section) of a corpus."""
    for language in CORPORA[corpus]:
        for row in _rows(data / "corpora" / corpus / language / "sections.jsonl"):
            yield language, row


def half_of(section: str) -> int:
    """0 or 1, the same for a section in both languages."""
    return hashlib.blake2b(section.encode(), digest_size=1).digest()[0] & 1


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _share(name: str, results: Sequence[tuple[Case, Plan]], test: Any, of: set[str]) -> Row:
    counted = Counter(bool(test(case, plan)) for case, plan in results if case.right in of)
    return Row(f"routing, {name}", _percent(counted[True], counted.total()), "%")


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 1)
