"""Questions put to a composed Refdesk, each in a thread of its own, on the day that it belongs to."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from adapters.console.reply import Screen
from bots.app import App
from bots.compose import Seat
from core.answers import Answer

HERE = Path(__file__).parent
TODAY = date(2026, 11, 30)


@dataclass
class MovableClock:
    """Stands still where it was put."""

    day: date = TODAY

    def now(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Question:
    """One row of questions.jsonl."""

    id: str
    kind: str
    language: str
    question: str
    history: tuple[str, ...]
    now: date
    documents: frozenset[str] = frozenset()
    facts: tuple[tuple[str, ...], ...] = ()

    @property
    def answerable(self) -> bool:
        return self.kind != "unanswerable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came back for a question."""

    question: Question
    answer: Answer | None

    @property
    def cited(self) -> frozenset[str]:
        """The documents that are cited, as collection/path."""
        return (
            frozenset(f"{c.collection}/{c.document_id}" for c in self.answer.citations) if self.answer else frozenset()
        )

    @property
    def document_right(self) -> bool:
        """A right document is cited; for a question over two documents, both are."""
        if self.question.kind == "two_documents":
            return self.question.documents <= self.cited
        return bool(self.question.documents & self.cited)

    @property
    def fact_quoted(self) -> bool:
        """Every fact stands in the quoted sentences."""
        text = plain(self.answer.text) if self.answer else ""
        return bool(self.cited) and all(any(stands(fact, text) for fact in group) for group in self.question.facts)

    @property
    def refused(self) -> bool:
        """An honest no, or a question back: nothing is cited."""
        return self.answer is not None and not self.answer.citations

    @property
    def closest(self) -> bool:
        """Worded as the closest passages only."""
        return (
            self.answer is not None and bool(self.answer.citations) and self.answer.standing in ("closest", "partial")
        )


def questions() -> list[Question]:
    """All rows of questions.jsonl."""
    rows = [json.loads(line) for line in (HERE / "questions.jsonl").read_text("utf-8").splitlines() if line.strip()]
    return [_question(row) for row in rows]


def _question(row: dict[str, Any]) -> Question:
    return Question(
        row["id"],
        row["kind"],
        row["language"],
        row["question"],
        tuple(row.get("history") or ()),
        date.fromisoformat(row["now"]) if row.get("now") else TODAY,
        frozenset(row.get("documents") or ()),
        tuple(tuple(group) for group in row.get("facts") or ()),
    )


def plain(text: str) -> str:
    """NFC, white space as single spaces, Markdown marks and footnote markers left out."""
    composed = unicodedata.normalize("NFC", text)
    return re.sub(r"\s+", " ", re.sub(r"\[\d+\]|[`*|]", "", composed))


def stands(fact: str, text: str) -> bool:
    """Whether the fact stands in the text, and not as the tail or head of a longer number."""
    wanted = plain(fact)
    left = r"(?<!\d)(?<!\d[.,])" if wanted[0].isdigit() else ""
    right = r"(?!\d)" if wanted[-1].isdigit() else ""
    return re.search(left + re.escape(wanted) + right, text) is not None


@dataclass
class Interview:
    """Asks an App; the seat's clock is moved to each question's day."""

    app: App
    clock: MovableClock
    asked: int = field(default=0)

    async def put(self, question: Question) -> Outcome:
        """The earlier questions of its thread first, then the question itself."""
        self.asked += 1
        self.clock.day = question.now
        thread = f"bench-{self.asked}-{self.app.terminal.thread()}"
        for earlier in question.history:
            await self.app.desk.ask(self.app.terminal.message(earlier, thread))
        turn = await self.app.desk.ask(self.app.terminal.message(question.question, thread))
        return Outcome(question, turn.answer)

    async def put_all(self, asked: Sequence[Question]) -> list[Outcome]:
        """One after the other: the clock is shared."""
        return [await self.put(each) for each in asked]


def bench_seat(clock: MovableClock) -> Seat:
    """A seat whose screen nobody sees."""
    return Seat(Screen(io.StringIO(), io.StringIO()), clock)
