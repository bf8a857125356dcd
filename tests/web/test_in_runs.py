"""The web inside a run: freshness by the plan's period, and an honest word where it could not be searched."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from core.answers import Answer, Plan
from core.documents import Passage, TimeSpan
from core.messages import Language
from core.policy import PRESETS
from core.rag.graph import Runs
from core.wording import say
from tests.rag.stand_ins import Cast, FixedPlanner, LabelGrader, ListedSearcher, ListedWeb, passage
from tests.tavily_server.server import TavilyServer, refusing, result
from tests.web.conftest import tavily

YEAR = TimeSpan(date(2026, 1, 1), date(2026, 12, 31))
NEXT = TimeSpan(date(2027, 1, 1), date(2027, 12, 31))


class DatedWeb(ListedWeb):
    """Remembers from which day on it was asked."""

    asked_from: date | None = date.min

    async def search(self, query: str, *, fresh_from: date | None, limit: int) -> Sequence[Passage]:
        self.asked_from = fresh_from
        return await super().search(query, fresh_from=fresh_from, limit=limit)


async def answered(cast: Cast, language: Language = "en") -> Answer:
    return await Runs().run(cast.context(PRESETS["adaptive"], language=language))


@pytest.mark.parametrize(("period", "fresh"), [(YEAR, YEAR.start), (NEXT, None), (None, None)])
async def test_pages_are_wanted_from_the_start_of_a_time_that_has_begun(
    period: TimeSpan | None, fresh: date | None
) -> None:
    web = DatedWeb([[passage("w", origin="web")]])
    await answered(Cast(planner=FixedPlanner(Plan("q", "web", period=period)), web=web))
    assert web.asked_from == fresh


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_a_web_that_is_down_is_not_said_to_have_been_searched(language: Language) -> None:
    answer = await answered(Cast(planner=FixedPlanner(Plan("q", "web")), web=ListedWeb([], fails=True)), language)
    assert answer.text == say("answer.web_down", language)
    assert answer.searched == ()


async def test_documents_that_do_not_answer_and_a_web_that_is_down_are_both_told() -> None:
    cast = Cast(grader=LabelGrader(default="incorrect"), web=ListedWeb([], fails=True))
    answer = await answered(cast)
    assert answer.standing == "not_found"
    assert say("note.web_failed", "en") in answer.notes
    assert "web" not in answer.searched


async def test_a_web_without_an_answer_is_named_in_the_language_of_the_question() -> None:
    cast = Cast(searcher=ListedSearcher([[]]), grader=LabelGrader(default="incorrect"), web=ListedWeb([[]]))
    answer = await answered(cast, "ko")
    assert answer.searched[-1] == "web"
    assert "웹" in answer.text


async def test_a_tavily_that_refuses_leaves_the_answer_to_the_documents(server: TavilyServer) -> None:
    server.will_say(refusing(432))
    async with tavily(server) as web:
        answer = await answered(Cast(grader=LabelGrader(default="ambiguous"), web=web))  # type: ignore[arg-type]
    assert answer.citations
    assert say("note.web_failed", "en") in answer.notes


async def test_what_tavily_finds_stands_after_the_documents_in_the_footnotes(server: TavilyServer) -> None:
    server.will_find(result("https://example.com/a", "The upgrade takes 40 minutes."), result("https://evil.com/b"))
    async with tavily(server) as web:
        cast = Cast(grader=LabelGrader(default="ambiguous"), web=web)  # type: ignore[arg-type]
        cast.writer.text = "It takes 45 minutes [1], or 40 [3]."
        answer = await answered(cast)
    assert [each.origin for each in answer.citations] == ["index", "web"]
    assert answer.citations[-1].link == "https://example.com/a"
    assert server.asked[0].body["query"] == "web rewrite 1"
    assert all("45 minutes" not in str(asked.body) for asked in server.asked)  # no passage leaves the house
