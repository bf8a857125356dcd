"""The local planner: route, collections, time and clarification, with the bundled embedder and real Cards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.local import smalltalk
from adapters.local.hashing import HashingEmbedder
from adapters.local.planner import LocalPlanner
from adapters.local.use import USEEmbedder
from core.answers import Plan
from core.catalog.cards import Cards
from core.catalog.terms import digest
from core.documents import Card, DocumentRecord, TimeSpan
from core.messages import Exchange, Language, ThreadMessage
from core.ports import Embedder, PlanRequest, Vectors

TODAY = date(2026, 11, 30)
DOCUMENTS: dict[str, dict[str, tuple[str, ...]]] = {
    "telescopes": {
        "Mirror cleaning": ("How often is the main mirror cleaned?", "Required solvents", "After the cleaning"),
        "Dome motor fault of May 2025": ("What went wrong", "Timeline", "How the motor was replaced"),
        "Observation schedule": ("Booking a night", "Cancelled nights because of clouds", "Priority of surveys"),
        "망원경 점검": ("주간 점검 절차", "냉각수 보충 방법", "점검 기록 남기기"),
    },
    "lending": {
        "Borrowing rules": ("How many books can I borrow?", "Loan period", "Renewing a loan", "Late fees"),
        "Lost and damaged books": ("Reporting a lost book", "What a replacement costs"),
        "Reading rooms": ("Opening hours", "Booking a reading room", "Quiet zones"),
        "대출 규정": ("대출 기간", "연체료", "예약 도서 수령"),
    },
}


@pytest.fixture(scope="module")
def embedder() -> USEEmbedder:
    return USEEmbedder()


async def cards_of(embedder: Embedder) -> tuple[Card, ...]:
    records = {
        name: [
            DocumentRecord(title, "h", "f", title, "ko" if title[0] >= "가" else "en", 3, headings=headings)
            for title, headings in documents.items()
        ]
        for name, documents in DOCUMENTS.items()
    }
    digests = [
        digest(name, ((title, " ".join((title, *headings))) for title, headings in documents.items()))
        for name, documents in DOCUMENTS.items()
    ]
    return tuple(await Cards(embedder).make(records, digests, {}, {}))


async def plan(embedder: Embedder, question: str, *history: Exchange, **more: Any) -> Plan:
    language: Language = "ko" if any(letter >= "가" for letter in question) else "en"
    cards = more.pop("cards", None)
    given = await cards_of(embedder) if cards is None else cards
    return await LocalPlanner(embedder).plan(PlanRequest(question, language, TODAY, given, history, **more))


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("Hello", "greeting"),
        ("안녕하세요!", "greeting"),
        ("thanks a lot :)", "thanks"),
        ("감사합니다", "thanks"),
        ("bye, see you tomorrow", "goodbye"),
        ("what can you do?", "capabilities"),
        ("너는 뭘 할 수 있어?", "capabilities"),
        ("who are you?", "capabilities"),
        ("오늘 너무 졸리다", "smalltalk"),
    ],
)
async def test_courtesies_need_no_search(embedder: USEEmbedder, message: str, intent: str) -> None:
    made = await plan(embedder, message)
    assert (made.route, made.intent) == ("direct", intent)


@pytest.mark.parametrize(
    "message",
    [
        "Thanks, and how long is the loan period?",
        "고마워요! 그런데 연체료는 얼마예요?",
        "Hello, my reading room booking was cancelled",
        "hi - mirror cleaning?",
        "late fees",
        "연체료",
        "ERR-4031",
        "How do I get a library card?",
        "Who is responsible for the dome?",
        "누가 점검해?",
        "the dome motor is broken",
    ],
)
async def test_a_question_is_never_taken_for_small_talk(embedder: USEEmbedder, message: str) -> None:
    assert (await plan(embedder, message)).route == "collections"


async def test_a_courtesy_before_a_question_is_dropped(embedder: USEEmbedder) -> None:
    made = await plan(embedder, "Thanks, and how long is the loan period?")
    assert made.question == "how long is the loan period?"


async def test_the_likeliest_collection_comes_first(embedder: USEEmbedder) -> None:
    assert (await plan(embedder, "How many books can I borrow at once?")).collections[0] == "lending"
    assert (await plan(embedder, "거울은 얼마나 자주 청소해야 해?")).collections[0] == "telescopes"


async def test_an_unsure_router_searches_everything_readable(embedder: USEEmbedder) -> None:
    made = await plan(embedder, "What is the policy on bringing dogs to the office?", web_allowed=True)
    assert made.route == "collections"
    assert set(made.collections) == {"telescopes", "lending"}


async def test_only_cards_that_were_handed_in_are_named(embedder: USEEmbedder) -> None:
    one = (await cards_of(embedder))[:1]
    assert (await plan(embedder, "망원경 거울 청소", cards=one)).collections == (one[0].collection,)
    assert (await plan(embedder, "mirror cleaning", cards=())).collections == ()


async def test_world_questions_go_to_the_web_only_where_it_is_allowed(embedder: USEEmbedder) -> None:
    question = "Who won the football world cup in Brazil?"
    assert (await plan(embedder, question, web_allowed=True)).route == "web"
    assert (await plan(embedder, question)).route == "collections"


async def test_a_question_without_any_referent_is_asked_back_once(embedder: USEEmbedder) -> None:
    made = await plan(embedder, "How long does it take?")
    assert made.route == "clarify"
    assert made.clarification
    assert (await plan(embedder, "그건 얼마나 걸려?")).route == "clarify"
    assert (await plan(embedder, "How long does it take?", clarified_before=True)).route == "collections"


async def test_what_people_said_in_the_thread_is_a_referent(embedder: USEEmbedder) -> None:
    said = ThreadMessage("ann", "The dome motor was replaced again", "1")
    made = await plan(embedder, "How long does it take?", context=(said,))
    assert made.route == "collections"
    assert "dome motor" in made.question


async def test_the_answer_to_our_question_back_completes_it(embedder: USEEmbedder) -> None:
    before = Exchange("How long does it take?", "How long does it take?", "What do you mean?", "clarify")
    made = await plan(embedder, "the mirror cleaning", before, clarified_before=True)
    assert made.question == "How long does the mirror cleaning take?"


async def test_time_is_read_from_the_question(embedder: USEEmbedder) -> None:
    made = await plan(embedder, "What went wrong with the dome motor last year?")
    assert made.period == TimeSpan(date(2025, 1, 1), date(2025, 12, 31))
    assert made.time_sensitive
    assert (await plan(embedder, "최신 대출 규정 알려 줘")).time_sensitive
    calm = await plan(embedder, "How many books can I borrow?")
    assert (calm.period, calm.time_sensitive) == (None, False)


async def test_a_rule_about_the_next_year_asks_for_no_document_of_the_future(embedder: USEEmbedder) -> None:
    assert (await plan(embedder, "남은 예약은 내년으로 이월할 수 있어?")).period is None
    assert (await plan(embedder, "What is planned for 2027?")).period is not None


async def test_a_comparison_is_taken_apart(embedder: USEEmbedder) -> None:
    made = await plan(embedder, "What is the difference between the quiet zone and the reading room?")
    assert made.steps == "multi"
    assert made.sub_questions == ("quiet zone", "reading room")
    assert (await plan(embedder, "When is the quiet zone open?")).steps == "single"


async def test_cards_of_another_embedder_are_embedded_anew(embedder: USEEmbedder) -> None:
    foreign = await cards_of(HashingEmbedder(32))
    made = await plan(embedder, "How many books can I borrow at once?", cards=foreign)
    assert made.collections[0] == "lending"


async def test_the_same_question_gives_the_same_plan_however_many_ask(embedder: USEEmbedder) -> None:
    assert await plan(embedder, "Booking a night") == await plan(embedder, "Booking a night")


async def test_the_shipped_vectors_are_those_of_the_phrases(embedder: USEEmbedder) -> None:
    loaded = await smalltalk.load(embedder)
    sample = range(0, len(loaded.texts), 40)
    fresh = await embedder.embed([loaded.texts[place] for place in sample], "query")
    assert np.allclose(fresh, loaded.vectors[list(sample)], atol=2e-3)
    assert len(loaded.texts) == len(set(loaded.texts)) == len(smalltalk.phrases())


class Fast(HashingEmbedder):
    """Hashing, with phrases embedded once: the rules are under test, not meaning."""

    rows: dict[str, Vectors] = {}  # noqa: RUF012 - one cache for all examples of hypothesis

    async def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> Vectors:
        fresh = [text for text in texts if text not in self.rows]
        self.rows.update(zip(fresh, await super().embed(fresh, kind), strict=True))
        return np.stack([self.rows[text] for text in texts]) if texts else await super().embed(texts, kind)


BITS = [
    "it",
    "that",
    "why",
    "그건",
    "왜",
    "and",
    "what about",
    "the loan",
    "연체료",
    ",",
    "?",
    "!",
    "thanks",
    "vs",
    "와",
]
TEXT = st.text(max_size=80) | st.lists(st.sampled_from([*BITS, "비교", "\x00", "\u200d", "🙂"]), max_size=12).map(
    " ".join
)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.booleans(), st.booleans())
async def test_any_message_gets_a_plan_that_can_be_carried_out(
    message: str, before: str, web: bool, clarified: bool
) -> None:
    cards = await cards_of(Fast(32))
    history = (Exchange(before, before, "…"),) if before else ()
    request = PlanRequest(message, "en", TODAY, cards, history, web_allowed=web, clarified_before=clarified)
    made = await LocalPlanner(Fast(32)).plan(request)
    assert set(made.collections) <= set(DOCUMENTS)
    assert made.confidence is None or 0 <= made.confidence <= 1
    assert made.route != "web" or web
    assert made.route != "clarify" or (made.clarification and not clarified)
    if made.route == "collections":
        assert made.collections
        assert made.question.strip()


async def test_a_short_message_that_the_cards_send_elsewhere_is_a_new_subject(embedder: USEEmbedder) -> None:
    before = "What went wrong with the dome motor?"
    past = Exchange(before, before, "The motor overheated.", collections=("telescopes",))
    for message in ("How many books can I borrow?", "대출 기간은 며칠이야?"):
        assert (await plan(embedder, message, past)).question == message
    assert "motor" in (await plan(embedder, "How was it replaced?", past)).question
