"""The numbers of `answers`: right documents, quoted facts, honest refusals; a real handbook by its headings."""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bots import places
from bots.compose import opened
from bots.settings import PolicySettings, Settings
from core.evaluation.datasets import sections
from tests.benchmarks.answers.asking import TODAY, Interview, MovableClock, Outcome, Question, bench_seat, questions
from tests.benchmarks.rows import Row

PRESETS = ("chain", "self", "crag", "adaptive")
HEADINGS = 150


async def run(data: Path | None) -> list[Row]:
    """The bundled handbook under each preset that the local steps allow, then handbook18f."""
    asked = questions()
    rows: list[Row] = []
    by_preset: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory() as folder:
        base = places.demo().model_copy(update={"data_dir": Path(folder)})
        for preset in PRESETS:
            by_preset[preset] = await _interview(base, preset, asked)
    rows += _answer_rows("handbook", by_preset["adaptive"])
    rows += _kind_rows(by_preset["adaptive"])
    for preset, outcomes in by_preset.items():
        rows += _preset_rows(preset, outcomes)
    rows.append(_rejected_row(by_preset["chain"], by_preset["adaptive"]))
    _keep(by_preset)
    if data is not None:
        rows += await _real_handbook(data)
    return rows


async def _interview(base: Settings, preset: str, asked: Sequence[Question]) -> list[Outcome]:
    clock = MovableClock()
    settings = base.model_copy(update={"policy": PolicySettings.model_validate({"preset": preset})})
    async with opened(settings, quiet=True, seat=bench_seat(clock)) as app:
        await app.prepare(refresh=False)
        return await Interview(app, clock).put_all(asked)


def _share(outcomes: Sequence[Outcome], name: str) -> float:
    return round(100 * sum(bool(getattr(each, name)) for each in outcomes) / max(1, len(outcomes)), 1)


def _answer_rows(corpus: str, outcomes: Sequence[Outcome]) -> list[Row]:
    able = [each for each in outcomes if each.question.answerable]
    unable = [each for each in outcomes if not each.question.answerable]
    wrong = [each for each in unable if not each.refused]
    document, fact, refused, hedged = _share(able, "document_right"), _share(able, "fact_quoted"), 0.0, 0.0
    refused, hedged = _share(unable, "refused"), _share(wrong, "closest")
    name = f"answers.{corpus}"
    return [
        Row(f"{name}.document_right ({len(able)})", document, "%", "≥ 85", met=document >= 85),
        Row(f"{name}.fact_quoted ({len(able)})", fact, "%", "≥ 70", met=fact >= 70),
        Row(f"{name}.honest_not_found ({len(unable)})", refused, "%", "≥ 80", met=refused >= 80),
        Row(f"{name}.rest_worded_as_closest ({len(wrong)})", hedged if wrong else 100.0, "%", "100"),
    ]


def _kind_rows(outcomes: Sequence[Outcome]) -> list[Row]:
    rows = []
    for kind, count in Counter(each.question.kind for each in outcomes).items():
        of_kind = [each for each in outcomes if each.question.kind == kind]
        measure = "refused" if kind == "unanswerable" else "fact_quoted"
        rows.append(Row(f"answers.handbook.{measure} by kind: {kind} ({count})", _share(of_kind, measure), "%"))
    return rows


def _preset_rows(preset: str, outcomes: Sequence[Outcome]) -> list[Row]:
    able = [each for each in outcomes if each.question.answerable]
    unable = [each for each in outcomes if not each.question.answerable]
    wrong = [each for each in outcomes if each.cited and not each.document_right]
    return [
        Row(f"answers.preset {preset}: right answers", _share(able, "fact_quoted"), "%"),
        Row(f"answers.preset {preset}: right refusals", _share(unable, "refused"), "%"),
        Row(f"answers.preset {preset}: from a wrong source", round(100 * len(wrong) / len(outcomes), 1), "%"),
    ]


def _rejected_row(chain: Sequence[Outcome], adaptive: Sequence[Outcome]) -> Row:
    """The share of chain's answers that rest on passages of a question whose passages the evaluator rejects."""
    answered = [each.question.id for each in chain if each.cited]
    rejected = {each.question.id for each in adaptive if each.answer and each.answer.verdict == "incorrect"}
    share = 100 * sum(id in rejected for id in answered) / max(1, len(answered))
    return Row("answers.chain resting on rejected passages", round(share, 1), "%")


async def _real_handbook(data: Path) -> list[Row]:
    folder = data / "corpora" / "handbook18f" / "en" / "raw"
    asked = [*_heading_questions(data), *_foreign_questions(data)]
    with tempfile.TemporaryDirectory() as scratch:
        base = places.folders([folder]).model_copy(update={"data_dir": Path(scratch)})
        outcomes = await _interview(base, "adaptive", asked)
    rows = _answer_rows("handbook18f by headings", outcomes)
    return [row for row in rows if "fact_quoted" not in row.name] + [_section_row(outcomes)]


def _section_row(outcomes: Sequence[Outcome]) -> Row:
    """In place of a fact: is the section cited whose heading was asked?"""
    able = [each for each in outcomes if each.question.answerable]
    right = sum(
        any(each.question.question in citation.heading_path for citation in each.answer.citations)
        for each in able
        if each.answer is not None
    )
    name = f"answers.handbook18f by headings.section_right ({len(able)})"
    return Row(name, round(100 * right / max(1, len(able)), 1), "%")


def _heading_questions(data: Path) -> list[Question]:
    """Headings of at least three words as questions; right is the document."""
    found = [s for s in sections(data, "handbook18f", "en") if len(s.heading.split()) >= 3 and len(s.text) > 200]
    random.Random(7).shuffle(found)
    return [
        Question(s.id, "single", "en", s.heading, (), TODAY, frozenset({f"raw/{s.document}"}), ())
        for s in found[:HEADINGS]
    ]


def _foreign_questions(data: Path) -> list[Question]:
    """Headings of a manual on another subject: nothing in the handbook answers them."""
    found = [s for s in sections(data, "helm", "en") if len(s.heading.split()) >= 3]
    random.Random(7).shuffle(found)
    return [Question(s.id, "unanswerable", "en", s.heading, (), TODAY) for s in found[: HEADINGS // 2]]


def _keep(by_preset: dict[str, list[Outcome]]) -> None:
    """Every outcome in words, for whoever wants to know why a number is what it is."""
    place = Path("build/answers.jsonl")
    place.parent.mkdir(exist_ok=True)
    with place.open("w", encoding="utf-8") as file:
        for preset, outcomes in by_preset.items():
            for each in outcomes:
                file.write(json.dumps(_plain(preset, each), ensure_ascii=False) + "\n")


def _plain(preset: str, each: Outcome) -> dict[str, object]:
    answer = each.answer
    return {
        "preset": preset,
        "id": each.question.id,
        "question": each.question.question,
        "history": each.question.history,
        "documents": sorted(each.question.documents),
        "facts": each.question.facts,
        "right": each.document_right,
        "fact": each.fact_quoted,
        "refused": each.refused,
        "standing": answer.standing if answer else None,
        "verdict": answer.verdict if answer else None,
        "planned": [answer.plan.route, answer.plan.question, answer.plan.collections]
        if answer and answer.plan
        else None,
        "cited": sorted(each.cited),
        "nearest": [f"{c.collection}/{c.document_id}" for c in answer.nearest] if answer else [],
        "answer": answer.text if answer else None,
    }
