"""Asking in Discord as people do it: the real client against the stand-in, with desk, record and index."""

from __future__ import annotations

from tests.discord.town import Town
from tests.slack.town import LEAVE


async def test_a_mention_opens_a_thread_and_is_answered_there_with_a_footnote(town: Town) -> None:
    asked = town.ask("how many days of annual leave?")
    (answer,) = await town.answered(asked.id)
    assert LEAVE in answer.content
    assert "[1] " in answer.embeds[0]["description"]
    assert town.thread(asked).name == "how many days of annual leave?"
    assert town.ours(town.general.id) == []
