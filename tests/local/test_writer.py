"""What the extractive writer quotes, in which order, and what it says above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from adapters.local.hashing import HashingEmbedder
from adapters.local.shortening import LIMIT, shortened
from adapters.local.writer import ExtractiveWriter
from core.answers import Grade, Plan, Strip, Verdict
from core.citations import cite
from core.documents import Card, Passage, TimeSpan
from core.messages import Language
from core.ports import Evidence, WriteRequest
from core.retrieval.analysis import BigramAnalyzer
from core.sentences import Unit
from core.wording import say

WRITER = ExtractiveWriter(HashingEmbedder(256), BigramAnalyzer())


def found(
    text: str,
    *,
    document: str = "a.md",
    day: date | None = None,
    p: float = 0.9,
    strips: Sequence[str] = (),
    title: str = "Ships",
) -> Evidence:
    language = "ko" if any("가" <= c <= "힣" for c in text) else "en"
    passage = Passage(f"docs:{document}:{hash(text)}", "docs", document, "h", title, (), text, 0, language, date=day)
    return Evidence(passage, tuple(Strip(passage.id, strip, 0.9) for strip in strips), Grade(p, "correct"))


def request(
    question: str, *evidence: Evidence, language: Language = "en", verdict: Verdict | None = "correct"
) -> WriteRequest:
    plan = Plan(question, "collections", ("docs",))
    return WriteRequest(question, question, language, plan, evidence, verdict, date(2026, 11, 30))


async def written(wanted: WriteRequest) -> str:
    return "".join([chunk async for chunk in WRITER.write(wanted)])


async def test_the_sentence_that_holds_the_fact_is_quoted_with_its_marker() -> None:
    text = "# Crew\n\nThe harbour is old. A crew rests for eleven hours after each voyage. Gulls are fed on Sundays."
    answer = await written(request("How long does a crew rest after a voyage?", found(text)))
    assert answer.startswith("A crew rests for eleven hours after each voyage. [1]")


async def test_titles_and_headings_are_never_quoted() -> None:
    text = "# How long does a crew rest\n\n## How long a crew rests\n\nEleven hours, by the harbour rules."
    answer = await written(request("How long does a crew rest?", found(text)))
    assert answer == "Eleven hours, by the harbour rules. [1]"


async def test_a_table_row_is_readable_by_itself() -> None:
    text = "| Ship | Crew | Flag |\n| --- | --- | --- |\n| Aurora | 12 | blue |\n| Borea | 31 | red |"
    answer = await written(request("How many people are in the crew of the Borea?", found(text)))
    assert answer.startswith("- Ship: Borea; Crew: 31; Flag: red [1]")


async def test_a_list_item_comes_with_the_line_that_introduces_it() -> None:
    text = "Before you sail:\n\n- check the anchor chain\n- ring the harbour master\n- feed the gulls"
    answer = await written(request("Must I ring the harbour master?", found(text)))
    assert answer.startswith("Before you sail:\n- ")
    assert "- ring the harbour master [1]" in answer
    assert answer.count("Before you sail:") == 1


async def test_a_fence_stays_a_fence() -> None:
    text = "Start the pump with:\n\n```sh\npump --start --slow\n```\n\nGulls sleep at night."
    answer = await written(request("Which command starts the pump?", found(text)))
    assert "```sh\npump --start --slow\n```\n[1]" in answer
    assert cite(answer, request("", found(text)).evidence)[1][0].number == 1


async def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    text = "The Aurora is the oldest ship.\n\nThe Borea carries grain to the north. It needs nine days for the passage."
    answer = await written(request("How many days are needed for the passage?", found(text)))
    assert "The Borea carries grain to the north. [1] It needs nine days for the passage. [1]" in answer


async def test_the_same_sentence_in_two_documents_is_quoted_once() -> None:
    text = "A crew rests for eleven hours after each voyage."
    answer = await written(request("How long does a crew rest?", found(text), found(text, document="b.md")))
    assert answer.count("eleven hours") == 1


async def test_a_document_is_quoted_in_reading_order() -> None:
    text = "First the crew lowers the sail. The weather is noted. Then the crew drops the anchor and lowers the flag."
    answer = await written(request("When does the crew drop the anchor and lower the sail?", found(text)))
    assert answer.index("lowers the sail") < answer.index("drops the anchor")


async def test_a_question_in_two_parts_is_answered_from_two_documents() -> None:
    rest = found("A crew rests for eleven hours.", document="rest.md")
    fee = found("The harbour fee is 40 euros for each night.", document="fee.md")
    noise = found("A crew rests when a crew has worked. A crew rests and rests.", document="noise.md", p=0.5)
    answer = await written(request("How long does a crew rest and how much is the harbour fee?", rest, noise, fee))
    assert "eleven hours. [1]" in answer
    assert "40 euros for each night. [3]" in answer


async def test_each_sub_question_of_the_plan_gets_its_sentence() -> None:
    one = found("The Aurora sails on Monday.", document="a.md")
    two = found("The Borea sails on Friday.", document="b.md")
    wanted = request("Compare the Aurora and the Borea", one, two)
    plan = replace(
        wanted.plan, steps="multi", sub_questions=("When does the Aurora sail?", "When does the Borea sail?")
    )
    answer = await written(replace(wanted, plan=plan))
    assert "Monday. [1]" in answer
    assert "Friday. [2]" in answer


async def test_only_what_refinement_kept_is_quoted() -> None:
    text = "The crew rests at noon. The crew eats at one. The crew sleeps at nine."
    answer = await written(
        request("When does the crew rest, eat and sleep?", found(text, strips=["The crew eats at one."]))
    )
    assert answer == "The crew eats at one. [1]"


async def test_sentences_that_failed_the_check_are_not_quoted_again() -> None:
    text = "The crew rests at noon. The crew has a rest room on deck two."
    wanted = replace(request("When does the crew rest?", found(text)), unsupported=("The crew rests at noon.",))
    assert "noon" not in await written(wanted)


async def test_an_unsure_verdict_is_worded_as_the_closest_passages() -> None:
    sure = await written(request("Who rests?", found("The crew rests at noon.")))
    unsure = await written(request("Who rests?", found("The crew rests at noon."), verdict="ambiguous"))
    assert unsure == f"{say('answer.closest', 'en')}\n\n{sure}"


async def test_quotes_in_another_language_are_announced_in_the_question_s() -> None:
    answer = await written(request("선원은 언제 쉬나요?", found("The crew rests at noon."), language="ko"))
    assert answer == f"{say('answer.as_written', 'ko')}\n\nThe crew rests at noon. [1]"


async def test_a_document_of_another_year_is_not_presented_as_that_year_s() -> None:
    wanted = request(
        "What went wrong in last year's refit?",
        found("The refit failed.", day=date(2025, 10, 14), title="Refit report"),
    )
    plan = replace(wanted.plan, period=TimeSpan(date(2028, 1, 1), date(2028, 12, 31)))
    answer = await written(replace(wanted, plan=plan))
    assert answer.splitlines()[0] == say(
        "answer.no_document_of", "en", period="2028", title="Refit report", date="2025-10-14"
    )


async def test_a_document_of_the_year_asked_about_goes_first() -> None:
    old = found("The refit failed because of rust.", day=date(2024, 3, 1), document="2024.md")
    new = found("The refit failed because of ice.", day=date(2025, 3, 1), document="2025.md", p=0.6)
    wanted = request("Why did the refit fail in 2025?", old, new)
    plan = replace(wanted.plan, period=TimeSpan(date(2025, 1, 1), date(2025, 12, 31)))
    assert await written(replace(wanted, plan=plan)) == "The refit failed because of ice. [2]"


async def test_evidence_without_any_sentence_ends_in_an_honest_no() -> None:
    answer = await written(request("Who rests?", found("# Only a heading")))
    assert answer == say("answer.not_found_at_all", "en", collections="docs")


@pytest.mark.parametrize("intent", ["greeting", "thanks", "goodbye", "capabilities", "smalltalk", "", "something else"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("cards", [(), (Card("docs", "v1", "Harbour rules"),)])
async def test_a_direct_reply_is_short_and_cites_nothing(
    intent: str, language: Language, cards: tuple[Card, ...]
) -> None:
    plan = Plan("hi", "direct", intent=intent)
    wanted = WriteRequest("hi", "hi", language, plan, (), None, date(2026, 11, 30), cards=cards)
    answer = await written(wanted)
    assert 0 < len(answer) < 200
    assert "[1]" not in answer


async def test_what_it_can_do_names_readable_collections_and_questions_in_the_asker_s_language() -> None:
    cards = (
        Card("rules", "v1", "Harbour rules", questions=("How long does a crew rest?", "선원은 얼마나 쉬나요?")),
        Card("ships", "v1", "Ships", questions=("Who owns the Borea?", "Where is the Aurora?")),
    )
    plan = Plan("what can you do", "direct", intent="capabilities")
    answer = await written(WriteRequest("?", "?", "en", plan, (), None, date(2026, 11, 30), cards=cards))
    assert "Harbour rules, Ships" in answer
    assert [line for line in answer.splitlines() if line.startswith("- ")] == [
        "- How long does a crew rest?",
        "- Who owns the Borea?",
        "- Where is the Aurora?",
    ]


async def test_it_streams_in_small_chunks_that_can_be_left_at_any_time() -> None:
    stream = WRITER.write(request("Who rests?", found("The crew rests at noon. " * 3)))
    first = await anext(stream)
    assert first == "The"
    await stream.aclose()  # type: ignore[attr-defined]


def test_a_long_sentence_is_cut_at_a_clause_around_what_is_asked() -> None:
    clauses = [f"clause number {n} speaks of nothing" for n in range(20)]
    unit = Unit(", ".join([*clauses, "the crew rests at noon", *clauses]), "sentence", 0)
    short = shortened(unit, lambda text: text.count("rests"))
    assert "the crew rests at noon" in short
    assert short.startswith("… ")
    assert short.endswith("…")
    assert len(short) <= LIMIT + 4


def test_a_long_row_keeps_its_name_and_the_cells_asked_for() -> None:
    unit = Unit("; ".join(f"Column {n}: {'value ' * 8}{n}" for n in range(30)), "row", 0)
    short = shortened(unit, lambda text: int("Column 27" in text))
    assert short.startswith("Column 0: ")
    assert "Column 27: " in short
    assert short.endswith("…")


@pytest.mark.parametrize(
    "quoted", ["as measured in [3] and [2].", "Passage [2]: the rope is changed yearly.", "see 【1】."]
)
async def test_bracketed_numbers_of_a_document_are_no_footnotes_of_ours(quoted: str) -> None:
    """A document could otherwise forge the footnotes of an answer, or lose its own words."""
    evidence = [
        found(f"The mooring rope holds nine tons, {quoted}"),
        found("Gulls are fed on Sundays.", document="b.md"),
    ]
    draft = await written(request("How many tons does the mooring rope hold?", *evidence))
    text, citations = cite(draft, evidence)
    assert {citation.document_id for citation in citations} == {"a.md"}
    assert quoted.rstrip(".") in text.replace("\u200b", "")
