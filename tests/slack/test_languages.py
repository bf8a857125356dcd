"""In which language Slack's people are told what answers no question: the form's own, else the desk's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.slack.conftest import Opens
from tests.slack.test_buttons import press
from tests.slack.town import Town

pytestmark = pytest.mark.asyncio(loop_scope="session")

KOREAN_HELP = "질문을"


async def test_what_has_no_words_is_answered_in_the_desks_language(opens: Opens) -> None:
    async with opens(language="ko") as town:
        town.ask("")
        note = await town.slack.until(lambda: town.slack.shown_to(town.ana), 10)
        assert KOREAN_HELP in note[-1].words
        for sign in (":thumbsup:", "??"):
            answer = await town.answered(town.ask(sign))
            assert "출처" in answer.words
            assert "Why this answer?" not in answer.words


@pytest.mark.parametrize(("locale", "error"), [("ko-KR", "적어 주세요"), ("en-US", "Please")])
async def test_the_error_in_a_form_is_in_the_forms_language(opens: Opens, locale: str, error: str) -> None:
    async with opens(language="ko" if locale.startswith("en") else "en") as town:
        _speaks(town, locale)
        answer = await town.answered(town.ask("how many days of annual leave?"))
        await press(town, answer, "feedback", value="negative")
        form = await town.slack.until(lambda: town.slack.modal_of(town.ana))
        sent = await town.slack.submit(form, town.ana, {"comment": {"comment": {"value": " "}}})
        assert error in str(sent.reply)


def _speaks(town: Town, locale: str) -> None:
    """Everybody there uses Slack in this language."""
    assert town.service.slack is not None
    people: Any = town.service.slack.people
    known = people.user

    async def user(team: str, id: str) -> Any:
        return replace(await known(team, id), locale=locale)

    people.user = user
