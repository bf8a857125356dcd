"""The scopes of the manifest are those that a day's work asks for: none is missing, none is there for nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bots.slack_features import NAMES, events_of, scopes_of
from core.messages import Audience, Author, ReplyTarget, SessionKey, Turn
from tests.slack.conftest import Opens
from tests.slack.ground import ANSWER
from tests.slack.town import LEAVE, Town
from tests.slack_server import Message

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNASKED = {"commands"}
"""Slack wants it for slash commands and shortcuts to exist; no call asks for it."""


class Granted(set[str]):
    """The scopes of an installation, and which of them Slack looked for."""

    def __init__(self, scopes: Iterable[str]) -> None:
        super().__init__(scopes)
        self.asked: set[str] = set()

    def __contains__(self, scope: object) -> bool:
        self.asked.add(str(scope))
        return super().__contains__(scope)

    def intersection(self, *others: Iterable[Any]) -> set[str]:
        self.asked.update(*others)
        return super().intersection(*others)


def grant(town: Town, names: Iterable[str]) -> Granted:
    """Install the app as a manifest with these features does."""
    names = tuple(names)
    town.slack.app.events = set(events_of(names))
    granted = town.slack.world.installs[town.slack.bot_token].scopes = Granted(scopes_of(names))
    return granted


async def a_day(town: Town) -> None:
    """Questions everywhere, with a thread around them, names, a follow-up, and a private answer that comes late."""
    slack, ana, ben = town.slack, town.ana, town.ben
    for kind in ("public", "private", "mpim"):
        channel = slack.channel(f"room-{kind}", kind)  # type: ignore[arg-type]
        root = slack.say(channel, ben, f"{ana} was asking about holidays")
        asked = town.ask("how many days of annual leave?", channel=channel, thread_ts=root)
        assert LEAVE in (await town.answered(asked)).words
        await follow_up(town, asked)
    direct = slack.dm(ana)
    slack.say(direct, ana, "how many days of annual leave?")
    await slack.until(lambda: any(LEAVE in each.words for each in slack.bot_messages(direct)), 20)
    await a_late_private_answer(town)


async def a_late_private_answer(town: Town) -> None:
    """One whose command can't be answered any more: it becomes a direct message."""
    ana, slack = town.ana, town.service.slack
    assert slack is not None
    key = SessionKey("slack", ana.workspace, town.general.id, f"private/{ana.id}/1")
    target = ReplyTarget("slack", ana.workspace, town.general.id, "", recipient=ana.id, visibility="private")
    audience, now = Audience("slack", ana.workspace, town.general.id, user=ana.id), datetime.now(UTC)
    turn = Turn("late", "late", key, Author(ana.id), audience, "how?", target, created_at=now)
    ours = replace(turn, status="running", owner="test", lease_until=now + timedelta(minutes=1))
    stored = (await town.service.base.stores.queue.accept(ours)).turn
    await (await slack.replies.open(stored)).finish(ANSWER)


async def follow_up(town: Town, asked: Message) -> None:
    after = town.slack.say(
        town.slack.world.channels[asked.channel], town.ana, "And how do I roll back?", thread_ts=asked
    )
    await town.answered(after)


async def test_a_days_work_needs_each_scope_of_the_manifest_and_no_other(opens: Opens) -> None:
    async with opens() as town:
        granted = grant(town, NAMES)
        await a_day(town)
        assert not town.slack.refused("missing_scope")
        assert set(scopes_of(NAMES)) - granted.asked == UNASKED


@pytest.mark.parametrize("name", [each for each in NAMES if each != "home"])
async def test_without_a_feature_the_rest_works_as_before(opens: Opens, name: str) -> None:
    async with opens() as town:
        grant(town, (each for each in NAMES if each != name))
        asked = town.ask("how many days of annual leave?")
        assert LEAVE in (await town.answered(asked)).words
        await follow_up(town, asked)
