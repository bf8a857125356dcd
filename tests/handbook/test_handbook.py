"""The bundled handbook holds the cases it is there for, and its questions are true of its documents.

It reads the files with nothing of Refdesk, so a fault of our parsers cannot hide here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import mammoth
import pytest
from bs4 import BeautifulSoup
from pypdf import PdfReader

HANDBOOK = Path(__file__).parents[2] / "bots" / "handbook"
ANSWERS = Path(__file__).parents[1] / "benchmarks" / "answers"
FORMATS = {".md", ".html", ".pdf", ".docx", ".csv"}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (ANSWERS / name).read_text("utf-8").splitlines()]


def turns() -> list[dict[str, Any]]:
    return [turn for conversation in rows("conversations.jsonl") for turn in conversation["turns"]]


def answerable() -> list[dict[str, Any]]:
    return [row for row in rows("questions.jsonl") if row["kind"] != "unanswerable"]


def documents() -> list[str]:
    files = (path for path in HANDBOOK.rglob("*") if path.suffix in FORMATS)
    return sorted(unicodedata.normalize("NFC", path.relative_to(HANDBOOK).as_posix()) for path in files)


@cache
def text_of(document: str) -> str:
    """What a reader sees of a document: white space as single spaces, code marks left out."""
    path = HANDBOOK / document
    match path.suffix:
        case ".pdf":
            raw = "\n".join(page.extract_text() for page in PdfReader(path).pages)
        case ".docx":
            with path.open("rb") as file:
                raw = mammoth.extract_raw_text(file).value
        case ".html":
            soup = BeautifulSoup(path.read_text("utf-8"), "lxml")
            raw = (soup.find("main") or soup.find("article") or soup).get_text(" ")
        case _:
            raw = path.read_text("utf-8")
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", raw).replace("`", ""))


def stands(fact: str, text: str) -> bool:
    """Whether the fact stands in the text, and not as the tail or head of a longer number."""
    left = r"(?<!\d)(?<!\d[.,])" if fact[0].isdigit() else ""
    right = r"(?!\d)" if fact[-1].isdigit() else ""
    return re.search(left + re.escape(fact) + right, text) is not None


def is_korean(text: str) -> bool:
    hangul = sum("가" <= letter <= "힣" for letter in text)
    return hangul > sum(letter.isalpha() for letter in text) / 2


def test_there_are_about_25_documents_in_three_collections_and_five_formats() -> None:
    found = documents()
    assert 24 <= len(found) <= 32
    assert {name.split("/")[0] for name in found} == {"policies", "runbooks", "product"}
    assert {Path(name).suffix for name in found} == FORMATS


def test_about_half_of_the_documents_are_korean_in_every_collection() -> None:
    korean = [name for name in documents() if is_korean(text_of(name))]
    assert 0.4 <= len(korean) / len(documents()) <= 0.6
    assert {name.split("/")[0] for name in korean} == {"policies", "runbooks", "product"}


def test_no_file_is_large() -> None:
    assert all((HANDBOOK / name).stat().st_size < 150_000 for name in documents())


def test_every_document_says_enough_to_be_worth_asking() -> None:
    assert [name for name in documents() if len(text_of(name)) < 900] == []


def test_a_korean_pdf_reads_as_hangul() -> None:
    assert any(name.endswith(".pdf") and is_korean(text_of(name)) for name in documents())


def test_the_two_upgrade_reports_are_alike_but_tell_different_troubles() -> None:
    aks, gke = text_of("runbooks/aks-upgrade-report.md"), text_of("runbooks/gke-upgrade-report.md")
    assert "date: 2025-10-14" in aks
    assert "PodDisruptionBudget" in aks
    assert "PodDisruptionBudget" not in gke
    headings = [set(re.findall(r"## (\S+ \S+)", text)) for text in (aks, gke)]
    assert len(headings[0] & headings[1]) >= 4


def test_the_page_that_is_out_of_date_has_no_current_one_beside_it() -> None:
    about = [name for name in documents() if "parental leave" in text_of(name).lower()]
    assert about == ["policies/parental-leave-2023.html"]
    assert "육아휴직" not in " ".join(map(text_of, documents()))


@pytest.mark.parametrize("row", answerable() + turns(), ids=lambda row: row.get("id", row["question"][:12]))
def test_every_fact_stands_in_a_document_of_its_question(row: dict[str, Any]) -> None:
    assert set(row["documents"]) <= set(documents())
    texts = [text_of(name) for name in row["documents"]]
    assert row["facts"]
    for group in row["facts"]:
        assert any(stands(fact, text) for fact in group for text in texts), group


@pytest.mark.parametrize(
    "row", [row for row in answerable() if row["kind"] == "two_documents"], ids=lambda row: row["id"]
)
def test_a_two_document_question_needs_both(row: dict[str, Any]) -> None:
    for name in row["documents"]:
        assert not all(any(stands(fact, text_of(name)) for fact in group) for group in row["facts"]), name


def test_cross_language_questions_are_answered_in_the_other_language_alone() -> None:
    for row in answerable():
        if row["kind"] == "cross_language":
            assert all(is_korean(text_of(name)) != (row["language"] == "ko") for name in row["documents"])


def test_the_question_set_is_as_large_and_as_mixed_as_the_bench_needs() -> None:
    every = rows("questions.jsonl")
    kinds = Counter(row["kind"] for row in every)
    least = {"cross_language": 12, "follow_up": 10, "time": 6, "two_documents": 4, "identifier": 4, "unanswerable": 34}
    assert all(kinds[kind] >= count for kind, count in least.items())
    assert len(answerable()) >= 70
    assert 0.4 <= sum(row["language"] == "ko" for row in every) / len(every) <= 0.6
    assert len({row["id"] for row in every}) == len(every)
    assert all(bool(row["history"]) == (row["kind"] == "follow_up") for row in every)


def test_conversations_have_a_first_an_elliptical_and_a_complete_turn() -> None:
    conversations = rows("conversations.jsonl")
    assert [row["language"] for row in conversations] == ["en", "ko", "mixed"]
    for row in conversations:
        assert [turn["kind"] for turn in row["turns"]] == ["first", "elliptical", "complete"]


def test_questions_are_nfc() -> None:
    for name in ("questions.jsonl", "conversations.jsonl"):
        text = (ANSWERS / name).read_text("utf-8")
        assert text == unicodedata.normalize("NFC", text)
