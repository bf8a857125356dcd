"""The first run as a newcomer has it: the bundled handbook, the real embedder, real questions, two threads."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from bots import places
from bots.compose import Seat, opened
from bots.console import as_plain
from bots.settings import Settings
from core.desk.explain import explain
from core.documents import Readable
from core.messages import Turn
from tests.benchmarks.answers.asking import MovableClock, bench_seat

AKS = "runbooks/aks-upgrade-report.md"
GKE = "runbooks/gke-upgrade-report.md"
SCRIPT = (
    ("aks", "t1", date(2026, 11, 30), "AKS 업그레이드 때 뭐가 문제였지?"),
    ("how long", "t1", date(2026, 11, 30), "그건 얼마나 걸렸어?"),
    ("last year", "t2", date(2026, 10, 14), "작년 AKS 업그레이드 때 뭐가 문제였지?"),
    ("three years on", "t3", date(2028, 10, 14), "작년 AKS 업그레이드 때 뭐가 문제였지?"),
    ("hello", "t4", date(2026, 11, 30), "Hello"),
    ("thanks", "t4", date(2026, 11, 30), "고마워!"),
    ("code", "t5", date(2026, 11, 30), "what does LF-4012 mean?"),
    ("nowhere", "t6", date(2026, 11, 30), "What is the boiling point of tungsten?"),
)


@pytest.fixture(scope="module")
def told(indexed: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Turn]:
    """Every question of the script, asked in one process; its turns by name."""
    folder = tmp_path_factory.mktemp("first-run") / "demo"
    shutil.copytree(indexed, folder)
    return asyncio.run(_ask_all(places.demo().model_copy(update={"data_dir": folder, "model_cache": None})))


async def _ask_all(settings: Settings) -> dict[str, Turn]:
    clock = MovableClock()
    seat: Seat = bench_seat(clock)
    turns = {}
    async with opened(settings, quiet=True, seat=seat) as app:
        await app.prepare(refresh=True)
        for name, thread, day, question in SCRIPT:
            clock.day = day
            turns[name] = await app.desk.ask(app.terminal.message(question, thread))
    return turns


def cited(turn: Turn) -> list[str]:
    assert turn.answer is not None
    return [f"{each.collection}/{each.document_id}" for each in turn.answer.citations]


def text(turn: Turn) -> str:
    assert turn.answer is not None
    return turn.answer.text


def test_the_right_one_of_two_near_alike_reports_is_cited(told: Mapping[str, Turn]) -> None:
    assert AKS in cited(told["aks"])
    assert GKE not in cited(told["aks"])
    assert "PodDisruptionBudget" in text(told["aks"])


def test_a_follow_up_with_only_a_pronoun_finds_its_passage(told: Mapping[str, Turn]) -> None:
    assert cited(told["how long"])
    assert set(cited(told["how long"])) == {AKS}
    assert "6시간 10분" in text(told["how long"])


def test_last_year_is_answered_from_the_report_of_that_year(told: Mapping[str, Turn]) -> None:
    assert AKS in cited(told["last year"])
    assert GKE not in cited(told["last year"])


def test_three_years_on_no_report_of_last_year_is_invented(told: Mapping[str, Turn]) -> None:
    answer = told["three years on"].answer
    assert answer is not None
    assert answer.standing == "not_found"
    assert "2027" in answer.text
    assert "AKS" in answer.text
    assert "2025-10-14" in answer.text


def test_a_greeting_and_thanks_are_answered_without_retrieval(told: Mapping[str, Turn]) -> None:
    for name in ("hello", "thanks"):
        answer = told[name].answer
        assert answer is not None
        assert answer.standing == "direct"
        assert "retrieve" not in [event.node for event in answer.trace]


def test_an_error_code_is_found(told: Mapping[str, Turn]) -> None:
    assert "runbooks/error-codes.md" in cited(told["code"])
    assert "LF-4012" in text(told["code"])


def test_what_no_document_holds_is_not_found_and_the_nearest_are_named(told: Mapping[str, Turn]) -> None:
    answer = told["nowhere"].answer
    assert answer is not None
    assert answer.standing == "not_found"
    assert answer.nearest
    assert answer.citations == ()


def test_every_footnote_quotes_words_of_its_passage(told: Mapping[str, Turn]) -> None:
    quoted = [each for turn in told.values() if turn.answer for each in turn.answer.citations]
    assert quoted
    assert all(each.quote for each in quoted)


def test_why_tells_the_route_and_the_question_as_searched(told: Mapping[str, Turn]) -> None:
    reason = explain(told["how long"], Readable(frozenset({"runbooks", "policies", "product"})), "ko")
    assert "runbooks" in reason
    assert "AKS" in reason


def test_an_outcome_is_one_json_object_for_scripts(told: Mapping[str, Turn], tmp_path: Path) -> None:
    for turn in told.values():
        plain = json.loads(json.dumps(as_plain(turn, "t1"), ensure_ascii=False))
        assert {"thread", "turn", "standing", "answer", "citations", "nearest", "notes"} <= plain.keys()
