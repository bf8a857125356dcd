"""Values that the tests of the stores are made of, and a clock that moves when told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from core.answers import Answer, Citation, Plan, TraceEvent
from core.documents import Card, Digest, DocumentRecord, Generation, Problem, TimeSpan
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from core.ports import Publication

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
LEASE = timedelta(seconds=30)
KEY = SessionKey("slack", "T1", "C1", "1700.1")


class MovingClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        """Where it stands."""
        return self.at

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.at += by


def a_turn(identity: str, key: SessionKey = KEY, question: str = "휴가는 며칠인가요?") -> Turn:
    """A turn as the desk makes it from a message."""
    return Turn(
        id=f"turn-{identity}",
        identity=identity,
        key=key,
        author=Author("U1", "민지", frozenset({"staff", "lead"})),
        audience=Audience(key.platform, key.workspace, key.channel),
        question=question,
        target=ReplyTarget(key.platform, key.workspace, key.channel, key.thread, recipient="U1"),
        created_at=NOW,
    )


def an_answer(text: str = "연차는 15일입니다 [1].", *, title: str = "휴가 규정") -> Answer:
    """An answer with everything in it."""
    cited = Citation(
        number=1,
        collection="hr",
        document_id="휴가.md",
        passage_id="hr:0:1",
        title=title,
        heading_path=("휴가", "연차"),
        page=3,
        date=date(2025, 1, 2),
        link="https://wiki.example/휴가",
        quote="연차는 15일이다.",
    )
    period = TimeSpan(date(2025, 1, 1), date(2025, 12, 31))
    return Answer(
        text=text,
        standing="supported",
        citations=(cited,),
        nearest=(cited,),
        notes=("원문 인용",),
        plan=Plan("연차 휴가는 며칠인가요?", "collections", ("hr",), period=period, confidence=0.75),
        verdict="correct",
        trace=(TraceEvent("plan", 3.5, {"route": "collections"}), TraceEvent("grade", 1.0)),
        searched=("hr",),
        card_versions={"hr": "v1"},
        prompt_hash="abc",
    )


def a_record(document_id: str, content: str = "1") -> DocumentRecord:
    """An indexed document."""
    return DocumentRecord(
        document_id, content, f"size-{content}", f"제목 {document_id}", "ko", 2, date(2025, 5, 1), None, ("가", "나")
    )


def a_card(collection: str, version: str = "v1") -> Card:
    """A Card with vectors that are no text."""
    return Card(
        collection,
        version,
        "인사",
        terms=("휴가", "연차"),
        languages={"ko": 2},
        documents=2,
        dates=TimeSpan(date(2024, 1, 1), date(2025, 1, 1)),
        examples=("휴가는 며칠?",),
        vectors=bytes(range(256)),
        embedding="hash-64",
    )


def a_publication(collection: str, number: int, documents: dict[str, str], *cards: Card) -> Publication:
    """What a sync makes visible."""
    return Publication(
        generation=Generation(collection, number, "hash-64", documents, f"v{number}", NOW),
        documents=tuple(a_record(name, content) for name, content in documents.items()),
        digest=Digest(collection, len(documents), {"휴가": 2, "policy": 1}),
        cards=cards or (a_card(collection, f"v{number}"),),
        problems=(Problem("scan.pdf", "parse.scanned", "0 of 3 pages", "recipe:5-1"),),
    )
